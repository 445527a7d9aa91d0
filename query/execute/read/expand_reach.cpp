// Finds the distinct end nodes of variable-length paths by a breadth-first search, each once. The
// search holds the nodes found so far, in the order in which they are found and expanded, and a bit
// per id in their chunks. All of this memory is charged.

#include "query/execute/read/id_sets.hpp"
#include "query/execute/read/operators.hpp"
#include "query/execute/read/step_operator.hpp"
#include "query/plan/expression_traits.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace cairn::query {
namespace {

class ExpandReachOperator final : public StepOperator {
 public:
  ExpandReachOperator(const ExpandVariable& content, Parts parts)
      : StepOperator(content.walk, content.carried, std::move(parts)),
        relationships_(content.relationships),
        nodes_(content.nodes),
        least_(content.walk.pattern->hops->least),
        most_(content.walk.pattern->hops->most.value_or(std::numeric_limits<std::uint64_t>::max())),
        seen_(budget()),
        held_(budget()) {
    const RelationshipPattern& pattern = *content.walk.pattern;
    for (const ExpressionPtr& condition : pattern.each)
      relationships_.push_back({condition.get(), pattern.element_slot, true});
  }

 private:
  /// Steps that lead to nodes not reached before.
  struct Candidates {
    std::vector<std::uint64_t> relationships;
    std::vector<std::uint64_t> nodes;
  };

  static constexpr std::size_t most_candidates = RowBatch::capacity;

  /// The start node is expanded first. The start is an end node itself only for `*0..`, or if a
  /// path reaches it again.
  Status begin() override {
    queue_ = {};
    seen_.clear();
    steps_ = {};
    held_.clear();
    given_ = gone_on_ = step_ = depth_ = 0;
    to_.reset();
    CAIRN_ASSIGN(const auto from, node_at(walk().from, walk().from_name));
    if (!from || !filter().may_start_at(*from)) return {};
    if (walk().from == walk().to) {
      to_ = from;
    } else if (walk().to_is_bound) {
      CAIRN_ASSIGN(to_, node_at(walk().to, walk().to_name));
      if (!to_) return {};
    }
    CAIRN_ASSIGN(const bool may_begin, may_begin_at(*from));
    if (!may_begin) return {};
    queue_.push_back(*from);
    level_end_ = 1;
    if (least_ == 0) return seen_.add(*from);
    given_ = 1;
    return {};
  }

  // True if the tests of nodes accept the start.
  Result<bool> may_begin_at(std::uint64_t node) {
    if (nodes_.empty()) return true;
    Candidates only{{0}, {node}};
    CAIRN_TRY(drop_failing(only, {}, nodes_));
    return !only.nodes.empty();
  }

  // False if no relationship has one of the types.
  [[nodiscard]] bool can_go_on() { return is_to_go_on() && filter().can_match(); }
  [[nodiscard]] bool has_more() const override { return given_ < queue_.size() || is_to_go_on(); }
  [[nodiscard]] bool is_to_go_on() const {
    return (gone_on_ < queue_.size() || step_ < steps_.size()) && depth_ < most_;
  }

  /// Returns ends from the queue, and expands further nodes if the queue is exhausted.
  Status take(std::size_t room) override {
    while (made().size() < room) {
      for (; given_ < queue_.size() && made().size() < room; ++given_)
        if (!to_ || *to_ == queue_[given_]) {
          made().sources.push_back(static_cast<std::uint32_t>(row()));
          made().nodes.push_back(queue_[given_]);
        }
      if (made().size() == room) return {};
      if (!can_go_on()) {
        gone_on_ = queue_.size();
        step_ = steps_.size();
        return {};
      }
      CAIRN_TRY(go_on());
    }
    return {};
  }

  /// Expands some nodes of the current level, and adds the nodes found to the queue.
  Status go_on() {
    Candidates found;
    while (found.nodes.size() < most_candidates) {
      if (step_ == steps_.size()) {
        if (gone_on_ == level_end_) break;
        CAIRN_TRY(expand(queue_[gone_on_]));
        ++gone_on_;
      }
      gather(found);
    }
    CAIRN_TRY(drop_failing(found, relationships_, nodes_));
    for (const std::uint64_t node : found.nodes) CAIRN_TRY(reach(node));
    if (gone_on_ < level_end_ || step_ < steps_.size()) return {};
    level_end_ = queue_.size();
    ++depth_;
    return {};
  }

  // Reads all relationships of a node. `steps_` may be large, so it is charged.
  Status expand(std::uint64_t node) {
    const std::size_t before = steps_.capacity() * sizeof(engine::Adjacent);
    steps_.clear();
    step_ = 0;
    CAIRN_TRY(graph().expand(node, filter().direction(), filter().types(), steps_));
    own_meter().ids_touched += steps_.size();
    return held_.grow(before, steps_.capacity() * sizeof(engine::Adjacent));
  }

  // Candidates are collected first, so that conditions are tested on many of them at once.
  void gather(Candidates& found) {
    for (; step_ < steps_.size() && found.nodes.size() < most_candidates; ++step_) {
      const engine::Adjacent& step = steps_[step_];
      if (seen_.contains(step.other) || !filter().sees(step)) continue;
      found.relationships.push_back(step.relationship);
      found.nodes.push_back(step.other);
    }
  }

  // Several candidates may lead to the same node, so every candidate is looked up again.
  Status reach(std::uint64_t node) {
    if (seen_.contains(node)) return {};
    CAIRN_TRY(seen_.add(node));
    if (queue_.size() == queue_.capacity()) {
      const std::size_t bytes = queue_.capacity() * sizeof(std::uint64_t);
      CAIRN_TRY(held_.grow(bytes, std::max<std::size_t>(2 * bytes, 64)));
    }
    queue_.push_back(node);
    return {};
  }

  /// Evaluates the tests on a packed batch. Its rows have the slots of the input row that the test
  /// reads, the element in the slot of the test, and the number of the candidate in the last slot.
  Status drop_failing(Candidates& found, const std::vector<ElementTest>& of_relationships,
                      const std::vector<ElementTest>& of_nodes) {
    using codec::EntityKind;
    for (const ElementTest& test : of_relationships)
      CAIRN_TRY(drop_failing(found, test, EntityKind::relationship));
    for (const ElementTest& test : of_nodes) CAIRN_TRY(drop_failing(found, test, EntityKind::node));
    return {};
  }

  // Tests all candidates with one packed batch.
  Status drop_failing(Candidates& found, const ElementTest& test, codec::EntityKind kind) {
    const std::size_t count = found.nodes.size();
    if (count == 0) return {};
    std::vector<BatchColumn> columns(std::max(rows().columns().size(), test.slot + std::size_t{1}));
    for (const Slot slot : free_slots(*test.condition))
      if (slot < rows().columns().size())
        columns[slot] = BatchColumn::constant(rows().column(slot).value(row()));
    const bool is_node = kind == codec::EntityKind::node;
    columns[test.slot] = BatchColumn::entities(kind, is_node ? found.nodes : found.relationships);
    std::vector<std::uint64_t> numbers(count);
    for (std::size_t i = 0; i < count; ++i) numbers[i] = i;
    columns.push_back(BatchColumn::words(BatchColumn::Form::integers, std::move(numbers), {}));
    RowBatch batch(static_cast<std::uint32_t>(columns.size()), budget());
    CAIRN_TRY(batch.pack(count, std::move(columns)));
    CAIRN_TRY(keep_where(context_, *test.condition, test.wanted, batch));
    keep(found, batch);
    return {};
  }

  // The last slot of the batch has the number of each remaining candidate.
  static void keep(Candidates& found, const RowBatch& batch) {
    const std::size_t numbers = batch.width() - 1;
    for (std::size_t i = 0; i < batch.size(); ++i) {
      const auto from = static_cast<std::size_t>(batch.cell(i, numbers).as_integer());
      found.relationships[i] = found.relationships[from];
      found.nodes[i] = found.nodes[from];
    }
    found.relationships.resize(batch.size());
    found.nodes.resize(batch.size());
  }

  std::vector<ElementTest> relationships_;
  const std::vector<ElementTest>& nodes_;
  std::uint64_t least_;
  std::uint64_t most_;
  std::optional<std::uint64_t> to_;      // the only wanted end; nullopt: all ends
  std::vector<std::uint64_t> queue_;     // the start and all ends found
  std::size_t given_ = 0;                // number of nodes in queue_ that were returned
  std::size_t gone_on_ = 0;              // number of nodes in queue_ that were expanded
  std::size_t level_end_ = 0;            // end of the current level in queue_
  std::uint64_t depth_ = 0;              // distance of the current level from the start
  std::vector<engine::Adjacent> steps_;  // relationships of one node
  std::size_t step_ = 0;                 // number of steps_ that were examined
  SeenIds seen_;
  Holding held_;  // for queue_ and steps_
};

}  // namespace

OperatorPtr make_reach_operator(const ExpandVariable& content, Parts parts) {
  return std::make_unique<ExpandReachOperator>(content, std::move(parts));
}

}  // namespace cairn::query
