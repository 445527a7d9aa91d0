#pragma once
// `cairn-bench text`: full-text indexes, measured the same way for each engine.

#include "tools/bench/text_data.hpp"

#include <cairn/result.hpp>

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <memory>
#include <span>
#include <string>

namespace cairn::tools {

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
