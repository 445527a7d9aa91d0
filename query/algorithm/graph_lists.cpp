// GraphProjection reads the lists of all selected nodes in one pass. GraphSteps reads each list when a walk needs it.
//
// Both classes read weights in bulk: WeightReader reads the property of all relationships after the lists of the whole
// projection, or after one list.
#include "query/algorithm/graph_lists.hpp"

#include "engine/segment/adjacency_segment.hpp"
#include "query/execute/pipeline/execution_context.hpp"
#include "query/functions/call.hpp"
#include "query/functions/numbers.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <functional>
#include <span>
#include <utility>
#include <vector>

namespace cairn::query {
namespace {

constexpr double list_microseconds = 5;  // estimated cost of reading one list from the store

}  // namespace

/// Fills a projection: reads the lists of all nodes in the order of their numbers.
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
    if (segment) take_types(*segment.segment);
    for (std::size_t node = 0; node < projection_.size(); ++node) {
      const std::uint64_t id = projection_.id(node);
      if (selection_.has_types())
        CAIRN_TRY(segment && segment.knows(id) ? add_listed(*segment.segment, id) : add_stored(id));
      CAIRN_TRY(lists.end_list());
    }
    return read_weights();
  }

 private:
  /// Returns the adjacency segment, or an empty view. All lists are about to be read, so the whole cost of reading them
  /// from the store counts as spent. Building a segment may take at most a quarter of the statement's remaining time.
  engine::AdjacencyView find_segment() {
    if (auto known = graph_.view().adjacency(true, {0, 0, 0, {}})) return known;
    const std::chrono::duration<double, std::micro> left = budget_.left();
    const double spent = list_microseconds * static_cast<double>(projection_.size());
    return graph_.view().adjacency(
        true, {spent, spent, left.count() / 4, [this] { return budget_.check().has_value(); }});
  }

  /// The order of lists decides the rounding of sums and the choice among equal results.
  void take_types(const engine::AdjacencySegment& segment) {
    const auto types = selection_.types().empty() ? segment.types() : std::span(selection_.types());
    types_.assign(types.begin(), types.end());
    graph_.type_order().sort(std::span(types_), std::identity());
  }

  /// Adds the list of a node that the segment contains.
  Status add_listed(const engine::AdjacencySegment& segment, std::uint64_t id) {
    for (const std::uint32_t type : types_) {
      const auto list = segment.list(id, type);
      for (std::size_t i = 0; i < list.size(); ++i)
        CAIRN_TRY(add(list.neighbours[i], list.relationships[i]));
      if (pace_.is_due(engine::entry_bytes * (1 + list.size()))) CAIRN_TRY(pace_.look());
    }
    return {};
  }

  /// Adds the list of a node that only the store has.
  Status add_stored(std::uint64_t id) {
    steps_.clear();
    CAIRN_TRY(graph_.expand(id, engine::Direction::outgoing, selection_.types(), steps_));
    for (const engine::Adjacent& step : steps_) CAIRN_TRY(add(step.other, step.relationship));
    return {};
  }

  /// Appends one neighbour, unless the selection excludes the neighbour or the relationship.
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
  engine::Array<std::uint64_t> relationships_;  // relationships whose weights are read at the end
  std::vector<std::uint32_t> types_;            // of the segment, in the order of their names
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

// Reads ids in blocks of 1,024, and checks time and memory once for many.
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

// transposed() reverses each relationship and sorts the lists, so transposing twice gives the outgoing lists in
// ascending order.
Result<engine::Adjacency> GraphProjection::along(engine::Limits& limits) const {
  if (direction_ == engine::Direction::both) return stored_.undirected(limits);
  CAIRN_ASSIGN(engine::Adjacency back, stored_.transposed(limits));
  if (direction_ == engine::Direction::incoming) return back;
  return back.transposed(limits);
}

// Does the same as along() for the opposite direction.
Result<engine::Adjacency> GraphProjection::against(engine::Limits& limits) const {
  if (direction_ == engine::Direction::both) return stored_.undirected(limits);
  CAIRN_ASSIGN(engine::Adjacency back, stored_.transposed(limits));
  if (direction_ == engine::Direction::outgoing) return back;
  return back.transposed(limits);
}

GraphSteps::GraphSteps(ExecutionContext& context, const GraphSelection& selection,
                       WeightReader::Range range)
    : context_(context),
      selection_(selection),
      weights_(context.graph, selection.weight(), range),
      numbers_(context.budget),
      lists_(context.budget) {}

Result<std::optional<std::uint32_t>> GraphSteps::find(std::uint64_t id) {
  if (!selection_.has_node(id)) return std::optional<std::uint32_t>();
  CAIRN_ASSIGN(const std::uint32_t node, number(id));
  return std::optional(node);
}

Result<std::uint32_t> GraphSteps::number(std::uint64_t id) {
  if (const auto known = numbers_.find(id)) return *known;
  CAIRN_TRY(numbers_.add(id));
  CAIRN_TRY(lists_.push_back({}));
  return size() - 1;
}

// If the selection has both directions, the forward and the backward list are the same and are read once.
Result<std::span<const engine::WeightedStep>> GraphSteps::steps(std::uint32_t node, bool forward) {
  using engine::Direction;
  Direction direction = selection_.direction();
  if (direction == Direction::both) forward = true;
  if (!forward)
    direction = direction == Direction::outgoing ? Direction::incoming : Direction::outgoing;
  const auto list_of = [&]() -> std::optional<List>& {
    return forward ? lists_[node].forward : lists_[node].backward;
  };
  if (!list_of()) {
    CAIRN_ASSIGN(List read_list, read(numbers_.id(node), direction));
    list_of() = std::move(read_list);
  }
  return list_of()->span();
}

// A neighbour gets its number here, so size() grows as lists are read.
Result<GraphSteps::List> GraphSteps::read(std::uint64_t id, engine::Direction direction) {
  List list(context_.budget);
  if (!selection_.has_types()) return list;
  found_.clear();
  CAIRN_TRY(context_.graph.expand(id, direction, selection_.types(), found_));
  std::erase_if(found_, [this](const engine::Adjacent& step) {
    return !selection_.has_node(step.other) || !selection_.has_relationship(step.relationship);
  });
  CAIRN_TRY(list.reserve(found_.size()));
  for (const engine::Adjacent& step : found_) {
    CAIRN_ASSIGN(const std::uint32_t other, number(step.other));
    CAIRN_TRY(list.push_back({other, 1, step.relationship}));
  }
  if (weights_.reads()) CAIRN_TRY(read_weights(list));
  return list;
}

Status GraphSteps::read_weights(List& list) {
  engine::Array<std::uint64_t> relationships(context_.budget);
  CAIRN_TRY(relationships.reserve(list.size()));
  for (const engine::WeightedStep& step : list)
    CAIRN_TRY(relationships.push_back(step.relationship));
  std::size_t next = 0;
  return weights_.read(relationships.span(), [&](double weight) {
    list[next++].weight = weight;
    return Status();
  });
}

// Reads at most 1,024 properties at once, so that memory stays small. some_properties() may return fewer properties
// than requested.
Status WeightReader::read(std::span<const std::uint64_t> ids,
                          const std::function<Status(double)>& take) {
  constexpr std::size_t at_once = 1'024;
  while (!ids.empty()) {
    const auto some = ids.first(std::min(ids.size(), at_once));
    CAIRN_ASSIGN(const auto values,
                 graph_.some_properties(codec::EntityKind::relationship, some, property_));
    for (std::size_t i = 0; i < values.size(); ++i) {
      CAIRN_ASSIGN(const double weight, weight_of(ids[i], values[i]));
      CAIRN_TRY(take(weight));
    }
    ids = ids.subspan(values.size());
  }
  return {};
}

// A record without the property weighs 1.
Result<double> WeightReader::weight_of(std::uint64_t id, const Value& value) const {
  if (value.is_null()) return 1.0;
  const bool is_number = value.type() == ValueType::integer || value.type() == ValueType::floating;
  const double number = is_number ? float_of(value) : 0;
  // The smallest allowed weight: the least positive double, or 0.
  const double least = range_ == Range::positive ? std::nextafter(0.0, 1.0) : 0.0;
  if (is_number && number >= least && std::isfinite(number)) return number;
  return Error{is_number ? ErrorCode::invalid_argument : ErrorCode::type_error,
               "`weight` must name a property whose values are numbers " +
                   std::string(range_ == Range::positive ? "above 0" : "of 0 or more") +
                   "; relationship " + std::to_string(id) + " has " + property_ + " = " +
                   shown(value) + "; exclude it with `relationship_filter`, or correct it",
               std::nullopt};
}

}  // namespace cairn::query
