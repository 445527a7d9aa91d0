#include "query/execute/expression/ready_columns.hpp"

#include "query/execute/holding.hpp"

namespace cairn::query {

bool is_light(const BatchColumn& column) {
  constexpr std::size_t short_text = 1'024;
  if (column.form() == BatchColumn::Form::values) return false;
  if (column.form() != BatchColumn::Form::constant) return true;
  const std::string* const text = column.only().string();
  return text != nullptr ? text->size() <= short_text : !Holding::has_content(column.only());
}

// A parameter that was not given is an error where rows are evaluated.
const BatchColumn* ReadyColumns::of(const Expression& expression) {
  switch (expression.kind) {
    case ExpressionKind::variable:
      return &batch_.column(expression.slot);
    case ExpressionKind::property: {
      const Expression& owner = *expression.children[0];
      if (owner.kind != ExpressionKind::variable) return nullptr;
      return properties_.column(owner.slot, expression.name);
    }
    case ExpressionKind::literal:
      return &constants_.emplace_back(BatchColumn::constant(expression.value));
    case ExpressionKind::parameter: {
      const auto found = parameters_.find(expression.name);
      if (found == parameters_.end()) return nullptr;
      return &constants_.emplace_back(BatchColumn::constant(found->second));
    }
    default:
      return nullptr;
  }
}

}  // namespace cairn::query
