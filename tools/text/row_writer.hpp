#pragma once
// Writers of rows in the formats of --format and .mode.

#include <cairn/result.hpp>
#include <cairn/value.hpp>

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::tools {

enum class Format { table, vertical, json, jsonl, csv, markdown, llm, toon, rag };

/// Finds a format by its name; nullopt if unknown.
[[nodiscard]] std::optional<Format> find_format(std::string_view name);
/// Returns "table, vertical, json, jsonl, csv, markdown, llm, toon, rag"; the last three treat rows
/// as records.
[[nodiscard]] std::string_view format_names() noexcept;
[[nodiscard]] std::string_view to_string(Format format) noexcept;

/// The number of rows of a result of which only some were written.
struct RowTotal {
  std::uint64_t rows = 0;
  bool is_exact = true;  ///< false: there are more; counting all would take too long
};

/// Writes one result: call begin() once, row() for each row, and finish() once.
class RowWriter {
 public:
  virtual ~RowWriter() = default;
  virtual void begin(const std::vector<std::string>& columns) = 0;
  virtual void row(std::span<const Value> values) = 0;
  virtual void finish() = 0;
  /// Called instead of finish() if only the first rows of a result were written.
  virtual void finish_cut(const RowTotal&) { finish(); }
  /// Called instead of finish() after an error, to mark the result as incomplete.
  virtual void finish_failed() { finish(); }
};

/// Options of writers.
struct RowLook {
  std::size_t width = 0;  ///< of the terminal, in columns; 0: no limit
  std::optional<std::string> null_text = std::nullopt;  ///< not in JSON, toon and rag
  bool has_colours = false;                             ///< in table and vertical
  bool has_headers = true;                              ///< column names above table and csv
  bool has_prompt = false;  ///< remarks name commands instead of options
};

[[nodiscard]] std::unique_ptr<RowWriter> make_row_writer(Format format, std::ostream& out,
                                                         const RowLook& look);

}  // namespace cairn::tools
