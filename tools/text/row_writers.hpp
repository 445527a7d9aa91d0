#pragma once
// The writers that make_row_writer() returns, one per kind of format.

#include "tools/text/row_writer.hpp"

#include <cairn/memory/output.hpp>

#include <iosfwd>
#include <memory>
#include <optional>
#include <string>

namespace cairn::tools {

// Rows as records, in the formats of memory results.

/// The first node of a row becomes the record; without a node, the columns `content` and `id` form
/// it. A number in the column `score` becomes the score of the record. Relationships are added to
/// the record, and other columns to its metadata. In rag, a record without content shows its
/// properties. All rows are stored until finish(). `null_text` is shown for null in markdown.
[[nodiscard]] std::unique_ptr<RowWriter> make_output_writer(
    memory::OutputFormat format, std::ostream& out,
    std::optional<std::string> null_text = std::nullopt);

// Rows as a table that fits the terminal.

/// Aligns numbers to the right and everything else to the left. The widest columns shrink until the
/// table fits the width; cut text ends in an ellipsis. Numbers, booleans, dates and times are never
/// cut. Widths are determined from the first 1,000 rows; if they must grow later, the header is
/// printed again.
[[nodiscard]] std::unique_ptr<RowWriter> make_table_writer(std::ostream& out, const RowLook& look);

// Rows below each other, one line per column, for wide rows and long texts.

/// Writes a head with the row's number, then `column │ value`. Nothing is cut; the terminal wraps
/// long values.
[[nodiscard]] std::unique_ptr<RowWriter> make_vertical_writer(std::ostream& out,
                                                              const RowLook& look);

}  // namespace cairn::tools
