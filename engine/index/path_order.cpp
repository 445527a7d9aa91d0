// As path_instants.cpp, for orders. unordered_at_path() is what a walk along the order must add by
// reading records: values that ORDER BY ranks and the order lacks, or has by a prefix only.
#include "engine/index/path_order.hpp"

#include "engine/graph/graph_view.hpp"
#include "engine/index/index_entries.hpp"

namespace cairn::engine {

Result<ValueOrder::Ptr> path_order(const View& view, codec::EntityKind kind, std::uint32_t path,
                                   double spent) {
  const auto* graph = dynamic_cast<const GraphView*>(&view);
  if (graph == nullptr) return ValueOrder::Ptr();
  return graph->postings().order(codec::index_prefix(kind, path, codec::EntryKind::scalar, ""),
                                 spent);
}

Result<codec::IdSet> unordered_at_path(const View& view, codec::EntityKind kind,
                                       std::uint32_t path) {
  const auto* graph = dynamic_cast<const GraphView*>(&view);
  if (graph == nullptr) return view.visible(kind, {});
  const PostingReader& postings = graph->postings();
  std::vector<codec::IdSet> sets;
  // By presence marks, which every value has; containers have no scalar entry at all.
  for (const auto tag : {codec::OrderedTag::null, codec::OrderedTag::list, codec::OrderedTag::map,
                         unindexed_list_tag, vector_tag}) {
    CAIRN_ASSIGN(codec::IdSet ids,
                 postings.posting(presence_posting(kind, path, codec::EntryKind::presence, tag)));
    if (!ids.empty()) sets.push_back(std::move(ids));
  }
  const std::string long_texts(1, static_cast<char>(codec::OrderedTag::long_string));
  CAIRN_ASSIGN(codec::IdSet ids, postings.range(range_of_prefix(codec::index_prefix(
                                     kind, path, codec::EntryKind::scalar, long_texts))));
  if (!ids.empty()) sets.push_back(std::move(ids));
  return codec::unite_all(sets);
}

}  // namespace cairn::engine
