#include "query/algorithm/graph_projection.hpp"

#include "engine/segment/adjacency_segment.hpp"
#include "query/execute/pipeline/execution_context.hpp"

#include <array>
#include <chrono>
#include <span>
#include <utility>
#include <vector>

namespace cairn::query {
namespace {

constexpr double list_microseconds = 5;  // that reading one from the store takes

}  // namespace

/// Reads the lists of all nodes, in their order.
class GraphProjection::Maker {
 public:
  Maker(ExecutionContext& context, const GraphSelection& selection, WeightReader::Range range,
        GraphProjection& projection)
      : graph_(context.graph),
        budget_(context.budget),
        selection_(selection),
        projection_(projection),
        weights_(context.graph, selection.weight(), range),
        relationships_(context.budget),
        pace_(&context.budget) {}

  Status run() {
    engine::Adjacency& lists = projection_.stored_;
    CAIRN_TRY(lists.begin(projection_.size()));
    const engine::AdjacencyView segment = find_segment();
    for (std::size_t node = 0; node < projection_.size(); ++node) {
      const std::uint64_t id = projection_.id(node);
      if (selection_.has_types())
        CAIRN_TRY(segment && segment.knows(id) ? add_listed(*segment.segment, id) : add_stored(id));
      CAIRN_TRY(lists.end_list());
    }
    return read_weights();
  }

 private:
  /// All lists are about to be read, so the segment may cost what these cost without it.
  engine::AdjacencyView find_segment() {
    const std::chrono::duration<double, std::micro> left = budget_.left();
    const double spent = list_microseconds * static_cast<double>(projection_.size());
    return graph_.view().adjacency(
        true, {spent, left.count() / 4, [this] { return budget_.step(256).has_value(); }});
  }

  Status add_listed(const engine::AdjacencySegment& segment, std::uint64_t id) {
    const auto& types = selection_.types();
    for (const std::uint32_t type : types.empty() ? segment.types() : std::span(types)) {
      const auto list = segment.list(id, type);
      for (std::size_t i = 0; i < list.size(); ++i)
        CAIRN_TRY(add(list.neighbours[i], list.relationships[i]));
      if (pace_.is_due(engine::entry_bytes * (1 + list.size()))) CAIRN_TRY(pace_.look());
    }
    return {};
  }

  Status add_stored(std::uint64_t id) {
    steps_.clear();
    CAIRN_TRY(graph_.expand(id, engine::Direction::outgoing, selection_.types(), steps_));
    for (const engine::Adjacent& step : steps_) CAIRN_TRY(add(step.other, step.relationship));
    return {};
  }

  Status add(std::uint64_t other, std::uint64_t relationship) {
    const auto number = projection_.numbers_.find(other);
    if (!number || !selection_.has_relationship(relationship)) return {};
    CAIRN_TRY(projection_.stored_.add(*number));
    return weights_.reads() ? relationships_.push_back(relationship) : Status();
  }

  Status read_weights() {
    return weights_.read(relationships_.span(),
                         [this](double weight) { return projection_.stored_.add_weight(weight); });
  }

  GraphReader& graph_;
  Budget& budget_;
  const GraphSelection& selection_;
  GraphProjection& projection_;
  WeightReader weights_;
  engine::Array<std::uint64_t> relationships_;  // of which weights are to be read
  std::vector<engine::Adjacent> steps_;
  engine::Pace pace_;
};

Result<GraphProjection> GraphProjection::make(ExecutionContext& context,
                                              const GraphSelection& selection,
                                              WeightReader::Range range) {
  GraphProjection projection(context.budget);
  projection.direction_ = selection.direction();
  const codec::Bitmap* nodes = selection.nodes();
  if (nodes == nullptr) {
    CAIRN_ASSIGN(nodes, context.graph.visible(codec::EntityKind::node));
  }
  CAIRN_TRY(projection.take_nodes(*nodes, context.budget));
  CAIRN_TRY(Maker(context, selection, range, projection).run());
  return projection;
}

Status GraphProjection::take_nodes(const codec::Bitmap& nodes, engine::Limits& limits) {
  engine::Pace pace(&limits);
  std::array<std::uint64_t, 1'024> some{};
  codec::IdCursor cursor(nodes);
  while (const std::size_t count = cursor.next(some)) {
    for (const std::uint64_t id : std::span(some).first(count)) CAIRN_TRY(numbers_.add(id));
    CAIRN_TRY(pace.add(engine::entry_bytes * count));
  }
  return {};
}

Result<engine::Adjacency> GraphProjection::along(engine::Limits& limits) const {
  if (direction_ == engine::Direction::both) return stored_.undirected(limits);
  CAIRN_ASSIGN(engine::Adjacency back, stored_.transposed(limits));
  if (direction_ == engine::Direction::incoming) return back;
  return back.transposed(limits);
}

Result<engine::Adjacency> GraphProjection::against(engine::Limits& limits) const {
  if (direction_ == engine::Direction::both) return stored_.undirected(limits);
  CAIRN_ASSIGN(engine::Adjacency back, stored_.transposed(limits));
  if (direction_ == engine::Direction::outgoing) return back;
  return back.transposed(limits);
}

}  // namespace cairn::query
