// Scans relationships that pass a filter, or takes a bound relationship, and binds both ends:
//    ScanRelationships (a)-[r:T]->(b)   all relationships that pass the filter; each record is read
//    FindEnds                           the bound relationship, to find its two ends

#include "codec/record.hpp"
#include "query/execute/filter/filter_evaluator.hpp"
#include "query/execute/read/nearest_first.hpp"
#include "query/execute/read/operators.hpp"
#include "query/execute/read/path_steps.hpp"

#include <array>
#include <optional>

namespace cairn::query {
namespace {

// The record has both ends of a relationship. Without a direction, a relationship matches in both
// directions, but a self-loop only once.
class ScanRelationshipsOperator final : public FanOutOperator {
 public:
  ScanRelationshipsOperator(const ScanRelationships& content, Parts parts)
      : FanOutOperator(parts.context, std::move(parts.input), parts.width),
        content_(content),
        walk_(content.walk),
        filter_(parts.context.evaluator, content.filter),
        steps_(parts.context.graph, content.walk) {
    if (content.nearest)
      nearest_.emplace(context_, *content.nearest, codec::EntityKind::relationship);
  }

 protected:
  /// A bound relationship must pass the filter too, because it may have another type.
  Status begin(Row row) override {
    CAIRN_TRY(steps_.refresh());
    CAIRN_ASSIGN(const FilterEvaluator::Found* found, filter_.find(row));
    recheck_ = found->recheck;
    ids_ = content_.is_bound ? only(row, found->ids) : found->ids;
    cursor_.emplace(ids_);
    is_nearest_first_ = false;
    if (nearest_) {
      CAIRN_ASSIGN(is_nearest_first_, nearest_->begin(ids_));
    }
    return {};
  }

  Result<bool> emit(Row row, RowBatch& out) override {
    std::array<std::uint64_t, RowBatch::capacity> ids;
    const std::size_t first = out.size();
    // Each relationship may return two rows.
    const std::size_t wanted = std::max<std::size_t>(1, out.room_for(row) / 2);
    CAIRN_ASSIGN(const std::size_t count, next_ids(std::span(ids).first(wanted)));
    for (std::size_t i = 0; i < count; ++i) CAIRN_TRY(add(ids[i], row, out));
    CAIRN_TRY(budget().step(count));
    CAIRN_TRY(keep_passing(context_, recheck_, out, first));
    return count > 0;
  }

 private:
  Result<std::size_t> next_ids(std::span<std::uint64_t> ids) {
    if (is_nearest_first_) return nearest_->next(ids);
    return cursor_->next(ids);
  }

  /// Null, or a value that is not a relationship, matches nothing.
  codec::Bitmap only(Row row, const codec::Bitmap& ids) const {
    const auto* bound = row[walk_.pattern->slot].get_if<Relationship>();
    codec::Bitmap one;
    if (bound != nullptr && ids.contains(bound->id().value)) one.add(bound->id().value);
    return one;
  }

  /// For (a)-[r]->(b), a is the source. If the step is walked in reverse, a is the target.
  Status add(std::uint64_t id, Row row, RowBatch& out) {
    if (!steps_.is_new(id, row)) return {};
    CAIRN_ASSIGN(const auto record, graph().relationship(id));
    if (!record) return {};
    const std::uint64_t source = record->source;
    const std::uint64_t target = record->target;
    if (!steps_.sees_node(source) || !steps_.sees_node(target)) return {};
    const engine::Direction direction = steps_.direction();
    if (direction != engine::Direction::incoming) CAIRN_TRY(add(id, source, target, row, out));
    const bool is_second_way = direction == engine::Direction::both && source != target;
    if (direction == engine::Direction::incoming || is_second_way)
      return add(id, target, source, row, out);
    return {};
  }

  /// Bound ends must equal those in the row, and a pattern (a)-->(a) matches only self-loops.
  Status add(std::uint64_t id, std::uint64_t from, std::uint64_t to, Row row, RowBatch& out) const {
    const Value from_node = Node(NodeId{from});
    const Value to_node = Node(NodeId{to});
    if (content_.from_is_bound && !(row[walk_.from] == from_node)) return {};
    if (walk_.from == walk_.to ? from != to : walk_.to_is_bound && !(row[walk_.to] == to_node))
      return {};
    CAIRN_ASSIGN(const Row made, out.append(row));
    made[walk_.pattern->slot] = Relationship(RelationshipId{id});
    made[walk_.from] = from_node;
    made[walk_.to] = to_node;
    return {};
  }

  const ScanRelationships& content_;
  const Walk& walk_;
  FilterEvaluator filter_;
  StepFilter steps_;
  codec::Bitmap ids_;
  std::vector<const Expression*> recheck_;
  std::optional<codec::IdCursor> cursor_;
  std::optional<NearestFirst> nearest_;
  bool is_nearest_first_ = false;
};

}  // namespace

OperatorPtr make_operator(const ScanRelationships& content, Parts parts) {
  return std::make_unique<ScanRelationshipsOperator>(content, std::move(parts));
}

}  // namespace cairn::query
