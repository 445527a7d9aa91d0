#pragma once
// `cairn bench DIR facets`: faceted search over generated memories.

#include "tools/command_line.hpp"

#include <cairn/result.hpp>

#include <iosfwd>
#include <string>

namespace cairn::tools {

/// Load memories with `command.tags` distinct tags, 10 types and distinct dates over two years, then
/// search by tags, type and period: page 1 of 10 with its total and three facets.
[[nodiscard]] Status bench_facets(const std::string& directory, const BenchCommand& command,
                                  std::ostream& out);

}  // namespace cairn::tools
