#include "query/search/neighbourhood.hpp"

#include "engine/catalog/catalog.hpp"
#include "query/execute/pipeline/execution_context.hpp"

#include <algorithm>

namespace cairn::query {

Result<bool> Neighbourhood::begin() {
  for (const std::string& name : question_.types)
    if (const auto type = context_.graph.catalog().find_type(name)) types_.push_back(*type);
  if (types_.empty() && !question_.types.empty()) return false;
  std::ranges::sort(types_);
  types_.erase(std::ranges::unique(types_).begin(), types_.end());
  CAIRN_ASSIGN(relationships_, context_.graph.restriction(codec::EntityKind::relationship));
  return true;
}

// References into the map stay valid while it grows.
Result<const std::vector<GraphStep>*> Neighbourhood::around(std::uint64_t node) {
  const auto [place, is_new] = steps_.try_emplace(node);
  if (!is_new) return &place->second;
  std::vector<engine::Adjacent> all;
  CAIRN_TRY(context_.graph.expand(node, question_.direction, types_, all));
  for (const engine::Adjacent& one : all)
    if (members_.contains(one.other) &&
        (relationships_ == nullptr || relationships_->contains(one.relationship)))
      place->second.push_back({one.other, one.relationship});
  return &place->second;
}

}  // namespace cairn::query
