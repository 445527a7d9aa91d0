#pragma once
// What stands below a result: how many rows it has.

#include "tools/text/row_writer.hpp"

#include <cstdint>
#include <string>

namespace cairn::tools {

/// "(no rows)", "(1 row)", "(40 rows)", as a line.
[[nodiscard]] std::string count_text(std::uint64_t rows);
/// "(10 rows, and then an error)"
[[nodiscard]] std::string failed_count_text(std::uint64_t rows);
/// "(40 of 12,345 rows; .rows all shows the rest)", or "(40 of more than 12,345 rows; ...)"; without a prompt
/// the option --rows is named.
[[nodiscard]] std::string count_text(std::uint64_t shown, const RowTotal& total,
                                     bool has_prompt = true);

}  // namespace cairn::tools
