// Expand: one step along relationships from a bound node. Implements (a)-[r:T]->(b), and ExpandInto if b is bound. Rows
// come in the order of GraphReader::expand(). Only the steps of one node are held in memory. If only the number
// of steps is needed, returns one row with this number.

#include "engine/segment/adjacency_segment.hpp"
#include "query/execute/read/id_sets.hpp"
#include "query/execute/read/operators.hpp"
#include "query/execute/read/step_operator.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace cairn::query {
namespace {

// Reads the adjacency lists of one node at a time, only for the types of the pattern. If the other
// end is bound, reads only the relationships between the two nodes.
class ExpandOperator final : public StepOperator {
 public:
  ExpandOperator(const Expand& content, Parts parts)
      : StepOperator(content.walk, content.carried, std::move(parts)),
        is_counted_(content.is_counted),
        held_(budget()) {
    for (const Walk& walk : content.meetings)
      meetings_.push_back(std::make_unique<Meeting>(graph(), walk, budget()));
  }

 private:
  using List = engine::AdjacencySegment::List;
  /// The relationships of a node in one direction and of one type.
  struct Listed {
    std::uint32_t type = 0;
    List list;
    bool skips_loops = false;  ///< self-loops are also in the outgoing list
  };

  // Frees the memory of a node with very many relationships before the next node.
  void forget_steps() {
    if (steps_.capacity() > 0) held_.clear();
    if (steps_.capacity() > RowBatch::capacity) steps_ = {};
    steps_.clear();
    lists_.clear();
    list_ = next_ = 0;
  }

  /// A null start, as from OPTIONAL MATCH, returns no rows. Any other value that is not a node is a
  /// type error.
  Status begin() override {
    forget_steps();
    if (!filter().can_match()) return {};
    CAIRN_ASSIGN(const auto from, node_at(walk().from, walk().from_name));
    if (!from || !filter().may_start_at(*from)) return {};
    std::optional<std::uint64_t> to;
    if (walk().to_is_bound) {
      CAIRN_ASSIGN(to, node_at(walk().to, walk().to_name));
      if (!to) return {};
    }
    const bool is_listed = find_lists(*from, to);
    // Needed even if the steps come from the store, because the nodes of an earlier row must not filter the steps of
    // this row.
    for (const auto& meeting : meetings_) CAIRN_TRY(begin(*meeting));
    if (!is_listed) return read_steps(*from, to);
    return is_counted_ ? Status() : budget().step(count_listed());
  }

  /// The nodes that a later step reaches from a node of the row.
  struct Meeting {
    Meeting(GraphReader& graph, const Walk& step, Budget& limits)
        : walk(step), filter(graph, step), nodes(limits) {}

    const Walk& walk;
    StepFilter filter;
    std::optional<std::uint64_t> from;  // start node of the later step in the previous row
    std::uint64_t epoch = 0;            // epoch of the graph in that row
    bool is_known = false;              // whether `nodes` are those of `from`
    IdHashSet nodes;
  };

  /// Builds the set only for the second row in sequence with the same start node. For a single row,
  /// visiting the list would cost more than it saves.
  Status begin(Meeting& meeting) {
    CAIRN_ASSIGN(const auto from, node_at(meeting.walk.from, meeting.walk.from_name));
    if (from != meeting.from || meeting.epoch != graph().epoch()) {
      meeting.from = from;
      meeting.epoch = graph().epoch();
      meeting.is_known = false;
      return {};
    }
    if (meeting.is_known || !from) return {};
    CAIRN_TRY(meeting.filter.refresh());
    std::vector<Listed> lists;
    if (!find_lists(*from, meeting.filter, lists)) return {};
    std::size_t count = 0;
    for (const Listed& one : lists) count += one.list.size();
    CAIRN_TRY(meeting.nodes.assign(count));
    CAIRN_TRY(budget().step(count));
    for (const Listed& one : lists) meeting.nodes.add(one.list.neighbours);
    meeting.is_known = true;
    return {};
  }

  /// True if every later step to the same node reaches this node, as far as that is known.
  [[nodiscard]] bool is_met(std::uint64_t node) const {
    return std::ranges::all_of(meetings_, [&](const auto& meeting) {
      return !meeting->is_known || meeting->nodes.contains(node);
    });
  }

  /// Finds the lists in memory, in the order of GraphReader::expand(). Returns false if one of the lists is not
  /// in memory.
  [[nodiscard]] bool find_lists(std::uint64_t from, std::optional<std::uint64_t> to) {
    from_ = from;
    if (!find_lists(from, filter(), lists_)) return false;
    if (to)
      for (Listed& one : lists_) one.list = one.list.between(*to);
    return true;
  }

  // Without a direction, a self-loop is in both lists, so it is skipped in the incoming one.
  [[nodiscard]] bool find_lists(std::uint64_t from, const StepFilter& step,
                                std::vector<Listed>& lists) {
    const engine::Direction direction = step.direction();
    for (const bool outgoing : {true, false}) {
      const auto way = outgoing ? engine::Direction::outgoing : engine::Direction::incoming;
      if (direction != engine::Direction::both && direction != way) continue;
      const engine::AdjacencyView& view = graph().adjacency(outgoing);
      if (!view || !view.knows(from)) {
        lists.clear();
        return false;
      }
      const bool skips_loops = direction == engine::Direction::both && !outgoing;
      const std::size_t first = lists.size();
      for (const std::uint32_t type : step.types().empty() ? view.segment->types() : step.types())
        if (const List list = view.segment->list(from, type); list.size() > 0)
          lists.push_back({type, list, skips_loops});
      graph().type_order().sort(std::span(lists).subspan(first), &Listed::type);
    }
    return true;
  }

  [[nodiscard]] std::size_t count_listed() const {
    std::size_t count = 0;
    for (const Listed& one : lists_) count += one.list.size();
    return count;
  }

  Status read_steps(std::uint64_t from, std::optional<std::uint64_t> to) {
    if (to) return graph().expand_into(from, *to, filter().direction(), filter().types(), steps_);
    CAIRN_TRY(graph().expand(from, filter().direction(), filter().types(), steps_));
    return held_.add_bytes(steps_.capacity() * sizeof(engine::Adjacent));
  }

  [[nodiscard]] bool has_more() const override {
    return list_ < lists_.size() || next_ < steps_.size();
  }

  /// Drops a step if its relationship or node is not visible, or if the MATCH has used the
  /// relationship already.
  Status take(std::size_t room) override {
    if (is_counted_) return take_count();
    const std::size_t before = next_;
    std::size_t touched = 0;
    for (; list_ < lists_.size() && made().size() < room; ++list_) {
      touched += take_listed(lists_[list_], room);
      if (next_ < lists_[list_].list.size()) break;
      next_ = 0;
    }
    if (lists_.empty()) {
      for (; next_ < steps_.size() && made().size() < room; ++next_)
        add(steps_[next_].relationship, steps_[next_].other);
      touched = next_ - before;
    }
    own_meter().ids_touched += touched;
    return {};
  }

  /// Adds one row with the number of all steps of the input row, if there are any.
  Status take_count() {
    std::uint64_t count = 0;
    for (; list_ < lists_.size(); ++list_) {
      CAIRN_ASSIGN(const std::uint64_t listed, count_steps(lists_[list_]));
      count += listed;
    }
    for (; next_ < steps_.size(); ++next_)
      count += passes(steps_[next_].relationship, steps_[next_].other) ? 1 : 0;
    own_meter().ids_touched += count;
    if (count == 0) return {};
    made().sources.push_back(static_cast<std::uint32_t>(row()));
    made().counts.push_back(count);
    return {};
  }

  /// Visits the steps of a list only if some of them may not count.
  Result<std::uint64_t> count_steps(const Listed& one) {
    constexpr std::size_t steps_between_checks = 4'096;
    const List& list = one.list;
    if (filter().sees_all() && walk().unlike.empty() && meetings_.empty())
      return list.size() - (one.skips_loops ? list.between(from_).size() : 0);
    std::uint64_t count = 0;
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (i % steps_between_checks == 0)
        CAIRN_TRY(budget().step(std::min(steps_between_checks, list.size() - i)));
      if (one.skips_loops && list.neighbours[i] == from_) continue;
      count += passes(list.relationships[i], list.neighbours[i]) ? 1 : 0;
    }
    return count;
  }

  /// Takes steps from next_ on. Returns how many were examined.
  std::size_t take_listed(const Listed& one, std::size_t room) {
    const std::size_t first = next_;
    const List& list = one.list;
    if (filter().sees_all() && walk().unlike.empty() && !one.skips_loops && meetings_.empty()) {
      const std::size_t count = std::min(list.size() - first, room - made().size());
      const auto take = [&](std::span<const std::uint32_t> from, std::vector<std::uint64_t>& to) {
        const auto part = from.subspan(first, count);
        to.insert(to.end(), part.begin(), part.end());
      };
      take(list.neighbours, made().nodes);
      if (wants_relationships()) take(list.relationships, made().relationships);
      made().sources.insert(made().sources.end(), count, static_cast<std::uint32_t>(row()));
      next_ += count;
      return count;
    }
    for (; next_ < list.size() && made().size() < room; ++next_)
      if (!one.skips_loops || list.neighbours[next_] != from_)
        add(list.relationships[next_], list.neighbours[next_]);
    return next_ - first;
  }

  [[nodiscard]] bool passes(std::uint64_t relationship, std::uint64_t node) {
    return is_met(node) && filter().sees(relationship, node) && is_new(relationship);
  }

  // Adds a row for the step if it passes all tests.
  void add(std::uint64_t relationship, std::uint64_t node) {
    if (!passes(relationship, node)) return;
    made().sources.push_back(static_cast<std::uint32_t>(row()));
    if (wants_relationships()) made().relationships.push_back(relationship);
    made().nodes.push_back(node);
  }

  /// True if the relationship is not among those that this one must differ from.
  [[nodiscard]] bool is_new(std::uint64_t relationship) const {
    return std::ranges::none_of(walk().unlike, [&](Slot slot) {
      const BatchColumn& taken = rows().column(slot);
      if (taken.form() == BatchColumn::Form::relationships)
        return taken.words()[row()] == relationship;
      return has_relationship(taken.value(row()), relationship);
    });
  }

  const bool is_counted_;
  std::vector<std::unique_ptr<Meeting>> meetings_;
  std::uint64_t from_ = 0;
  std::vector<Listed> lists_;            // lists of the current row's node
  std::size_t list_ = 0;                 // index of the current list
  std::vector<engine::Adjacent> steps_;  // steps of the node, if there are no lists in memory
  std::size_t next_ = 0;                 // next position in the list or in steps_
  Holding held_;                         // for steps_
};

}  // namespace

OperatorPtr make_operator(const Expand& content, Parts parts) {
  return std::make_unique<ExpandOperator>(content, std::move(parts));
}

}  // namespace cairn::query
