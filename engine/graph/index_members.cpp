// Members by label or type, as a union of their postings: an entity with two of the labels is one
// member. An index without labels (ranges only) has none here.
#include "engine/graph/index_members.hpp"

#include "codec/bitmap.hpp"
#include "codec/catalog_entry.hpp"
#include "engine/view/view.hpp"

#include <utility>
#include <vector>

namespace cairn::engine {

Result<codec::Bitmap> index_members(const codec::IndexEntry& index, const View& view) {
  const bool of_nodes = index.entity == codec::EntityKind::node;
  std::vector<codec::Bitmap> groups;
  for (const std::uint32_t group : index.labels_or_types) {
    CAIRN_ASSIGN(auto ids, of_nodes ? view.labelled(group) : view.typed(group));
    groups.push_back(std::move(ids));
  }
  return codec::unite_all(groups);
}

}  // namespace cairn::engine
