#pragma once
// Rows as a table that fits the terminal.

#include "tools/text/row_writer.hpp"

namespace cairn::tools {

/// Numbers to the right, everything else to the left. Columns shrink from the widest down until the
/// table fits the width; what is cut ends in an ellipsis. Numbers, booleans, dates and times are
/// never cut. Widths are settled on the first 1,000 rows; where they must grow, the header is printed again.
[[nodiscard]] std::unique_ptr<RowWriter> make_table_writer(std::ostream& out, const RowLook& look);

}  // namespace cairn::tools
