#pragma once
// The syntax tree of expressions and patterns. ast.hpp has clauses and statements.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace cairn::query::ast {

/// The bytes [begin, end) of the text. All positions compare equal, so that trees are compared only by
/// content.
struct Located {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;

  friend constexpr bool operator==(const Located&, const Located&) noexcept { return true; }
};

/// Owns one part of a tree on the heap. Boxes are equal if their parts are equal.
template <class T>
class Box {
 public:
  Box(T value) : value_(std::make_unique<T>(std::move(value))) {}

  [[nodiscard]] const T& operator*() const noexcept { return *value_; }
  [[nodiscard]] const T* operator->() const noexcept { return value_.get(); }
  friend bool operator==(const Box& a, const Box& b) { return *a == *b; }

 private:
  std::unique_ptr<T> value_;
};

/// A name without its quotes. An empty text means that the name is absent.
struct Name : Located {
  std::string text;

  [[nodiscard]] bool empty() const noexcept { return text.empty(); }
  bool operator==(const Name&) const = default;
};

// Leaves of expressions

struct Null {
  bool operator==(const Null&) const = default;
};

/// An integer literal. `magnitude` may be 2^63, because the operator before the literal may be a minus.
struct Integer {
  std::uint64_t magnitude = 0;
  bool is_negative = false;

  bool operator==(const Integer&) const = default;
};

/// A literal other than a list or map.
struct Literal {
  std::variant<Null, bool, Integer, double, std::string> value;

  bool operator==(const Literal&) const = default;
};

/// $name
struct Parameter {
  std::string name;

  bool operator==(const Parameter&) const = default;
};

/// count(*)
struct CountAll {
  bool operator==(const CountAll&) const = default;
};

/// `any_label` is %, `all_of` is & (or a further colon), `any_of` is |, and `by_value` is $(expression)
/// or $any(expression).
enum class LabelKind : std::uint8_t { absent, name, any_label, negation, all_of, any_of, by_value };

struct Expression;

/// A label or type expression such as :A|B, without its first colon. Operators have their operands as a flat list.
struct LabelExpression : Located {
  LabelKind kind = LabelKind::absent;
  std::string name;
  std::vector<LabelExpression> operands;
  std::vector<Expression> value;  ///< of `by_value`: exactly one
  bool is_any = false;            ///< of `by_value`: $any(expression), any one of the names

  [[nodiscard]] bool empty() const noexcept { return kind == LabelKind::absent; }
  bool operator==(const LabelExpression&) const;
};

/// The operators, in order of precedence from weakest to strongest; see precedence.hpp.
enum class Operator : std::uint8_t {
  logical_or,
  logical_xor,
  logical_and,
  logical_not,
  equal,
  not_equal,
  less,
  less_equal,
  greater,
  greater_equal,
  in,
  starts_with,
  ends_with,
  contains,
  matches,
  is_null,
  is_not_null,
  add,
  subtract,
  concatenate,
  multiply,
  divide,
  modulo,
  power,
  plus_sign,
  negate,
};

struct ListLiteral;
struct MapLiteral;
struct OperatorChain;
struct PrefixOperation;
struct SuffixChain;
struct MapProjection;
struct CaseExpression;
struct FunctionCall;
struct ListComprehension;
struct Quantifier;
struct Reduce;
struct PathPattern;
struct PatternComprehension;
struct Subquery;

struct MapEntry;

/// Any expression. The alternatives of the variant are the kinds of syntax.
struct Expression : Located {
  /// All parts are boxed, because the parser and other recursive code have expressions on the stack.
  using Content =
      std::variant<std::monostate, Box<Literal>, Box<Parameter>, Box<CountAll>, Box<Name>,
                   Box<ListLiteral>, Box<MapLiteral>, Box<OperatorChain>, Box<PrefixOperation>,
                   Box<SuffixChain>, Box<MapProjection>, Box<CaseExpression>, Box<FunctionCall>,
                   Box<ListComprehension>, Box<Quantifier>, Box<Reduce>, Box<PathPattern>,
                   Box<PatternComprehension>, Box<Subquery>>;
  Content content;

  Expression();
  Expression(Expression&&) noexcept;
  Expression& operator=(Expression&&) noexcept;
  ~Expression();

  // Grammar rules assign their attributes to an expression.
  Expression& operator=(Literal part);
  Expression& operator=(Parameter part);
  Expression& operator=(CountAll part);
  Expression& operator=(Name part);
  Expression& operator=(std::vector<Expression> items);
  Expression& operator=(std::vector<MapEntry> entries);
  Expression& operator=(OperatorChain part);
  Expression& operator=(PrefixOperation part);
  Expression& operator=(SuffixChain part);  ///< without suffixes: stores its base
  Expression& operator=(MapProjection part);
  Expression& operator=(CaseExpression part);
  Expression& operator=(FunctionCall part);
  Expression& operator=(ListComprehension part);
  Expression& operator=(Quantifier part);
  Expression& operator=(Reduce part);
  Expression& operator=(PathPattern part);
  Expression& operator=(PatternComprehension part);
  Expression& operator=(Subquery part);

  [[nodiscard]] bool empty() const noexcept { return content.index() == 0; }
  /// Returns the content if it is a T (the part itself, not its Box), else nullptr.
  template <class T>
  [[nodiscard]] const T* get_if() const noexcept {
    const auto* box = std::get_if<Box<T>>(&content);
    return box != nullptr ? &**box : nullptr;
  }
  bool operator==(const Expression& other) const;
};

/// [items]
struct ListLiteral {
  std::vector<Expression> items;

  bool operator==(const ListLiteral&) const = default;
};

/// key: value
struct MapEntry {
  Name key;
  Expression value;

  bool operator==(const MapEntry&) const = default;
};

/// {entries}
struct MapLiteral {
  std::vector<MapEntry> entries;

  bool operator==(const MapLiteral&) const = default;
};

/// One operator and its right operand. IS NULL and IS NOT NULL have no operand.
struct OperatorLink {
  Operator op = Operator::add;
  Expression operand;

  bool operator==(const OperatorLink&) const = default;
};

/// Operands joined by operators of one precedence, from left to right.
struct OperatorChain {
  Expression first;
  std::vector<OperatorLink> rest;

  bool operator==(const OperatorChain&) const = default;
};

/// NOT, - or + with its operand.
struct PrefixOperation {
  Operator op = Operator::negate;
  Expression operand;

  bool operator==(const PrefixOperation&) const = default;
};

/// The part ..to of a slice.
struct SliceEnd {
  bool is_present = false;
  Expression to;

  bool operator==(const SliceEnd&) const = default;
};

/// [from] or [from..to]. In a slice `from` and `to` may be absent.
struct Subscript {
  Expression from;
  SliceEnd end;

  bool operator==(const Subscript&) const = default;
};

/// @name: a system field of a node or relationship.
struct SystemField : Located {
  std::string name;

  bool operator==(const SystemField&) const = default;
};

/// One suffix: .property, @field, [subscript] or :Label.
struct Suffix : Located {
  std::variant<Name, SystemField, Subscript, LabelExpression> content;

  Suffix() = default;
  Suffix& operator=(Name part) { return assign(std::move(part)); }
  Suffix& operator=(SystemField part) { return assign(std::move(part)); }
  Suffix& operator=(Subscript part) { return assign(std::move(part)); }
  Suffix& operator=(LabelExpression part) { return assign(std::move(part)); }
  bool operator==(const Suffix&) const = default;

 private:
  template <class T>
  Suffix& assign(T part) {
    content = std::move(part);
    return *this;
  }
};

/// An operand with its suffixes, such as a.b[c].
struct SuffixChain {
  Expression base;
  std::vector<Suffix> suffixes;

  bool operator==(const SuffixChain&) const = default;
};

/// An entry of a map projection: .name, .*, name, or name: value.
struct ProjectionEntry {
  enum class Kind : std::uint8_t { own_property, all_properties, variable, entry };
  Kind kind = Kind::entry;
  Name key;
  Expression value;  ///< only of an `entry`

  bool operator==(const ProjectionEntry&) const = default;
};

/// variable {entries}
struct MapProjection {
  Name variable;
  std::vector<ProjectionEntry> entries;

  bool operator==(const MapProjection&) const = default;
};

/// WHEN condition THEN result.
struct CaseBranch {
  Expression condition;
  Expression result;

  bool operator==(const CaseBranch&) const = default;
};

/// CASE subject WHEN ... ELSE otherwise END. `subject` and `otherwise` may be absent.
struct CaseExpression {
  Expression subject;
  std::vector<CaseBranch> branches;
  Expression otherwise;

  bool operator==(const CaseExpression&) const = default;
};

/// name([DISTINCT] arguments)
struct FunctionCall {
  Name name;  ///< as written, with dots
  bool is_distinct = false;
  std::vector<Expression> arguments;

  bool operator==(const FunctionCall&) const = default;
};

/// [variable IN list WHERE where | result]
struct ListComprehension {
  Name variable;
  Expression list;
  Expression where;
  Expression result;

  bool operator==(const ListComprehension&) const = default;
};

enum class QuantifierKind : std::uint8_t { all_of, any_of, none_of, single_of };

/// all(variable IN list WHERE where); also any, none and single.
struct Quantifier {
  QuantifierKind kind = QuantifierKind::all_of;
  Name variable;
  Expression list;
  Expression where;

  bool operator==(const Quantifier&) const = default;
};

/// reduce(accumulator = initial, variable IN list | step)
struct Reduce {
  Name accumulator;
  Expression initial;
  Name variable;
  Expression list;
  Expression step;

  bool operator==(const Reduce&) const = default;
};

// Patterns

/// (variable:labels {properties} @ {system} WHERE where)
struct NodePattern : Located {
  Name variable;
  LabelExpression labels;
  Expression properties;  ///< a map, or a parameter
  Expression system;      ///< after @: a map of system fields
  Expression where;

  bool operator==(const NodePattern&) const = default;
};

/// The forms *, *2, *1..3, *1.. and *..3. Without `is_range`, only `least` is set.
struct Hops {
  bool is_present = false;
  bool is_range = false;
  std::optional<std::uint64_t> least;
  std::optional<std::uint64_t> most;

  bool operator==(const Hops&) const = default;
};

/// The brackets of a relationship: [variable:types*hops {properties} @ {system} WHERE where].
struct RelationshipDetails {
  Name variable;
  LabelExpression types;
  Hops hops;
  Expression properties;
  Expression system;
  Expression where;

  bool operator==(const RelationshipDetails&) const = default;
};

/// A relationship with its arrowheads, brackets and quantifier.
struct RelationshipPattern : Located {
  bool points_left = false;
  RelationshipDetails details;
  bool points_right = false;
  Hops quantifier;  ///< {1,3}, + or * after the relationship

  /// Returns the hops in the brackets or those of the quantifier.
  [[nodiscard]] const Hops& hops() const noexcept {
    return quantifier.is_present ? quantifier : details.hops;
  }
  bool operator==(const RelationshipPattern&) const = default;
};

/// A relationship and the node after it.
struct PathStep {
  RelationshipPattern relationship;
  NodePattern node;

  bool operator==(const PathStep&) const = default;
};

enum class PathSearch : std::uint8_t { every, shortest, all_shortest };

/// `all` is ALL, `paths` is SHORTEST count, and `groups` is SHORTEST count GROUPS. ANY and ANY SHORTEST are SHORTEST 1,
/// and ALL SHORTEST is SHORTEST 1 GROUPS.
enum class PathSelection : std::uint8_t { none, all, paths, groups };

/// The words before a path that select some of the paths between two nodes.
struct PathSelector {
  PathSelection selection = PathSelection::none;
  std::uint64_t count = 1;

  bool operator==(const PathSelector&) const = default;
};

/// A path without a name: a node and steps, possibly in shortestPath() or allShortestPaths(). With a selector, `where` is
/// the condition in the parentheses of the path.
struct PathElement {
  PathSearch search = PathSearch::every;
  NodePattern first;
  std::vector<PathStep> steps;
  PathSelector selector;
  Expression where;

  [[nodiscard]] bool is_selected() const noexcept {
    return selector.selection != PathSelection::none;
  }

  bool operator==(const PathElement&) const = default;
};

/// variable = element. The variable may be absent.
struct PathPattern : Located {
  Name variable;
  PathElement element;

  bool operator==(const PathPattern&) const = default;
};

/// [pattern WHERE where | result]
struct PatternComprehension {
  PathPattern pattern;
  Expression where;
  Expression result;

  bool operator==(const PatternComprehension&) const = default;
};

}  // namespace cairn::query::ast
