// What a statement has deleted, as its GraphReader sees it.

#include "codec/bitmap.hpp"
#include "query/execute/graph_reader.hpp"

#include <cairn/result.hpp>

#include <cstdint>
#include <utility>

namespace cairn::query {

// Later reads of this entity are errors.
void GraphReader::note_deleted(codec::EntityKind kind, std::uint64_t id) {
  of(kind).deleted.add(id);
}

DeletedEntities GraphReader::take_deleted() {
  return {std::exchange(of(codec::EntityKind::node).deleted, {}),
          std::exchange(of(codec::EntityKind::relationship).deleted, {}),
          std::exchange(deleted_types_, {})};
}

void GraphReader::adopt_deleted(DeletedEntities deleted) {
  of(codec::EntityKind::node).deleted = std::move(deleted.nodes);
  of(codec::EntityKind::relationship).deleted = std::move(deleted.relationships);
  deleted_types_ = std::move(deleted.types);
}

bool GraphReader::is_deleted(codec::EntityKind kind, std::uint64_t id) const {
  const codec::Bitmap& deleted = kinds_[kind == codec::EntityKind::node ? 0 : 1].deleted;
  return !deleted.empty() && deleted.contains(id);
}

Result<bool> GraphReader::finds_node(std::uint64_t id) {
  if (is_deleted(codec::EntityKind::node, id)) return false;
  CAIRN_ASSIGN(const codec::Bitmap* const seen, restriction(codec::EntityKind::node));
  return seen == nullptr || seen->contains(id);
}

}  // namespace cairn::query
