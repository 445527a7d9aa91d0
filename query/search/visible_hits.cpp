#include "query/search/visible_hits.hpp"

#include "codec/record.hpp"

namespace cairn::query {

Result<bool> has_visible_ends(ExecutionContext& context, std::uint64_t relationship) {
  CAIRN_ASSIGN(const codec::Bitmap* const nodes,
               context.graph.restriction(codec::EntityKind::node));
  if (nodes == nullptr) return true;
  CAIRN_ASSIGN(const auto record, context.graph.relationship(relationship));
  return record && nodes->contains(record->source) && nodes->contains(record->target);
}

}  // namespace cairn::query
