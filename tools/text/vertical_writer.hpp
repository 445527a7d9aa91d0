#pragma once
// Rows one below the other, a line for each column: for wide rows and long texts.

#include "tools/text/row_writer.hpp"

namespace cairn::tools {

/// A head with the row's number, then `column │ value`. Nothing is cut; a long value wraps as the terminal does.
[[nodiscard]] std::unique_ptr<RowWriter> make_vertical_writer(std::ostream& out,
                                                              const RowLook& look);

}  // namespace cairn::tools
