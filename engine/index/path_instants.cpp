// The query room sees Views only; columns belong to the engine's one view. Any other view (of a
// test) has none, which is a valid answer.
#include "engine/index/path_instants.hpp"

#include "engine/graph/graph_view.hpp"

namespace cairn::engine {

Result<InstantColumn::Ptr> path_instants(const View& view, codec::EntityKind kind,
                                         std::uint32_t path, double spent) {
  const auto* graph = dynamic_cast<const GraphView*>(&view);
  if (graph == nullptr) return InstantColumn::Ptr();
  return PropertyIndex(graph->postings(), graph->catalog()).instants(kind, path, spent);
}

}  // namespace cairn::engine
