#pragma once
// The writers behind make_row_writer(), one for each kind of format.

#include "tools/text/row_writer.hpp"

#include <cairn/memory/output.hpp>

#include <iosfwd>
#include <memory>
#include <optional>
#include <string>

namespace cairn::tools {

// Rows as records, in the formats that memory results have.

/// The first node of a row is its record; without one, the columns `content` and `id` are. A number in
/// the column `score` is its score, relationships are its own, and other columns join its metadata. A record without a
/// content has its properties for one in rag. All rows are held until finish(). `null_text` stands for null in markdown.
[[nodiscard]] std::unique_ptr<RowWriter> make_output_writer(
    memory::OutputFormat format, std::ostream& out,
    std::optional<std::string> null_text = std::nullopt);

// Rows as a table that fits the terminal.

/// Numbers to the right, everything else to the left. Columns shrink from the widest down until the
/// table fits the width; what is cut ends in an ellipsis. Numbers, booleans, dates and times are
/// never cut. Widths are settled on the first 1,000 rows; where they must grow, the header is printed again.
[[nodiscard]] std::unique_ptr<RowWriter> make_table_writer(std::ostream& out, const RowLook& look);

// Rows one below the other, a line for each column: for wide rows and long texts.

/// A head with the row's number, then `column │ value`. Nothing is cut; a long value wraps as the terminal does.
[[nodiscard]] std::unique_ptr<RowWriter> make_vertical_writer(std::ostream& out,
                                                              const RowLook& look);

}  // namespace cairn::tools
