// Changes existing records: SET, REMOVE and DELETE.

#include "query/execute/write/eager_operator.hpp"
#include "query/execute/write/operators.hpp"
#include "query/functions/call.hpp"
#include "query/functions/label_names.hpp"
#include "query/plan/operator_content.hpp"

#include <string>
#include <vector>

namespace cairn::query {

// SET and REMOVE apply their items in the order of the text. Each item sees the changes of the
// items before it: SET n.a = 1, n.b = n.a sets both properties. Rows are processed one after the
// other. The target is evaluated before the value.

namespace {

/// Returns the labels in the text and those given by value.
Result<std::vector<std::string>> names_of(const SetItem& item, const Value& values) {
  return item.value ? label_names(item.labels, values.as_list())
                    : Result<std::vector<std::string>>(item.labels);
}

Status apply_labels(const SetItem& item, const Value& target, const Value& values,
                    GraphEditor& editor) {
  CAIRN_ASSIGN(const std::vector<std::string> names, names_of(item, values));
  return item.kind == SetItem::Kind::labels ? editor.add_labels(target, names)
                                            : editor.remove_labels(target, names);
}

// REMOVE of a property is SET with null, because such an item has no value.
Status apply_item(const SetItem& item, ExecutionContext& context, GraphEditor& editor, Row row) {
  CAIRN_ASSIGN(const Value target, context.evaluator.evaluate(*item.target, row));
  Value value;
  if (item.value) {
    CAIRN_ASSIGN(value, context.evaluator.evaluate(*item.value, row));
  }
  switch (item.kind) {
    case SetItem::Kind::property:
    case SetItem::Kind::remove_property:
      return editor.set_property(target, item.property, value);
    case SetItem::Kind::expiry:
      return editor.set_expiry(target, value);
    case SetItem::Kind::replace_all:
      return editor.replace_properties(target, value);
    case SetItem::Kind::merge_all:
      return editor.merge_properties(target, value);
    case SetItem::Kind::labels:
    case SetItem::Kind::remove_labels:
      return apply_labels(item, target, value, editor);
  }
  return {};
}

class SetPropertiesOperator final : public EagerOperator {
 public:
  SetPropertiesOperator(const SetProperties& content, Parts parts)
      : EagerOperator(std::move(parts)), items_(content.clause->items) {}

 protected:
  Status apply(Row row) override { return apply_items(items_, context_, editor(), row); }

 private:
  const std::vector<SetItem>& items_;
};

}  // namespace

// Also used by MERGE for ON CREATE and ON MATCH. An error without a position gets the position of
// the item.
Status apply_items(const std::vector<SetItem>& items, ExecutionContext& context,
                   GraphEditor& editor, Row row) {
  for (const SetItem& item : items) {
    Status status = apply_item(item, context, editor, row);
    if (!status && !status.error().where)
      status.error().where = (item.value ? item.value : item.target)->where;
    CAIRN_TRY(std::move(status));
  }
  return {};
}

OperatorPtr make_operator(const SetProperties& content, Parts parts) {
  return std::make_unique<SetPropertiesOperator>(content, std::move(parts));
}

// DELETE and DETACH DELETE. The targets of all rows are collected in sets of ids first.
// Relationships are deleted before nodes, so the order of targets and rows does not matter. Without
// DETACH, only relationships that the statement does not see are deleted together with their node.
// If the node has further relationships, the engine reports an error, which ends the statement. The
// rows and the ids are held in memory. Rows keep the ids of deleted entities, and reading such an
// entity later is an error (openCypher: DeletedEntityAccess).

namespace {

class DeleteEntitiesOperator final : public EagerOperator {
 public:
  DeleteEntitiesOperator(const DeleteEntities& content, Parts parts)
      : EagerOperator(std::move(parts)), clause_(*content.clause) {}

 protected:
  /// Only collects the targets. A null target, as from OPTIONAL MATCH, is ignored.
  Status apply(Row row) override {
    for (const ExpressionPtr& target : clause_.targets) {
      CAIRN_ASSIGN(const Value value, evaluator().evaluate(*target, row));
      CAIRN_TRY(collect(value, target->where));
    }
    return {};
  }

  /// Deletes each entity once: first the relationships that are targets, then those of the deleted
  /// nodes, then the nodes.
  Status finish() override {
    const Attached which = clause_.detach ? Attached::all : Attached::hidden;
    for (std::uint64_t node : nodes_.to_vector())
      CAIRN_TRY(editor().find_attached(node, which, attached_));
    CAIRN_TRY(load_relationships());
    for (std::uint64_t id : relationships_.to_vector()) {
      CAIRN_TRY(editor().erase_relationship(id));
      CAIRN_TRY(note_change());
    }
    for (std::uint64_t id : attached_.to_vector()) {
      CAIRN_TRY(editor().erase_attached(id));
      CAIRN_TRY(note_change());
    }
    for (std::uint64_t node : nodes_.to_vector()) {
      CAIRN_TRY(erase(node));
      CAIRN_TRY(note_change());
    }
    nodes_ = relationships_ = attached_ = {};
    return {};
  }

 private:
  /// Checks limits after each change, because a single row may delete many records.
  Status note_change() {
    CAIRN_TRY(budget().step(16));
    return context_.charge_changes();
  }

  // Explains the engine's conflict error in terms of the statement.
  Status erase(std::uint64_t node) {
    const Status erased = editor().erase_node(node);
    if (erased || erased.error().code != ErrorCode::conflict) return erased;
    return Error{ErrorCode::conflict,
                 "node " + std::to_string(node) +
                     " still has relationships, which DELETE would leave without an end; write "
                     "DETACH DELETE to delete them too, or delete them in the same clause",
                 clause_.targets.front()->where};
  }

  /// Uses sets, because rows may name the same entity often. A path stands for all its nodes and
  /// relationships.
  Status collect(const Value& value, const TextRange& where) {
    if (value.is_null()) return {};
    if (const auto entity = entity_of(value)) {
      (entity->kind == codec::EntityKind::node ? nodes_ : relationships_).add(entity->id);
      return {};
    }
    const Path* path = value.path();
    if (path == nullptr)
      return Error{ErrorCode::type_error,
                   "DELETE needs nodes, relationships or paths, got " + described(value), where};
    for (const Node& node : path->nodes) nodes_.add(node.id().value);
    for (const Relationship& step : path->relationships) relationships_.add(step.id().value);
    return {};
  }

  // A variable of a row keeps the content of its relationship, so that a row can return what was
  // deleted. The target of one row may be a variable of another row.
  Status load_relationships() {
    if (relationships_.empty() && attached_.empty()) return {};
    for (RowBatch& batch : gathered())
      for (std::size_t row = 0; row < batch.size(); ++row)
        CAIRN_TRY(load_relationships(batch[row]));
    return {};
  }

  [[nodiscard]] bool goes(std::uint64_t relationship) const {
    return relationships_.contains(relationship) || attached_.contains(relationship);
  }

  Status load_relationships(Row row) {
    for (Value& value : row)
      if (value.type() == ValueType::relationship && goes(value.as_relationship().id().value)) {
        CAIRN_ASSIGN(value, graph().load(value));
      }
    return {};
  }

  const DeleteClause& clause_;
  codec::Bitmap nodes_;
  codec::Bitmap relationships_;
  codec::Bitmap attached_;  // relationships that are deleted because their nodes are
};

}  // namespace

OperatorPtr make_operator(const DeleteEntities& content, Parts parts) {
  return std::make_unique<DeleteEntitiesOperator>(content, std::move(parts));
}

}  // namespace cairn::query
