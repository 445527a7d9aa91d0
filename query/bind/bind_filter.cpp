// Filters in a statement: filter.*(record.path, value), matches_filter(record, filter) and at_least(number,
// conditions). These calls become ordinary conditions, so the planner can use indexes for them.
//
// A filter as a value must be known when the statement is bound. So a statement with a filter in a parameter is bound
// twice: with `true` in place of the filter when it is parsed, and again for each form of filter that a run passes.
// Then the operands of the filter become parameters; see FilterForm.

#include "query/bind/binder.hpp"
#include "query/bind/filter_expression.hpp"
#include "query/filter/filter_operators.hpp"
#include "query/syntax/lexical.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace cairn::query {
namespace {

constexpr std::string_view operator_prefix = "filter.";

// Returns the key of a suffix .name or ['name']. Other subscripts, such as m[$key], are refused, because the index is
// chosen before the value of $key is known.
std::optional<std::string> constant_key(const ast::Suffix& suffix) {
  if (const auto* name = std::get_if<ast::Name>(&suffix.content)) return name->text;
  const auto* subscript = std::get_if<ast::Subscript>(&suffix.content);
  if (subscript == nullptr || subscript->end.is_present) return std::nullopt;
  const auto* literal = subscript->from.get_if<ast::Literal>();
  const auto* text = literal != nullptr ? std::get_if<std::string>(&literal->value) : nullptr;
  return text != nullptr ? std::optional(*text) : std::nullopt;
}

}  // namespace

// These functions return booleans. They are not in the registry, because their first argument is a field and not a
// value.
Result<std::optional<Typed>> Binder::bind_filter_call(const ast::FunctionCall& call,
                                                      const ast::Expression& whole) {
  const std::string name = lexical::lower_case(call.name.text);
  const bool is_test = name.starts_with(operator_prefix);
  if (!is_test && name != "matches_filter" && name != "at_least") return std::optional<Typed>();
  if (call.is_distinct)
    return error(call.name,
                 "DISTINCT is for aggregating functions, and `" + call.name.text + "` is not one");
  auto bound = is_test              ? bind_filter_test(call, name, whole)
               : name == "at_least" ? bind_at_least(call, whole)
                                    : bind_matches_filter(call, whole);
  if (!bound) return std::move(bound).error();
  return std::optional(Typed{std::move(bound).value(), TypeKind::boolean});
}

// Members of the result: children are the owner and the operand, if the operator takes one; `names` is the path;
// `slot` is the element of any_element. `flag` and `normalize` are the options coerce and normalize.
Result<ExpressionPtr> Binder::bind_filter_test(const ast::FunctionCall& call, std::string_view name,
                                               const ast::Expression& whole) {
  const std::string_view operator_name = name.substr(operator_prefix.size());
  const auto op = find_operator(operator_name);
  if (!op || is_group(*op) || *op == FilterOperator::has_label || *op == FilterOperator::has_id)
    return error(call.name, unsupported_operator(operator_name).message);
  const bool has_value = takes_value(*op) || *op == FilterOperator::any_element;
  const std::size_t least = has_value ? 2 : 1;
  const std::size_t most = least + (can_normalize(*op) ? 1 : 0);
  if (call.arguments.size() < least || call.arguments.size() > most)
    return error(call.name,
                 call.name.text + "() takes " +
                     (has_value ? "a field such as m.tags and a value" : "a field such as m.tags"));
  auto result = make(ExpressionKind::filter_test, whole);
  result->test = *op;
  CAIRN_TRY(bind_field(call.arguments[0], *result));
  if (*op == FilterOperator::any_element) {
    CAIRN_TRY(bind_element_filter(call.arguments[1], *result));
  } else if (has_value) {
    CAIRN_TRY(bind_filter_operand(call, *result));
  }
  return result;
}

// Splits a field such as m.a.b or m['a.b'] into its owner and its path, without evaluating the field.
Status Binder::bind_field(const ast::Expression& field, Expression& test) {
  const auto* chain = field.get_if<ast::SuffixChain>();
  if (chain == nullptr) return error(field, "a field is expected here, such as m.tags or m['a.b']");
  for (const ast::Suffix& suffix : chain->suffixes) {
    auto key = constant_key(suffix);
    if (!key) return error(suffix, "a field's path has names only, such as m.tags or m['a.b']");
    test.names.push_back(std::move(*key));
  }
  CAIRN_ASSIGN(Typed owner, bind(chain->base));
  if (!owner.type.is_open() && !owner.type.is_entity() && !owner.type.is(TypeKind::map))
    return wrong_type(chain->base, owner.type, "a node, a relationship or a map");
  test.children.push_back(std::move(owner.expression));
  return {};
}

// A literal is checked here, and a parameter when the statement runs.
Status Binder::bind_filter_operand(const ast::FunctionCall& call, Expression& test) {
  CAIRN_ASSIGN(auto operand, bind_untyped(call.arguments[1]));
  if (operand->kind == ExpressionKind::literal) {
    const Status status = check_operand(test.test, operand->value);
    if (!status) return error(call.arguments[1], status.error().message);
  }
  test.children.push_back(std::move(operand));
  if (call.arguments.size() < 3) return {};
  return bind_filter_options(call.arguments[2], test);
}

// The options must be constants, such as {coerce: true, normalize: true}, because they decide which index is used.
Status Binder::bind_filter_options(const ast::Expression& argument, Expression& test) {
  CAIRN_ASSIGN(const auto bound, bind_untyped(argument));
  const bool is_written =
      bound->kind == ExpressionKind::map || bound->kind == ExpressionKind::literal;
  if (is_written) {
    CAIRN_ASSIGN(const auto options, constant_value(*bound, argument));
    if (options && options->map() != nullptr)
      return set_filter_options(*options->map(), argument, test);
  }
  return error(argument, "options are expected here: {coerce: true} or {normalize: true}");
}

// Sets `coerce` and `normalize`; each must be a boolean that the operator supports.
Status Binder::set_filter_options(const Map& options, const ast::Expression& argument,
                                  Expression& test) {
  for (const auto& [name, value] : options) {
    const bool is_coerce = name == "coerce";
    if (!is_coerce && name != "normalize")
      return error(argument,
                   "a filter has only the options coerce and normalize, not `" + name + "`");
    const Status status =
        read_option(test.test, name, value, is_coerce ? test.flag : test.normalize);
    if (!status) return error(argument, status.error().message);
  }
  return {};
}

// The condition on the element uses a slot of its own, as the condition of any() does.
Status Binder::bind_element_filter(const ast::Expression& argument, Expression& test) {
  test.slot = scope_->allocate();
  CAIRN_ASSIGN(auto condition, bind_constant_filter(argument, test.slot));
  test.children.push_back(std::move(condition));
  return {};
}

// A constant filter becomes ordinary conditions, which indexes can answer.
Result<ExpressionPtr> Binder::bind_matches_filter(const ast::FunctionCall& call,
                                                  const ast::Expression& whole) {
  if (call.arguments.size() != 2)
    return error(call.name, "matches_filter(record, filter) takes 2 arguments, not " +
                                std::to_string(call.arguments.size()));
  CAIRN_ASSIGN(Typed owner, bind(call.arguments[0]));
  if (!owner.type.is_open() && !owner.type.is_entity() && !owner.type.is(TypeKind::map))
    return wrong_type(call.arguments[0], owner.type, "a node, a relationship or a map");
  if (owner.expression->kind == ExpressionKind::variable)
    return bind_constant_filter(call.arguments[1], owner.expression->slot);
  // Evaluates the owner once, into a slot of its own.
  return with_value(std::move(owner.expression), whole,
                    [&](Slot slot) { return bind_constant_filter(call.arguments[1], slot); });
}

// While the parameters are not known, the condition is the literal `true`, and the statement is bound again for a run.
Result<ExpressionPtr> Binder::bind_constant_filter(const ast::Expression& argument, Slot owner) {
  CAIRN_ASSIGN(const auto constant, bind_untyped(argument));
  const bool is_parameter = constant->kind == ExpressionKind::parameter;
  CAIRN_ASSIGN(const auto value, constant_value(*constant, argument));
  if (is_parameter) filter_parameters_.back().is_whole = true;
  if (!value) {
    auto open = make(ExpressionKind::literal, argument);
    open->value = true;
    return open;
  }
  const auto located = [&](Error problem) {
    problem.where = source_.range(argument.begin, argument.end);
    return problem;
  };
  const auto filter = filter_from(*value);
  if (!filter) return located(filter.error());
  FilterFrame frame{constant->where, [this] { return scope_->allocate(); }};
  if (is_parameter && operands_ == FilterOperands::parameters)
    frame.operand = operands_of(*constant);
  auto condition = filter_expression(*filter, owner, frame);
  if (!condition) return located(condition.error());
  return condition;
}

std::function<ExpressionPtr()> Binder::operands_of(const Expression& parameter) const {
  return [name = parameter.name, where = parameter.where, place = std::size_t{0}]() mutable {
    auto operand = std::make_unique<Expression>();
    operand->kind = ExpressionKind::parameter;
    operand->where = where;
    operand->name = operand_name(name, place++);
    return operand;
  };
}

// Returns nullopt if a parameter is not known yet. Notes each parameter as a filter parameter of the statement.
Result<std::optional<Value>> Binder::constant_value(const Expression& expression,
                                                    const ast::Located& where) {
  using Constant = std::optional<Value>;
  if (expression.kind == ExpressionKind::literal) return Constant(expression.value);
  if (expression.kind == ExpressionKind::parameter) {
    filter_parameters_.push_back({expression.name, false});
    if (parameters_ == nullptr) return Constant();
    const auto found = parameters_->find(expression.name);
    if (found != parameters_->end()) return Constant(found->second);
    return Error{ErrorCode::invalid_argument,
                 "the statement needs a parameter $" + expression.name + ", which was not given",
                 expression.where};
  }
  const bool is_map = expression.kind == ExpressionKind::map;
  if (!is_map && expression.kind != ExpressionKind::list)
    return error(where, "a filter is a parameter or a constant: a map, a list or a text of JSON");
  List items;
  Map map;
  for (std::size_t i = 0; i < expression.children.size(); ++i) {
    CAIRN_ASSIGN(auto item, constant_value(*expression.children[i], where));
    if (!item) return Constant();
    if (is_map)
      map.insert_or_assign(expression.names[i], std::move(*item));
    else
      items.push_back(std::move(*item));
  }
  return Constant(is_map ? Value(std::move(map)) : Value(std::move(items)));
}

// Children: the number, then the conditions. A condition that is null does not count as true.
Result<ExpressionPtr> Binder::bind_at_least(const ast::FunctionCall& call,
                                            const ast::Expression& whole) {
  if (call.arguments.empty())
    return error(call.name,
                 "at_least(number, condition, ...) needs a number as its first argument");
  auto result = make(ExpressionKind::at_least, whole);
  CAIRN_ASSIGN(auto minimum, bind_untyped(call.arguments[0]));
  result->children.push_back(std::move(minimum));
  for (std::size_t i = 1; i < call.arguments.size(); ++i) {
    CAIRN_ASSIGN(auto condition, bind_condition(call.arguments[i]));
    result->children.push_back(std::move(condition));
  }
  return result;
}

}  // namespace cairn::query
