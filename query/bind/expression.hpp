#pragma once
// Expression: a bound expression. Variables are slots of the row, and functions are entries of the registry. Labels,
// types and properties remain text, because the statement itself may create them.

#include "query/functions/function_entry.hpp"

#include <cairn/filter.hpp>
#include <cairn/result.hpp>
#include <cairn/value.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace cairn::query {

using Slot = std::uint32_t;  ///< position in a row

struct Expression;
using ExpressionPtr = std::unique_ptr<Expression>;
struct MatchClause;
struct Query;

/// The kinds of expressions. `children` are listed in their order.
enum class ExpressionKind : std::uint8_t {
  literal,         ///< `value`
  parameter,       ///< `name`
  variable,        ///< `slot`
  property,        ///< child . `name`
  subscript,       ///< child [ child ]
  slice,           ///< child [ child .. child ]; an absent bound is nullptr
  list,            ///< [ children ]
  map,             ///< { names[i]: children[i] }
  map_projection,  ///< child 0 { names[i]: children[i + 1] }; `flag`: includes all properties of child 0
  negate,
  plus_sign,
  add,
  subtract,
  multiply,
  divide,
  modulo,
  power,
  concatenate,  ///< ||
  equal,
  not_equal,
  less,
  less_equal,
  greater,
  greater_equal,
  logical_not,
  logical_and,
  logical_or,
  logical_xor,  ///< AND, OR, XOR: two or more children; nested operations of one kind are flattened
  in,
  starts_with,
  ends_with,
  contains,
  matches,
  is_null,
  is_not_null,
  has_label,      ///< child : `name`; a node's label or a relationship's type
  has_any_label,  ///< child : % (any label)
  has_labels,     ///< child 0 has all labels that child 1 names, or any of them if `flag`
  is_node,        ///< child is a node that is visible and not deleted; `name` is its variable
  case_when,  ///< children: (condition, result)*, then the default (literal null if there is no ELSE)
  function_call,       ///< `function` with the children as arguments
  list_comprehension,  ///< `slot` IN child 0 WHERE child 1 | child 2; 1 and 2 may be nullptr
  all_of,
  any_of,
  none_of,
  single_of,              ///< the four quantifiers: `slot` IN child 0 WHERE child 1
  reduce,                 ///< accumulator `slot2` = child 0, `slot` IN child 1 | child 2
  pattern_exists,         ///< `match` has at least one row
  pattern_comprehension,  ///< child 0 for each row of `match`, as a list
  exists_subquery,        ///< `subquery` has at least one row
  count_subquery,         ///< the number of rows of `subquery`
  collect_subquery,       ///< the only column of `subquery`, as a list
  /// Tests the field `names` of child 0, an entity or a map, against child 1 if `test` takes a value. `flag`:
  /// compares as text; `normalize`: compares texts in NFC. For any_element, child 1 is a condition over `slot`, which
  /// holds one map of the list.
  filter_test,
  at_least,  ///< at least as many of children 1..n are true as the number in child 0
};

/// One node of a bound expression. ExpressionKind documents the members that a kind uses.
struct Expression {
  ExpressionKind kind = ExpressionKind::literal;
  TextRange where;  ///< place in the statement, for errors
  Value value;
  Slot slot = 0;
  Slot slot2 = 0;
  bool flag = false;
  bool normalize = false;
  FilterOperator test = FilterOperator::equals;
  std::string name;
  std::vector<std::string> names;
  std::vector<ExpressionPtr> children;
  const FunctionEntry* function = nullptr;
  std::unique_ptr<MatchClause> match;  ///< outer variables keep their slots
  std::unique_ptr<Query> subquery;     ///< outer variables keep their slots

  Expression();
  Expression(Expression&&) noexcept;
  Expression& operator=(Expression&&) noexcept;
  ~Expression();
};

}  // namespace cairn::query
