// One step along relationships, from a bound node.
// Expand (a)-[r:T]->(b) and ExpandInto, where b is bound. Rows come in the order of the store's
// adjacency. Held in memory: the steps of one node.

#include "query/execute/read/operators.hpp"
#include "query/execute/read/step_filter.hpp"

namespace cairn::query {
namespace {

// Reads the adjacency of one node at a time, of the pattern's types alone; where the other end is
// bound, only the relationships between the two.
class ExpandOperator final : public FanOutOperator {
 public:
  ExpandOperator(const Expand& content, Parts parts)
      : FanOutOperator(parts.context, std::move(parts.input), parts.width),
        walk_(content.walk),
        filter_(parts.context.graph, content.walk),
        held_(parts.context.budget) {}

 protected:
  /// A null start (from OPTIONAL MATCH) gives no rows; anything else that is not a node is a type
  /// error.
  Status begin(Row row) override {
    forget_steps();
    CAIRN_TRY(filter_.refresh());
    if (!filter_.can_match()) return {};
    CAIRN_ASSIGN(const auto from, node_in(row, walk_.from, walk_.from_name));
    if (!from) return {};
    if (!walk_.to_is_bound) return expand(*from);
    CAIRN_ASSIGN(const auto to, node_in(row, walk_.to, walk_.to_name));
    if (!to) return {};
    return graph().expand_into(*from, *to, filter_.direction(), filter_.types(), steps_);
  }

  /// A step is left out if its relationship or node may not be seen, or if the MATCH has it
  /// already.
  Result<bool> emit(Row row, RowBatch& out) override {
    const std::size_t first = next_;
    for (; next_ < steps_.size() && !out.full(); ++next_) {
      const engine::Adjacent& step = steps_[next_];
      if (!filter_.sees(step) || !filter_.is_new(step.relationship, row)) continue;
      CAIRN_ASSIGN(const Row made, out.append(row));
      made[walk_.pattern->slot] = Relationship(RelationshipId{step.relationship});
      made[walk_.to] = Node(NodeId{step.other});
    }
    own_meter().ids_touched += next_ - first;
    CAIRN_TRY(budget().step(next_ - first));
    return next_ < steps_.size();
  }

 private:
  // A node with very many relationships leaves no memory to those behind it.
  void forget_steps() {
    if (steps_.capacity() > RowBatch::capacity) steps_ = {};
    steps_.clear();
    held_.clear();
    next_ = 0;
  }

  Status expand(std::uint64_t from) {
    CAIRN_TRY(graph().expand(from, filter_.direction(), filter_.types(), steps_));
    return held_.add_bytes(steps_.capacity() * sizeof(engine::Adjacent));
  }

  const Walk& walk_;
  StepFilter filter_;
  std::vector<engine::Adjacent> steps_;
  std::size_t next_ = 0;
  Holding held_;  // of steps_
};

}  // namespace

OperatorPtr make_operator(const Expand& content, Parts parts) {
  return std::make_unique<ExpandOperator>(content, std::move(parts));
}

}  // namespace cairn::query
