#pragma once
// The rows of a statement through a writer, all or the first ones.

#include "tools/text/row_writer.hpp"

#include <cairn/statement.hpp>

#include <cstddef>
#include <iosfwd>

namespace cairn::tools {

/// Write at most `most` rows, all with 0, and say how many were written. Nothing is printed of a statement that
/// fails before its first row. Those behind the last one written are counted as long as that takes next to no
/// time. Ends early where `out`, the writer's stream, takes no more. Errors: those of the statement.
[[nodiscard]] Result<std::size_t> print_rows(Rows& rows, RowWriter& writer, const std::ostream& out,
                                             std::size_t most);

}  // namespace cairn::tools
