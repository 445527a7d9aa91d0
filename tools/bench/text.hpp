#pragma once
// `cairn-bench text`: full-text indexes, measured the same way for each engine.

#include <cairn/result.hpp>

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace cairn::tools {

// Texts and questions of `cairn-bench text`: drawn from a seed, or the lines of a file.

/// Groups that texts belong to in turn, for questions with a filter: a twentieth of all passes.
inline constexpr std::uint64_t text_groups = 20;

struct TextQuestion {
  std::vector<std::string> words;
  bool needs_all = false;              ///< documents with every word only
  std::optional<std::uint64_t> group;  ///< of these documents only
};

/// What is measured; every engine draws the same.
struct TextWorkload {
  std::uint64_t texts = 300'000;
  std::uint64_t questions = 300;
  std::uint64_t seed = 1;
  std::string analyzer = "english";  ///< or "none": words as they are
  std::string file;                  ///< one text a line; empty: generated
};

/// Texts of 9 to 25 words out of 60,000, drawn with probabilities proportional to 1 / (rank + 2); or the
/// first lines of the file. Errors: io_error.
[[nodiscard]] Result<std::vector<std::string>> make_texts(const TextWorkload& workload);

/// Questions of `words` different words that are in one text, which is drawn evenly; of texts that
/// have as many.
[[nodiscard]] std::vector<TextQuestion> make_questions(const std::vector<std::string>& texts,
                                                       const TextWorkload& workload,
                                                       std::size_t words);

/// One engine with a full-text index, its files in a directory of its own.
class TextEngine {
 public:
  TextEngine() = default;
  TextEngine(const TextEngine&) = delete;
  TextEngine& operator=(const TextEngine&) = delete;
  virtual ~TextEngine() = default;

  [[nodiscard]] virtual std::string name() const = 0;
  /// One durable commit of texts, the first of which has the number `first`; text i is of the group
  /// i % text_groups. The texts outlive the engine.
  [[nodiscard]] virtual Status add(std::span<const std::string> texts, std::uint64_t first) = 0;
  /// Bring everything to where it stays, and start again from the disk.
  [[nodiscard]] virtual Status reopen() = 0;
  /// Of the index, the texts themselves and what is beside them left out.
  [[nodiscard]] virtual Result<std::uint64_t> index_bytes() = 0;
  /// What the same commits take without the index; 0 where nothing else is stored. Known after
  /// index_bytes().
  [[nodiscard]] virtual double seconds_without_index() const { return 0; }
  /// How many of the 10 best there are.
  [[nodiscard]] virtual Result<std::size_t> search(const TextQuestion& question) = 0;
};

/// Cairn itself; `directory` must not exist. It keeps a second database without the index, which
/// index_bytes() takes away from the first.
[[nodiscard]] Result<std::unique_ptr<TextEngine>> make_cairn_engine(const std::string& directory,
                                                                    const TextWorkload& workload);

/// Load in batches of 1,000, and print a line for each figure.
[[nodiscard]] Status measure_indexing(TextEngine& engine, const std::vector<std::string>& texts,
                                      std::ostream& out);

/// The same, then search.
[[nodiscard]] Status measure_text_engine(TextEngine& engine, const std::vector<std::string>& texts,
                                         const TextWorkload& workload, std::ostream& out);

struct TextBench {
  std::string directory;  ///< must not exist
  TextWorkload workload;
};

/// Measure Cairn in the directory, then SQLite's FTS5 and Xapian by the program cairn_compare_text, which
/// is beside this one where their packages are installed; without it, a line says so.
/// Errors: already_exists; those of the calls that are measured.
[[nodiscard]] Status bench_text(const TextBench& bench, std::ostream& out);

}  // namespace cairn::tools
