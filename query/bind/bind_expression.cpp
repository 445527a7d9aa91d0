// Expressions except operators, calls and subqueries.
//
// Short forms are expanded here, so that the evaluator and the planner have fewer kinds of expressions. Labels on a
// value that is not a variable become any(x IN [value] WHERE x:Label). CASE with a subject becomes a reduce over one
// element. bind_operators.cpp expands chains of comparisons. Each value that such an expansion evaluates once gets a
// slot of its own in the row.
//
// A bound expression keeps its range in the text for errors at run time.

#include "query/bind/ast_walk.hpp"
#include "query/bind/binder.hpp"
#include "query/syntax/printer.hpp"

#include <limits>

namespace cairn::query {
namespace {

bool is_logical(ast::Operator op) {
  return op == ast::Operator::logical_and || op == ast::Operator::logical_or ||
         op == ast::Operator::logical_xor;
}

/// Constants are never looked up among the known columns.
bool is_constant(const ast::Expression& expression) {
  return expression.get_if<ast::Literal>() != nullptr ||
         expression.get_if<ast::Parameter>() != nullptr;
}

/// The named numbers. NaN, Infinity and INF are ordinary names: a variable with such a name takes precedence.
std::optional<double> number_constant(std::string_view name) {
  if (name == "NaN") return std::numeric_limits<double>::quiet_NaN();
  if (name == "Infinity" || name == "INF") return std::numeric_limits<double>::infinity();
  return std::nullopt;
}

struct LiteralType {
  StaticType operator()(ast::Null) const { return TypeKind::null; }
  StaticType operator()(bool) const { return TypeKind::boolean; }
  StaticType operator()(const ast::Integer&) const { return TypeKind::integer; }
  StaticType operator()(double) const { return TypeKind::floating; }
  StaticType operator()(const std::string&) const { return TypeKind::string; }
};

/// The value of a literal. -2^63 is correct too: negating its magnitude as an unsigned number gives the same bits.
struct LiteralValue {
  Value operator()(ast::Null) const { return {}; }
  Value operator()(const ast::Integer& integer) const {
    const std::uint64_t bits = integer.is_negative ? 0 - integer.magnitude : integer.magnitude;
    return static_cast<std::int64_t>(bits);
  }
  template <class T>
  Value operator()(const T& value) const {
    return value;
  }
};

bool has_properties(StaticType type) {
  return type.is_open() || type.is_entity() || type.is(TypeKind::map);
}

}  // namespace

// The operands of AND, OR, XOR and NOT inherit the position, so that patterns are allowed in them; other operands do
// not.
//
// The depth is that of the bound tree, in which each operator and suffix is a level. The bound tree may be four times
// as deep as the brackets of the text. Known columns are looked up first: ORDER BY a.x + 1 means the column with this
// text, even if `a` itself is out of scope.
Result<Typed> Binder::bind(const ast::Expression& expression, Position position) {
  if (depth_ >= most_levels_) return too_deep(expression);
  const Restored<std::uint32_t> deeper(depth_, depth_ + 1);
  if (auto known = find_known(expression)) return std::move(*known);
  const auto* chain = expression.get_if<ast::OperatorChain>();
  if (chain != nullptr && is_logical(chain->rest.front().op)) {
    return bind_logical(*chain, expression, position);
  }
  const auto* prefix = expression.get_if<ast::PrefixOperation>();
  if (prefix != nullptr && prefix->op == ast::Operator::logical_not) {
    return bind_not(*prefix, expression, position);
  }
  const auto* path = expression.get_if<ast::PathPattern>();
  if (path != nullptr && position == Position::predicate) {
    return bind_pattern_condition(*path, expression);
  }
  return std::visit([&](const auto& part) { return bind_part(part, expression); },
                    expression.content);
}

Result<ExpressionPtr> Binder::bind_untyped(const ast::Expression& expression) {
  CAIRN_ASSIGN(Typed bound, bind(expression));
  return std::move(bound.expression);
}

Result<ExpressionPtr> Binder::bind_optional(const ast::Expression& expression) {
  if (expression.empty()) return ExpressionPtr();
  return bind_untyped(expression);
}

// Refuses a known type other than boolean. Null and unknown types pass; at run time a null condition counts as not
// true.
Result<ExpressionPtr> Binder::bind_condition(const ast::Expression& expression) {
  CAIRN_ASSIGN(Typed bound, bind(expression, Position::predicate));
  if (!bound.type.is(TypeKind::boolean) && !bound.type.is_open()) {
    return wrong_type(expression, bound.type, "a condition");
  }
  return std::move(bound.expression);
}

// AND is split, because each conjunct may be answered by another index and checked at another step. Three-valued
// logic allows this: a conjunction is true if and only if all of its operands are true.
Status Binder::bind_conjuncts(const ast::Expression& expression,
                              std::vector<ExpressionPtr>& conjuncts) {
  if (expression.empty()) return {};
  CAIRN_ASSIGN(auto condition, bind_condition(expression));
  add_conjuncts(std::move(condition), conjuncts);
  return {};
}

// Two expressions with the same printed text are equal, unless a local variable hides one of their names. A bare name
// is looked up in the scope first: an alias hides the variable from which it was made.
std::optional<Typed> Binder::find_known(const ast::Expression& expression) const {
  if (known_ == nullptr || known_->empty() || is_constant(expression)) return std::nullopt;
  const auto* name = expression.get_if<ast::Name>();
  if (name != nullptr && scope_->has_own(name->text)) return std::nullopt;
  if (!locals_.empty()) {
    NameSet names;
    collect_names(expression, names);
    for (const std::string_view local : locals_) {
      if (names.contains(local)) return std::nullopt;
    }
  }
  const auto found = known_->find(print(expression));
  if (found == known_->end()) return std::nullopt;
  return Typed{make_variable(found->second.slot, expression), found->second.type};
}

Result<Typed> Binder::bind_part(std::monostate, const ast::Expression& whole) {
  return error(whole, "an expression is missing here");
}

// The parser accepts 2^63 as a part of -2^63. Without the minus it is too large.
Result<Typed> Binder::bind_part(const ast::Literal& part, const ast::Expression& whole) {
  const auto* integer = std::get_if<ast::Integer>(&part.value);
  constexpr auto most = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  if (integer != nullptr && !integer->is_negative && integer->magnitude > most) {
    return error(whole, "this number is too large for a 64-bit integer");
  }
  auto result = make(ExpressionKind::literal, whole);
  result->value = std::visit(LiteralValue{}, part.value);
  return Typed{std::move(result), std::visit(LiteralType{}, part.value)};
}

Result<Typed> Binder::bind_part(const ast::Parameter& part, const ast::Expression& whole) {
  auto result = make(ExpressionKind::parameter, whole);
  result->name = part.name;
  return Typed{std::move(result), {}};
}

Result<Typed> Binder::bind_part(const ast::Name& part, const ast::Expression& whole) {
  const std::optional<double> number = number_constant(part.text);
  if (number && !scope_->find(part.text)) return bind_part(ast::Literal{*number}, whole);
  CAIRN_ASSIGN(const Variable variable, find_variable(part));
  return Typed{make_variable(variable.slot, whole), variable.type};
}

// The type of the elements of an empty list is open and not null.
Result<Typed> Binder::bind_part(const ast::ListLiteral& part, const ast::Expression& whole) {
  auto result = make(ExpressionKind::list, whole);
  StaticType element = TypeKind::null;
  for (const ast::Expression& item : part.items) {
    CAIRN_ASSIGN(Typed bound, bind(item));
    element = join(element, bound.type);
    result->children.push_back(std::move(bound.expression));
  }
  const StaticType known = element.is(TypeKind::null) ? StaticType() : element;
  return Typed{std::move(result), StaticType::list_of(known)};
}

// A key may occur twice. Both values are evaluated, and the later one wins.
Result<Typed> Binder::bind_part(const ast::MapLiteral& part, const ast::Expression& whole) {
  auto result = make(ExpressionKind::map, whole);
  for (const ast::MapEntry& entry : part.entries) {
    CAIRN_ASSIGN(auto value, bind_untyped(entry.value));
    result->names.push_back(entry.key.text);
    result->children.push_back(std::move(value));
  }
  return Typed{std::move(result), TypeKind::map};
}

Result<Typed> Binder::bind_part(const ast::SuffixChain& part, const ast::Expression& whole) {
  return bind_suffixes(part, part.suffixes.size(), whole);
}

// Each suffix is a level of the bound tree, although suffixes are a flat list in the syntax tree.
Result<Typed> Binder::bind_suffixes(const ast::SuffixChain& chain, std::size_t count,
                                    const ast::Expression& whole) {
  if (count > most_levels_ - depth_) return too_deep(whole);
  const Restored<std::uint32_t> deeper(depth_, depth_ + static_cast<std::uint32_t>(count));
  std::size_t done = 0;
  Typed bound;
  if (const auto known = find_known_prefix(chain, count)) {
    done = known->first;
    bound = {make_variable(known->second.slot, whole), known->second.type};
  } else {
    CAIRN_ASSIGN(bound, bind(chain.base));
  }
  for (; done < count; ++done) {
    CAIRN_ASSIGN(bound, bind_suffix(std::move(bound), chain.suffixes[done]));
    bound.expression->where = source_.range(whole.begin, chain.suffixes[done].end);
  }
  return bound;
}

// Example: ORDER BY a.list[0] if a.list is a column. The longest known prefix is used.
std::optional<std::pair<std::size_t, Variable>> Binder::find_known_prefix(
    const ast::SuffixChain& chain, std::size_t count) const {
  const auto* name = chain.base.get_if<ast::Name>();
  if (known_ == nullptr || known_->empty() || name == nullptr) return std::nullopt;
  for (const std::string_view local : locals_) {
    if (local == name->text) return std::nullopt;
  }
  for (std::size_t length = count; length > 0; --length) {
    const auto found = known_->find(print_prefix(chain, length));
    if (found != known_->end()) return std::pair(length, found->second);
  }
  return std::nullopt;
}

// Suffixes apply from left to right: n.a[0].b:L is (((n.a)[0]).b):L. The base of a label expression is evaluated
// once, for any number of labels.
Result<Typed> Binder::bind_suffix(Typed base, const ast::Suffix& suffix) {
  if (const auto* property = std::get_if<ast::Name>(&suffix.content)) {
    return bind_property(std::move(base), *property, suffix);
  }
  if (const auto* field = std::get_if<ast::SystemField>(&suffix.content)) {
    return bind_system_field(std::move(base), *field, suffix);
  }
  if (const auto* subscript = std::get_if<ast::Subscript>(&suffix.content)) {
    return bind_subscript(std::move(base), *subscript, suffix);
  }
  if (!base.type.is_open() && !base.type.is_entity()) {
    return wrong_type(suffix, base.type, "a node or relationship");
  }
  const auto& labels = std::get<ast::LabelExpression>(suffix.content);
  CAIRN_ASSIGN(auto condition, with_value(std::move(base.expression), suffix, [&](Slot slot) {
                 return label_condition(labels, slot, suffix);
               }));
  return Typed{std::move(condition), TypeKind::boolean};
}

// any() over a list with one element has the value of its condition, including null. The value is evaluated once,
// even if the condition uses the slot several times.
Result<ExpressionPtr> Binder::with_value(
    ExpressionPtr value, const ast::Located& where,
    const std::function<Result<ExpressionPtr>(Slot)>& condition) {
  if (value->kind == ExpressionKind::variable) return condition(value->slot);
  auto result = make(ExpressionKind::any_of, where);
  result->slot = scope_->allocate();
  auto list = make(ExpressionKind::list, where);
  list->children.push_back(std::move(value));
  result->children.push_back(std::move(list));
  CAIRN_ASSIGN(auto tested, condition(result->slot));
  result->children.push_back(std::move(tested));
  return result;
}

// The type of a property is not known before the record is read.
Result<Typed> Binder::bind_property(Typed base, const ast::Name& property,
                                    const ast::Located& where) {
  if (!has_properties(base.type)) {
    return error(where, std::string(base.type.text()) + " has no properties");
  }
  auto result = make(ExpressionKind::property, where);
  result->name = property.text;
  result->children.push_back(std::move(base.expression));
  return Typed{std::move(result), {}};
}

// An element of a list has the element type of the list; a value of a map may have any type.
Result<Typed> Binder::bind_subscript(Typed base, const ast::Subscript& part,
                                     const ast::Suffix& where) {
  if (part.from.empty() && !part.end.is_present) return error(where, "an index is missing here");
  const bool is_slice = part.end.is_present;
  auto result = make(is_slice ? ExpressionKind::slice : ExpressionKind::subscript, where);
  result->children.push_back(std::move(base.expression));
  CAIRN_ASSIGN(auto from, bind_optional(part.from));
  result->children.push_back(std::move(from));
  if (!is_slice) return Typed{std::move(result), base.type.element()};
  CAIRN_ASSIGN(auto to, bind_optional(part.end.to));
  result->children.push_back(std::move(to));
  return Typed{std::move(result), base.type};
}

// Children: the variable, then one value for each name. Entries are evaluated from left to right. A later key
// replaces an earlier one and the properties of `.*`.
Result<Typed> Binder::bind_part(const ast::MapProjection& part, const ast::Expression& whole) {
  auto result = make(ExpressionKind::map_projection, whole);
  CAIRN_ASSIGN(const Variable variable, find_variable(part.variable));
  if (!has_properties(variable.type)) {
    return wrong_type(part.variable, variable.type, "a node, a relationship or a map");
  }
  result->children.push_back(make_variable(variable.slot, part.variable));
  for (const ast::ProjectionEntry& entry : part.entries) {
    CAIRN_TRY(bind_projection_entry(entry, part.variable, *result));
  }
  return Typed{std::move(result), TypeKind::map};
}

// .a is a property of the projected variable, and b is a variable with that name.
Status Binder::bind_projection_entry(const ast::ProjectionEntry& entry, const ast::Name& variable,
                                     Expression& projection) {
  using Kind = ast::ProjectionEntry::Kind;
  if (entry.kind == Kind::all_properties) {
    projection.flag = true;
    return {};
  }
  ExpressionPtr value;
  if (entry.kind == Kind::entry) {
    CAIRN_ASSIGN(value, bind_untyped(entry.value));
  } else {
    CAIRN_ASSIGN(const Variable found,
                 find_variable(entry.kind == Kind::variable ? entry.key : variable));
    value = make_variable(found.slot, entry.key);
  }
  if (entry.kind == Kind::own_property) {
    auto property = make(ExpressionKind::property, entry.key);
    property->name = entry.key.text;
    property->children.push_back(std::move(value));
    value = std::move(property);
  }
  projection.names.push_back(entry.key.text);
  projection.children.push_back(std::move(value));
  return {};
}

// CASE x WHEN a ... becomes CASE WHEN x = a ..., where x is evaluated once. For this purpose, it is bound as
// reduce(x = subject, _ IN [null] | CASE ...), which makes a single step and returns the value of this step.
//
// Children: condition, result, condition, result, ..., default. A missing ELSE is null. Branches are tried in order
// until one is true. A subject that is null equals no WHEN value, not even null.
Result<Typed> Binder::bind_part(const ast::CaseExpression& part, const ast::Expression& whole) {
  auto result = make(ExpressionKind::case_when, whole);
  ExpressionPtr subject;
  Slot slot = 0;
  if (!part.subject.empty()) {
    CAIRN_ASSIGN(subject, bind_untyped(part.subject));
    slot = subject->kind == ExpressionKind::variable ? subject->slot : scope_->allocate();
  }
  StaticType type = TypeKind::null;
  for (const ast::CaseBranch& branch : part.branches) {
    CAIRN_ASSIGN(const StaticType branch_type, bind_case_branch(part, branch, slot, *result));
    type = join(type, branch_type);
  }
  Typed otherwise{make(ExpressionKind::literal, whole), TypeKind::null};
  if (!part.otherwise.empty()) {
    CAIRN_ASSIGN(otherwise, bind(part.otherwise));
  }
  result->children.push_back(std::move(otherwise.expression));
  type = join(type, otherwise.type);
  if (subject == nullptr || subject->kind == ExpressionKind::variable) {
    return Typed{std::move(result), type};
  }
  auto once = make(ExpressionKind::reduce, whole);
  once->slot = scope_->allocate();
  once->slot2 = slot;
  auto list = make(ExpressionKind::list, whole);
  list->children.push_back(make(ExpressionKind::literal, whole));
  once->children.push_back(std::move(subject));
  once->children.push_back(std::move(list));
  once->children.push_back(std::move(result));
  return Typed{std::move(once), type};
}

// With a subject, WHEN has a value to compare with it; without a subject, WHEN has a condition.
Result<StaticType> Binder::bind_case_branch(const ast::CaseExpression& part,
                                            const ast::CaseBranch& branch, Slot subject,
                                            Expression& bound) {
  ExpressionPtr condition;
  if (part.subject.empty()) {
    CAIRN_ASSIGN(condition, bind_condition(branch.condition));
  } else {
    condition = make(ExpressionKind::equal, branch.condition);
    condition->children.push_back(make_variable(subject, part.subject));
    CAIRN_ASSIGN(auto value, bind_untyped(branch.condition));
    condition->children.push_back(std::move(value));
  }
  bound.children.push_back(std::move(condition));
  CAIRN_ASSIGN(Typed result, bind(branch.result));
  bound.children.push_back(std::move(result.expression));
  return result.type;
}

}  // namespace cairn::query
