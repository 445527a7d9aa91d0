// SET and REMOVE.
// Items in the order of the text, each on the graph as the one before has left it: SET n.a = 1, n.b
// = n.a sets both. Rows one after the other. Target first, then the value.

#include "query/execute/write/eager_operator.hpp"
#include "query/execute/write/set_items.hpp"
#include "query/plan/operator_content.hpp"

namespace cairn::query {
namespace {

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
      return editor.add_labels(target, item.labels);
    case SetItem::Kind::remove_labels:
      return editor.remove_labels(target, item.labels);
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

// Also called by MERGE for ON CREATE and ON MATCH. An error without a place gets the item's.
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

}  // namespace cairn::query
