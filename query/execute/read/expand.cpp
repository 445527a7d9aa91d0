// One step along relationships, from a bound node.
// Expand (a)-[r:T]->(b) and ExpandInto, where b is bound. Rows come in the order of the store's
// adjacency. Held in memory: the steps of one node.

#include "query/execute/operators.hpp"
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
        filter_(parts.context.graph, content.walk) {}

 protected:
  /// A null start (from OPTIONAL MATCH) gives no rows; anything else that is no node is a type
  /// error.
  Status begin(Row row) override {
    steps_.clear();
    next_ = 0;
    CAIRN_TRY(filter_.refresh());
    if (!filter_.can_match()) return {};
    CAIRN_ASSIGN(const auto from, node_in(row, walk_.from, walk_.from_name));
    if (!from) return {};
    if (!walk_.to_is_bound)
      return graph().view().expand(*from, filter_.direction(), filter_.types(), steps_);
    CAIRN_ASSIGN(const auto to, node_in(row, walk_.to, walk_.to_name));
    if (!to) return {};
    return graph().view().expand_into(*from, *to, filter_.direction(), filter_.types(), steps_);
  }

  /// A step is left out if its relationship or node may not be seen, or if the MATCH has it
  /// already.
  Result<bool> emit(Row row, RowBatch& out, std::size_t limit) override {
    const std::size_t first = next_;
    for (; next_ < steps_.size() && out.size() < limit; ++next_) {
      const engine::Adjacent& step = steps_[next_];
      if (!filter_.sees(step) || !filter_.is_new(step.relationship, row)) continue;
      Row made = out.append(row);
      made[walk_.pattern->slot] = Relationship(RelationshipId{step.relationship});
      made[walk_.to] = Node(NodeId{step.other});
    }
    own_meter().ids_touched += next_ - first;
    CAIRN_TRY(budget().step(next_ - first));
    return next_ < steps_.size();
  }

 private:
  const Walk& walk_;
  StepFilter filter_;
  std::vector<engine::Adjacent> steps_;
  std::size_t next_ = 0;
};

}  // namespace

OperatorPtr make_operator(const Expand& content, Parts parts) {
  return std::make_unique<ExpandOperator>(content, std::move(parts));
}

}  // namespace cairn::query
