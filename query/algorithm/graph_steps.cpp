#include "query/algorithm/graph_steps.hpp"

#include "query/execute/pipeline/execution_context.hpp"

#include <utility>

namespace cairn::query {

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

// Where both directions are walked, the lists forward and backward are the same one.
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

}  // namespace cairn::query
