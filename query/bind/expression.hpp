#pragma once
// Expression: a bound expression. Every variable is a slot of the row that it is evaluated on, every
// function an entry of the registry; names of labels, types and properties stay text, because a
// statement may make them while it runs.

#include "query/functions/function_entry.hpp"

#include <cairn/filter.hpp>
#include <cairn/result.hpp>
#include <cairn/value.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace cairn::query {

using Slot = std::uint32_t;  ///< a position in a row

struct Expression;
using ExpressionPtr = std::unique_ptr<Expression>;
struct MatchClause;
struct Query;

/// What an expression does; `children` in the order given.
enum class ExpressionKind : std::uint8_t {
  literal,         ///< `value`
  parameter,       ///< `name`
  variable,        ///< `slot`
  property,        ///< child . `name`
  subscript,       ///< child [ child ]
  slice,           ///< child [ child .. child ]; an absent bound is a null pointer
  list,            ///< [ children ]
  map,             ///< { names[i]: children[i] }
  map_projection,  ///< child 0 { names[i]: children[i + 1] }; `flag`: all own properties first
  negate,
  plus_sign,
  add,
  subtract,
  multiply,
  divide,
  modulo,
  power,
  concatenate,  ///< a || b
  equal,
  not_equal,
  less,
  less_equal,
  greater,
  greater_equal,
  logical_not,
  logical_and,
  logical_or,
  logical_xor,  ///< two or more children, flat
  in,
  starts_with,
  ends_with,
  contains,
  matches,
  is_null,
  is_not_null,
  has_label,      ///< child : `name`; a node's label or a relationship's type
  has_any_label,  ///< child : %
  case_when,      ///< children: (condition, result)*, then the default (a null literal if none)
  function_call,  ///< `function`, children are arguments
  list_comprehension,  ///< `slot` IN child 0 WHERE child 1 | child 2; 1 and 2 may be null pointers
  all_of,
  any_of,
  none_of,
  single_of,              ///< `slot` IN child 0 WHERE child 1
  reduce,                 ///< accumulator `slot2` = child 0, `slot` IN child 1 | child 2
  pattern_exists,         ///< `match` has at least one row
  pattern_comprehension,  ///< child 0 for each row of `match`, as a list
  exists_subquery,        ///< `subquery` has at least one row
  count_subquery,         ///< the number of rows of `subquery`
  collect_subquery,       ///< the one column of `subquery` as a list
  /// `test` of the field `names` of child 0, an entity or a map, with child 1, if it takes a value;
  /// `flag`: as text; `normalize`: texts in NFC. any_element: child 1 is a condition over `slot`, a map of the list.
  filter_test,
  at_least,  ///< of all children but the first, so many as child 0 says are true
};

struct Expression {
  ExpressionKind kind = ExpressionKind::literal;
  TextRange where;
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
