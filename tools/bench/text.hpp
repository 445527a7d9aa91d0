#pragma once
// `cairn-bench text`: full-text indexes, measured in the same way for each engine.

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

// Texts and questions: drawn from a seed, or the lines of a file.

/// Number of groups to which texts belong in turn. A filter for one group passes 5 % of the texts.
inline constexpr std::uint64_t text_groups = 20;

struct TextQuestion {
  std::vector<std::string> words;
  bool needs_all = false;              ///< find only documents with every word
  std::optional<std::uint64_t> group;  ///< find only documents of this group
};

/// What is measured. Every engine gets the same texts and questions.
struct TextWorkload {
  std::uint64_t texts = 300'000;
  std::uint64_t questions = 300;
  std::uint64_t seed = 1;
  std::string analyzer = "english";  ///< or "none": words are not stemmed
  std::string file;                  ///< one text a line; empty: generated
};

/// Makes texts of 9 to 25 words out of 60,000, drawn with probabilities proportional to 1 / (rank +
/// 2), or reads the first lines of the file. Errors: io_error.
[[nodiscard]] Result<std::vector<std::string>> make_texts(const TextWorkload& workload);

/// Makes questions of `words` distinct words each. The words come from one random text that has
/// enough of them.
[[nodiscard]] std::vector<TextQuestion> make_questions(const std::vector<std::string>& texts,
                                                       const TextWorkload& workload,
                                                       std::size_t words);

/// One engine with a full-text index, whose files are in a directory of its own.
class TextEngine {
 public:
  TextEngine() = default;
  TextEngine(const TextEngine&) = delete;
  TextEngine& operator=(const TextEngine&) = delete;
  virtual ~TextEngine() = default;

  [[nodiscard]] virtual std::string name() const = 0;
  /// Adds texts in one durable commit. The first text has the number `first`, and text i belongs to
  /// group i % text_groups. The texts must outlive the engine.
  [[nodiscard]] virtual Status add(std::span<const std::string> texts, std::uint64_t first) = 0;
  /// Writes everything to disk, closes the index and opens it again.
  [[nodiscard]] virtual Status reopen() = 0;
  /// Size of the index alone, without the texts and other data.
  [[nodiscard]] virtual Result<std::uint64_t> index_bytes() = 0;
  /// Seconds that the same commits take without the index; 0 if nothing else is stored. Valid after
  /// index_bytes().
  [[nodiscard]] virtual double seconds_without_index() const { return 0; }
  /// Returns how many of the 10 best documents exist.
  [[nodiscard]] virtual Result<std::size_t> search(const TextQuestion& question) = 0;
};

/// Cairn as an engine. `directory` must not exist. Also makes a second database without the index;
/// index_bytes() subtracts its size.
[[nodiscard]] Result<std::unique_ptr<TextEngine>> make_cairn_engine(const std::string& directory,
                                                                    const TextWorkload& workload);

/// Loads the texts in batches of 1,000 and prints a line for each figure.
[[nodiscard]] Status measure_indexing(TextEngine& engine, const std::vector<std::string>& texts,
                                      std::ostream& out);

/// Runs measure_indexing(), then measures searches.
[[nodiscard]] Status measure_text_engine(TextEngine& engine, const std::vector<std::string>& texts,
                                         const TextWorkload& workload, std::ostream& out);

struct TextBench {
  std::string directory;  ///< must not exist
  TextWorkload workload;
};

/// Measures Cairn in the directory, then SQLite's FTS5 and Xapian by the program
/// cairn_compare_text. That program exists next to this one if the packages of both engines were
/// installed at build time; otherwise a line of the output says that it is missing. Errors:
/// already_exists; those of the measured calls.
[[nodiscard]] Status bench_text(const TextBench& bench, std::ostream& out);

}  // namespace cairn::tools
