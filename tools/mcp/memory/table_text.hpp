#pragma once
// Rows of any columns as text for a model.

#include <cairn/value.hpp>

#include <string>
#include <vector>

namespace cairn::tools::mcp {

/// Nodes, relationships and paths as maps, vectors by their dimension alone: numbers that no model reads.
[[nodiscard]] Value plain_value(const Value& value);
/// Names and then rows, fields parted by '|'; a bar, a backslash and ends of lines within a field are escaped as in TOON.
[[nodiscard]] std::string toon_table(const std::vector<std::string>& columns,
                                     const std::vector<std::vector<Value>>& rows);
[[nodiscard]] std::string markdown_table(const std::vector<std::string>& columns,
                                         const std::vector<std::vector<Value>>& rows);
/// A map a row.
[[nodiscard]] List table_values(const std::vector<std::string>& columns,
                                const std::vector<std::vector<Value>>& rows);

}  // namespace cairn::tools::mcp
