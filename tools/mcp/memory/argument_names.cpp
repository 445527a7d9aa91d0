// Finds the argument that a caller means by a name that a tool does not have. A model knows other servers of memories,
// and uses their names. Of several meanings of a name, the first counts that the tool has.

#include "tools/mcp/memory/tool_arguments.hpp"
#include "tools/text/near_name.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace cairn::tools::mcp {
namespace {

/// What other servers call an argument, and what it is called here.
constexpr std::array<std::pair<std::string_view, std::string_view>, 25> other_names{
    {{"text", "content"},
     {"memory", "content"},
     {"value", "content"},
     {"text", "query"},
     {"question", "query"},
     {"query", "statement"},
     {"query", "text"},
     {"cypher", "statement"},
     {"params", "parameters"},
     {"name", "external_id"},
     {"key", "external_id"},
     {"type", "kind"},
     {"kind", "nodeTypes"},
     {"type", "nodeTypes"},
     {"ttl", "expires_in"},
     {"time_to_live", "expires_in"},
     {"expires_at", "expires_in"},
     {"changes", "metadata"},
     {"properties", "metadata"},
     {"filter", "metadataFilters"},
     {"filters", "metadataFilters"},
     {"top_k", "limit"},
     {"count", "limit"},
     {"id", "ids"},
     {"since", "date_from"}}};

bool has(const std::vector<std::string>& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

}  // namespace

std::string_view meant_argument(std::string_view unknown, const std::vector<std::string>& names) {
  for (const auto& [other, name] : other_names)
    if (other == unknown && has(names, name)) return name;
  for (const std::string& name : names)
    if (unknown.size() > 2 && begins_alike(name, unknown)) return name;
  return nearest_name(unknown, names, std::max<std::size_t>(unknown.size() / 4, 1));
}

}  // namespace cairn::tools::mcp
