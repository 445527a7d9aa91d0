#pragma once
// How much room standard output has.

#include <cstddef>

namespace cairn::tools {

/// Columns of the terminal that standard output goes to, now; 80 where it has none.
[[nodiscard]] std::size_t terminal_width();

}  // namespace cairn::tools
