#include "engine/index/value_postings.hpp"

#include "engine/graph/graph_view.hpp"

#include <string>

namespace cairn::engine {

Status visit_values(const View& view, codec::EntityKind kind, std::uint32_t path,
                    codec::EntryKind entry, const VisitPosting& visit) {
  const auto* graph = dynamic_cast<const GraphView*>(&view);
  if (graph == nullptr)
    return Error{ErrorCode::unsupported, "this view has no index to count values by", std::nullopt};
  const std::string prefix = codec::index_prefix(kind, path, entry, "");
  return graph->postings().each_posting(
      range_of_prefix(prefix), [&](std::string_view name, const codec::IdSet& ids) {
        return ids.empty() ? Status() : visit(name.substr(prefix.size()), ids);
      });
}

std::optional<std::size_t> known_value_count(const View& view, codec::EntityKind kind,
                                             std::uint32_t path, codec::EntryKind entry) {
  const auto* graph = dynamic_cast<const GraphView*>(&view);
  if (graph == nullptr) return std::nullopt;
  return graph->postings().known_names(range_of_prefix(codec::index_prefix(kind, path, entry, "")));
}

}  // namespace cairn::engine
