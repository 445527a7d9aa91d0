// Reads the relationships of nodes: from the lists in memory, otherwise from the store.
#include "engine/segment/adjacency_segment.hpp"
#include "engine/view/list_reader.hpp"
#include "query/execute/graph_reader.hpp"

#include <algorithm>
#include <functional>
#include <memory>

namespace cairn::query {
namespace {

// Like record_microseconds in graph_reader.cpp, these are estimates.
constexpr double list_microseconds = 4;
constexpr double listed_microseconds = 0.1;  // for each relationship of a list

}  // namespace

// A self-loop is in the lists of both directions and is returned as an outgoing relationship.
bool GraphReader::append_listed(const Step& step, bool outgoing,
                                std::vector<engine::Adjacent>& out) {
  const engine::AdjacencyView& view = adjacency(outgoing);
  if (!view || !view.knows(step.node)) return false;
  listed_.clear();
  for (const std::uint32_t type : step.types.empty() ? view.segment->types() : step.types) {
    auto list = view.segment->list(step.node, type);
    if (step.other) list = list.between(*step.other);
    if (list.size() > 0) listed_.push_back({type, list.neighbours, list.relationships});
  }
  types_.sort(std::span(listed_), &Listed::type);
  for (const Listed& list : listed_)
    for (std::size_t i = 0; i < list.neighbours.size(); ++i) {
      const bool is_loop = list.neighbours[i] == step.node;
      if (is_loop && !outgoing && !step.is_one_way()) continue;
      out.push_back({list.relationships[i], list.type, list.neighbours[i], outgoing || is_loop});
    }
  return true;
}

// Reads each direction from memory if possible, otherwise from the store.
Status GraphReader::read_step(const Step& step, std::vector<engine::Adjacent>& out) {
  const bool are_in_order =
      std::ranges::adjacent_find(step.types, std::ranges::greater_equal()) == step.types.end();
  for (const bool outgoing : {true, false}) {
    const auto way = outgoing ? engine::Direction::outgoing : engine::Direction::incoming;
    if (step.is_one_way() && step.direction != way) continue;
    if (are_in_order && append_listed(step, outgoing, out)) continue;
    const std::size_t before = out.size();
    CAIRN_TRY(append_stored(step, outgoing, out));
    if (Lists& lists = lists_[outgoing ? 0 : 1]; !lists.view || !lists.view.knows(step.node))
      lists.spent +=
          list_microseconds + listed_microseconds * static_cast<double>(out.size() - before);
  }
  return budget_.step(1 + out.size());
}

// As in append_listed(), a self-loop is returned only once, as outgoing.
Status GraphReader::append_stored(const Step& step, bool outgoing,
                                  std::vector<engine::Adjacent>& out) {
  const std::size_t before = out.size();
  if (stored_lists_ == nullptr) stored_lists_ = view_.lists();
  engine::ListRequest request;
  request.node = step.node;
  request.other = step.other;
  request.direction = outgoing ? engine::Direction::outgoing : engine::Direction::incoming;
  request.types = step.types;
  CAIRN_TRY(stored_lists_->read(request, out));
  types_.sort_steps(std::span(out).subspan(before));
  if (outgoing || step.is_one_way()) return {};
  const auto is_loop = [&](const engine::Adjacent& one) { return one.other == step.node; };
  out.erase(std::remove_if(out.begin() + static_cast<std::ptrdiff_t>(before), out.end(), is_loop),
            out.end());
  return {};
}

// An empty list of types means all types.
Status GraphReader::expand(std::uint64_t node, engine::Direction direction,
                           std::span<const std::uint32_t> types,
                           std::vector<engine::Adjacent>& out) {
  return read_step({node, std::nullopt, direction, types}, out);
}

Status GraphReader::expand_into(std::uint64_t node, std::uint64_t other,
                                engine::Direction direction, std::span<const std::uint32_t> types,
                                std::vector<engine::Adjacent>& out) {
  return read_step({node, other, direction, types}, out);
}

}  // namespace cairn::query
