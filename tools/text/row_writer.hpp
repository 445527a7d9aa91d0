#pragma once
// Rows in the formats of --format and .mode.

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

/// The format of this name; nullopt if absent.
[[nodiscard]] std::optional<Format> find_format(std::string_view name);
/// "table, vertical, json, jsonl, csv, markdown, llm, toon, rag"; the last three take rows for records.
[[nodiscard]] std::string_view format_names() noexcept;
[[nodiscard]] std::string_view to_string(Format format) noexcept;

/// How many rows a result has of which not all were written.
struct RowTotal {
  std::uint64_t rows = 0;
  bool is_exact = true;  ///< else there are more: counting them all would have taken long
};

/// Writes one result: begin once, a row at a time, finish once.
class RowWriter {
 public:
  virtual ~RowWriter() = default;
  virtual void begin(const std::vector<std::string>& columns) = 0;
  virtual void row(std::span<const Value> values) = 0;
  virtual void finish() = 0;
  /// As finish(), where only the first rows of a result were written.
  virtual void finish_cut(const RowTotal&) { finish(); }
  /// As finish(), where an error came instead of the next row: nobody must take this for the whole result.
  virtual void finish_failed() { finish(); }
};

/// How rows look where there is a choice.
struct RowLook {
  std::size_t width = 0;  ///< of the terminal in columns; 0 for no bound
  std::optional<std::string> null_text = std::nullopt;  ///< for null, but in JSON, toon and rag
  bool has_colours = false;                             ///< table and vertical
  bool has_headers = true;                              ///< names of columns above table and csv
  bool has_prompt = false;                              ///< remarks name commands, and not options
};

[[nodiscard]] std::unique_ptr<RowWriter> make_row_writer(Format format, std::ostream& out,
                                                         const RowLook& look);

}  // namespace cairn::tools
