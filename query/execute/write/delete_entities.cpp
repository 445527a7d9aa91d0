// DELETE and DETACH DELETE. Targets of all rows are collected first; relationships go before nodes,
// so that the order of targets and rows does not matter.
// DELETE of a node that still has relationships, after all targets are gone, is an error of the
// engine's; it ends the statement. Held in memory: rows, and the ids of the targets. Entities stay
// in the rows as ids; what may be asked of them afterwards is openCypher's DeletedEntityAccess.

#include "query/execute/write/eager_operator.hpp"
#include "query/plan/operator_content.hpp"

#include <string>

namespace cairn::query {
namespace {

// Sets of ids hold each target once, however many rows name it.
class DeleteEntitiesOperator final : public EagerOperator {
 public:
  DeleteEntitiesOperator(const DeleteEntities& content, Parts parts)
      : EagerOperator(std::move(parts)), clause_(*content.clause) {}

 protected:
  /// Only collects. Null targets, as OPTIONAL MATCH gives, are nothing to delete.
  Status apply(Row row) override {
    for (const ExpressionPtr& target : clause_.targets) {
      CAIRN_ASSIGN(const Value value, evaluator().evaluate(*target, row));
      CAIRN_TRY(collect(value, target->where));
    }
    return {};
  }

  /// Relationships first, those of the nodes (DETACH) and those named, then nodes; each once.
  Status finish() override {
    if (clause_.detach)
      for (std::uint64_t node : nodes_.to_vector())
        CAIRN_TRY(editor().find_attached(node, relationships_));
    CAIRN_TRY(load_relationships());
    for (std::uint64_t id : relationships_.to_vector()) {
      CAIRN_TRY(editor().erase_relationship(id));
      CAIRN_TRY(note_change());
    }
    for (std::uint64_t node : nodes_.to_vector()) {
      CAIRN_TRY(erase(node));
      CAIRN_TRY(note_change());
    }
    nodes_ = relationships_ = {};
    return {};
  }

 private:
  /// Deleting is many changes to a row, or none.
  Status note_change() {
    CAIRN_TRY(budget().step(16));
    return context_.charge_changes();
  }

  Status erase(std::uint64_t node) {
    const Status erased = editor().erase_node(node);
    if (erased || erased.error().code != ErrorCode::conflict) return erased;
    return Error{ErrorCode::conflict,
                 "node " + std::to_string(node) +
                     " still has relationships, which DELETE would leave without an end; write "
                     "DETACH DELETE to delete them too, or delete them in the same clause",
                 clause_.targets.front()->where};
  }

  /// Sets, as rows may name the same entity often. Null is nothing to delete; a path is all that it
  /// has.
  Status collect(const Value& value, const TextRange& where) {
    if (value.is_null()) return {};
    if (const auto entity = entity_of(value)) {
      (entity->kind == codec::EntityKind::node ? nodes_ : relationships_).add(entity->id);
      return {};
    }
    const Path* path = value.path();
    if (path == nullptr)
      return Error{ErrorCode::type_error,
                   "DELETE needs nodes, relationships or paths, got a " +
                       std::string(to_string(value.type())),
                   where};
    for (const Node& node : path->nodes) nodes_.add(node.id().value);
    for (const Relationship& step : path->relationships) relationships_.add(step.id().value);
    return {};
  }

  // The type of a relationship can be asked for after it is gone, so it is kept in every row that
  // has it: one row's target may be another row's variable.
  Status load_relationships() {
    if (relationships_.empty()) return {};
    for (RowBatch& batch : gathered())
      for (std::size_t row = 0; row < batch.size(); ++row)
        CAIRN_TRY(load_relationships(batch[row]));
    return {};
  }

  Status load_relationships(Row row) {
    for (Value& value : row)
      if (value.type() == ValueType::relationship &&
          relationships_.contains(value.as_relationship().id().value)) {
        CAIRN_ASSIGN(value, graph().load(value));
      }
    return {};
  }

  const DeleteClause& clause_;
  codec::Bitmap nodes_;
  codec::Bitmap relationships_;
};

}  // namespace

OperatorPtr make_operator(const DeleteEntities& content, Parts parts) {
  return std::make_unique<DeleteEntitiesOperator>(content, std::move(parts));
}

}  // namespace cairn::query
