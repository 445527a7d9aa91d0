// Converts a filter to the expression that the same condition has in a statement, so that one planner and one
// evaluator handle both. Called when a statement is bound, and by filter_ids(). The second half of the file splits a
// filter into its form and its operands.
#include "query/bind/filter_expression.hpp"

#include "query/builtins/registry.hpp"
#include "query/filter/filter_operators.hpp"

#include <string>
#include <utility>

namespace cairn::query {
namespace {

/// Builds the expression. Recursion is as deep as the filter, which its reader limits to 64 levels.
class ExpressionMaker {
 public:
  explicit ExpressionMaker(const FilterFrame& frame) : frame_(frame) {}

  Result<ExpressionPtr> make(const Filter& filter, Slot owner) {
    switch (filter.op) {
      case FilterOperator::all:
        return group(filter, owner, ExpressionKind::logical_and);
      case FilterOperator::any:
        return group(filter, owner, ExpressionKind::logical_or);
      case FilterOperator::none:
        return none(filter, owner);
      case FilterOperator::at_least:
        return at_least(filter, owner);
      case FilterOperator::has_label:
        return has_label(filter, owner);
      case FilterOperator::has_id:
        return has_id(filter, owner);
      default:
        return condition(filter, owner);
    }
  }

 private:
  ExpressionPtr make(ExpressionKind kind) const {
    auto result = std::make_unique<Expression>();
    result->kind = kind;
    result->where = frame_.where;
    return result;
  }
  ExpressionPtr literal(Value value) const {
    auto result = make(ExpressionKind::literal);
    result->value = std::move(value);
    return result;
  }
  ExpressionPtr variable(Slot slot) const {
    auto result = make(ExpressionKind::variable);
    result->slot = slot;
    return result;
  }

  Status add_parts(const Filter& filter, Slot owner, Expression& result) {
    for (const Filter& one : filter.filters) {
      CAIRN_ASSIGN(ExpressionPtr part, make(one, owner));
      result.children.push_back(std::move(part));
    }
    return {};
  }

  // AND of no conditions is true, and OR of no conditions is false.
  Result<ExpressionPtr> group(const Filter& filter, Slot owner, ExpressionKind kind) {
    if (filter.filters.empty()) return literal(kind == ExpressionKind::logical_and);
    if (filter.filters.size() == 1) return make(filter.filters.front(), owner);
    ExpressionPtr result = make(kind);
    CAIRN_TRY(add_parts(filter, owner, *result));
    return result;
  }

  /// NOT of several filters is the negation of their OR.
  Result<ExpressionPtr> none(const Filter& filter, Slot owner) {
    ExpressionPtr result = make(ExpressionKind::logical_not);
    CAIRN_ASSIGN(ExpressionPtr any, group(filter, owner, ExpressionKind::logical_or));
    result->children.push_back(std::move(any));
    return result;
  }

  Result<ExpressionPtr> at_least(const Filter& filter, Slot owner) {
    ExpressionPtr result = make(ExpressionKind::at_least);
    result->children.push_back(literal(filter.value));
    CAIRN_TRY(add_parts(filter, owner, *result));
    return result;
  }

  // Only records have labels, so has_label is an error inside of any_element.
  Result<ExpressionPtr> has_label(const Filter& filter, Slot owner) {
    if (levels_ > 0)
      return Error{ErrorCode::invalid_argument,
                   "has_label needs a record; an element of a list has no labels", frame_.where};
    ExpressionPtr result = make(ExpressionKind::has_label);
    result->name = filter.value.as_string();
    result->children.push_back(variable(owner));
    return result;
  }

  /// Makes id(record) IN ids.
  Result<ExpressionPtr> has_id(const Filter& filter, Slot owner) {
    if (levels_ > 0)
      return Error{ErrorCode::invalid_argument,
                   "has_id needs a record; an element of a list has no id", frame_.where};
    ExpressionPtr id = make(ExpressionKind::function_call);
    id->function = find_function("id");
    id->children.push_back(variable(owner));
    ExpressionPtr result = make(ExpressionKind::in);
    result->children.push_back(std::move(id));
    result->children.push_back(operand_of(filter));
    return result;
  }

  /// A single id becomes a list with one id.
  ExpressionPtr operand_of(const Filter& filter) const {
    if (frame_.operand) return frame_.operand();
    const bool is_one = filter.op == FilterOperator::has_id && filter.value.list() == nullptr;
    return literal(is_one ? Value(List{filter.value}) : filter.value);
  }

  /// Uses filter_test and not a comparison operator: a filter is never null, and a missing field is not equal to any
  /// value.
  Result<ExpressionPtr> condition(const Filter& filter, Slot owner) {
    ExpressionPtr result = make(ExpressionKind::filter_test);
    result->test = filter.op;
    result->flag = filter.coerce;
    result->normalize = filter.normalize;
    result->children.push_back(variable(owner));
    CAIRN_ASSIGN(result->names, parse_field_path(filter.field));
    if (filter.op == FilterOperator::any_element) {
      CAIRN_TRY(add_element(filter, *result));
    } else if (takes_value(filter.op)) {
      result->children.push_back(operand_of(filter));
    }
    return result;
  }

  /// Inside of any_element, fields belong to the element, which has a slot of its own.
  Status add_element(const Filter& filter, Expression& result) {
    ++levels_;
    result.slot = frame_.allocate();
    CAIRN_ASSIGN(ExpressionPtr part, group(filter, result.slot, ExpressionKind::logical_and));
    result.children.push_back(std::move(part));
    --levels_;
    return {};
  }

  const FilterFrame& frame_;
  std::size_t levels_ = 0;  ///< nesting of any_element around the current filter
};

}  // namespace

Result<ExpressionPtr> filter_expression(const Filter& filter, Slot owner,
                                        const FilterFrame& frame) {
  return ExpressionMaker(frame).make(filter, owner);
}

namespace {

// Key of a form:
//
//    form := operator flags ( number "{" form* "}" | length ":" name )
//
// Names are prefixed by their length, so the end of each name is known.
class FormMaker {
 public:
  // Appends the form of one filter and collects its operands. Labels and the number of at_least belong to the form.
  void add(const Filter& filter) {
    form_.key += static_cast<char>('A' + static_cast<int>(filter.op));
    form_.key += static_cast<char>('0' + (filter.coerce ? 1 : 0) + (filter.normalize ? 2 : 0));
    if (filter.op == FilterOperator::has_label) return add_name(filter.value.as_string());
    if (filter.op == FilterOperator::at_least) add_name(filter.value.to_text());
    if (!is_group(filter.op)) add_name(filter.field);
    if (is_group(filter.op) || filter.op == FilterOperator::any_element) return add_parts(filter);
    if (takes_value(filter.op)) form_.operands.push_back(operand_of(filter));
  }

  FilterForm take() { return std::move(form_); }

 private:
  /// A single id becomes a list with one id, as in ExpressionMaker.
  static Value operand_of(const Filter& filter) {
    const bool is_one = filter.op == FilterOperator::has_id && filter.value.list() == nullptr;
    return is_one ? Value(List{filter.value}) : filter.value;
  }
  void add_name(std::string_view name) {
    form_.key += std::to_string(name.size()) + ":";
    form_.key += name;
  }

  void add_parts(const Filter& filter) {
    form_.key += "{";
    for (const Filter& part : filter.filters) add(part);
    form_.key += "}";
  }

  FilterForm form_;
};

}  // namespace

FilterForm form_of(const Filter& filter) {
  FormMaker maker;
  maker.add(filter);
  return maker.take();
}

std::string operand_name(std::string_view parameter, std::size_t place) {
  return std::string(parameter) + "." + std::to_string(place);
}

}  // namespace cairn::query
