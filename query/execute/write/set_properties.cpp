// SET and REMOVE.
// Items in the order of the text, each on the graph as the one before has left it: SET n.a = 1, n.b
// = n.a sets both. Rows one after the other. Target first, then the value.

#include "query/execute/write/eager_operator.hpp"
#include "query/execute/write/set_items.hpp"
#include "query/functions/call.hpp"
#include "query/plan/operator_content.hpp"

#include <string>
#include <vector>

namespace cairn::query {
namespace {

/// Names, and the elements of lists of them.
Status add_label_names(const List& values, std::vector<std::string>& names) {
  for (const Value& value : values) {
    if (value.list() != nullptr) {
      CAIRN_TRY(add_label_names(value.as_list(), names));
    } else if (value.string() != nullptr) {
      names.push_back(value.as_string());
    } else {
      return Error{
          ErrorCode::type_error,
          "a label is a string that is not empty, or a list of such, got " + described(value),
          std::nullopt};
    }
  }
  return {};
}

/// Those of the text, and those by value.
Result<std::vector<std::string>> label_names(const SetItem& item, const Value& values) {
  std::vector<std::string> names = item.labels;
  if (item.value) CAIRN_TRY(add_label_names(values.as_list(), names));
  return names;
}

Status apply_labels(const SetItem& item, const Value& target, const Value& values,
                    GraphEditor& editor) {
  CAIRN_ASSIGN(const std::vector<std::string> names, label_names(item, values));
  return item.kind == SetItem::Kind::labels ? editor.add_labels(target, names)
                                            : editor.remove_labels(target, names);
}

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
