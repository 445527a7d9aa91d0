#pragma once
// The parts that all grammar files share: adaptation of the tree for X3, directives, and the rules with their types.

#include "query/syntax/ast.hpp"
#include "query/syntax/precedence.hpp"
#include "query/syntax/terminals.hpp"

#include <boost/fusion/include/adapt_struct.hpp>
#include <boost/spirit/home/x3.hpp>

// Adapts the structs of the tree as Boost.Fusion sequences, so that X3 fills an attribute member by member. Structs
// with a single member are not adapted, because X3 treats such a struct as its member.

BOOST_FUSION_ADAPT_STRUCT(cairn::query::grammar::Term, prefixes, operand, null_tests)
BOOST_FUSION_ADAPT_STRUCT(cairn::query::grammar::TermLink, op, term)
BOOST_FUSION_ADAPT_STRUCT(cairn::query::grammar::Terms, first, rest)

BOOST_FUSION_ADAPT_STRUCT(cairn::query::ast::MapEntry, key, value)
BOOST_FUSION_ADAPT_STRUCT(cairn::query::ast::SliceEnd, is_present, to)
BOOST_FUSION_ADAPT_STRUCT(cairn::query::ast::Subscript, from, end)
BOOST_FUSION_ADAPT_STRUCT(cairn::query::ast::SuffixChain, base, suffixes)
BOOST_FUSION_ADAPT_STRUCT(cairn::query::ast::ProjectionEntry, kind, key, value)
BOOST_FUSION_ADAPT_STRUCT(cairn::query::ast::MapProjection, variable, entries)
BOOST_FUSION_ADAPT_STRUCT(cairn::query::ast::CaseBranch, condition, result)
BOOST_FUSION_ADAPT_STRUCT(cairn::query::ast::CaseExpression, subject, branches, otherwise)
BOOST_FUSION_ADAPT_STRUCT(cairn::query::ast::FunctionCall, name, is_distinct, arguments)
BOOST_FUSION_ADAPT_STRUCT(cairn::query::ast::ListComprehension, variable, list, where, result)
BOOST_FUSION_ADAPT_STRUCT(cairn::query::ast::Quantifier, kind, variable, list, where)
BOOST_FUSION_ADAPT_STRUCT(cairn::query::ast::Reduce, accumulator, initial, variable, list, step)

BOOST_FUSION_ADAPT_STRUCT(cairn::query::ast::NodePattern, variable, labels, properties, system,
                          where)
BOOST_FUSION_ADAPT_STRUCT(cairn::query::ast::RelationshipDetails, variable, types, hops, properties,
                          system, where)
BOOST_FUSION_ADAPT_STRUCT(cairn::query::ast::RelationshipPattern, points_left, details,
                          points_right, quantifier)
BOOST_FUSION_ADAPT_STRUCT(cairn::query::ast::PathStep, relationship, node)
BOOST_FUSION_ADAPT_STRUCT(cairn::query::ast::PathElement, search, first, steps)
BOOST_FUSION_ADAPT_STRUCT(cairn::query::ast::PathPattern, variable, element)
BOOST_FUSION_ADAPT_STRUCT(cairn::query::ast::PatternComprehension, pattern, where, result)

BOOST_FUSION_ADAPT_STRUCT(cairn::query::ast::SearchStrategy, is_plain, is_exact, ef, recall)
BOOST_FUSION_ADAPT_STRUCT(cairn::query::ast::SearchRetriever, kind, index, query, path, way, weight)
BOOST_FUSION_ADAPT_STRUCT(cairn::query::ast::SearchFusion, method, k)
BOOST_FUSION_ADAPT_STRUCT(cairn::query::ast::SearchRetrievers, is_hybrid, retrievers, fusion)
BOOST_FUSION_ADAPT_STRUCT(cairn::query::ast::SearchCut, within, min_score, limit)
BOOST_FUSION_ADAPT_STRUCT(cairn::query::ast::Search, variable, from, where, way, candidates, cut,
                          score, parts)
BOOST_FUSION_ADAPT_STRUCT(cairn::query::ast::Match, is_optional, paths, search, where)
BOOST_FUSION_ADAPT_STRUCT(cairn::query::ast::Unwind, list, variable)
BOOST_FUSION_ADAPT_STRUCT(cairn::query::ast::ProjectionItem, expression, alias)
BOOST_FUSION_ADAPT_STRUCT(cairn::query::ast::ItemList, has_star, items)
BOOST_FUSION_ADAPT_STRUCT(cairn::query::ast::SortItem, expression, is_descending)
BOOST_FUSION_ADAPT_STRUCT(cairn::query::ast::Project, is_return, is_distinct, list, order, skip,
                          limit, where)
BOOST_FUSION_ADAPT_STRUCT(cairn::query::ast::SetAssignment, op, value)
BOOST_FUSION_ADAPT_STRUCT(cairn::query::ast::SetItem, target, assignment)
BOOST_FUSION_ADAPT_STRUCT(cairn::query::ast::MergeAction, on_create, items)
BOOST_FUSION_ADAPT_STRUCT(cairn::query::ast::Merge, path, actions)
BOOST_FUSION_ADAPT_STRUCT(cairn::query::ast::Delete, is_detach, targets)
BOOST_FUSION_ADAPT_STRUCT(cairn::query::ast::CallArguments, is_present, values)
BOOST_FUSION_ADAPT_STRUCT(cairn::query::ast::YieldItem, column, alias)
BOOST_FUSION_ADAPT_STRUCT(cairn::query::ast::Yield, has_star, items, where)
BOOST_FUSION_ADAPT_STRUCT(cairn::query::ast::Call, procedure, arguments, yield)
BOOST_FUSION_ADAPT_STRUCT(cairn::query::ast::Foreach, variable, list, updates)
BOOST_FUSION_ADAPT_STRUCT(cairn::query::ast::UnionPart, is_all, clauses)
BOOST_FUSION_ADAPT_STRUCT(cairn::query::ast::Query, first, rest)
BOOST_FUSION_ADAPT_STRUCT(cairn::query::ast::Subquery, kind, paths, where, query)
BOOST_FUSION_ADAPT_STRUCT(cairn::query::ast::Imports, kind, names)
BOOST_FUSION_ADAPT_STRUCT(cairn::query::ast::InTransactions, is_present, is_concurrent, rows,
                          early_status, on_error, status)
BOOST_FUSION_ADAPT_STRUCT(cairn::query::ast::CallSubquery, imports, query, transactions)

BOOST_FUSION_ADAPT_STRUCT(cairn::query::ast::IndexTarget, on_relationship, variable, names)
BOOST_FUSION_ADAPT_STRUCT(cairn::query::ast::IndexProperty, variable, path)
BOOST_FUSION_ADAPT_STRUCT(cairn::query::ast::CreateIndex, type, name, if_not_exists, target,
                          properties, options)
BOOST_FUSION_ADAPT_STRUCT(cairn::query::ast::LookupTarget, on_relationship, variable, function,
                          argument)
BOOST_FUSION_ADAPT_STRUCT(cairn::query::ast::CreateLookupIndex, name, if_not_exists, target,
                          options)
BOOST_FUSION_ADAPT_STRUCT(cairn::query::ast::DropIndex, name, if_exists)
BOOST_FUSION_ADAPT_STRUCT(cairn::query::ast::CreateConstraint, name, if_not_exists, target,
                          properties, type, options)
BOOST_FUSION_ADAPT_STRUCT(cairn::query::ast::DropConstraint, name, if_exists)
BOOST_FUSION_ADAPT_STRUCT(cairn::query::ast::DropNameSpace, name, if_exists)
BOOST_FUSION_ADAPT_STRUCT(cairn::query::ast::CreateDatabase, name, if_not_exists)
BOOST_FUSION_ADAPT_STRUCT(cairn::query::ast::DropDatabase, name, if_exists)
BOOST_FUSION_ADAPT_STRUCT(cairn::query::ast::Statement, mode, database, content)
namespace cairn::query::grammar {

// Directives: a name for error messages, the limit of nesting, and the meaning of |.

/// named(name)[p]: if `subject` fails at its start, the error message calls it `name`, such as "an expression".
template <class Subject>
struct Named : x3::unary_parser<Subject, Named<Subject>> {
  using Base = x3::unary_parser<Subject, Named<Subject>>;
  static constexpr bool is_pass_through_unary = true;
  std::string_view name;

  constexpr Named(const Subject& inner, std::string_view called) : Base(inner), name(called) {}
  template <class C, class R, class A>
  bool parse(Iterator& first, const Iterator& last, const C& context, R& rule, A& attribute) const {
    ParseState& state = state_of(context);
    const auto outer = state.enter_group(state.skip_blank(first), name);
    const bool is_match = this->subject.parse(first, last, context, rule, attribute);
    state.leave_group(outer);
    return is_match;
  }
};

/// nested(levels)[p]: counts `levels` of nesting while `subject` runs. Inside, | has its ordinary meaning unless
/// BarEnds precedes directly.
template <class Subject>
struct Nested : x3::unary_parser<Subject, Nested<Subject>> {
  using Base = x3::unary_parser<Subject, Nested<Subject>>;
  static constexpr bool is_pass_through_unary = true;
  std::uint32_t levels;

  constexpr Nested(const Subject& inner, std::uint32_t count) : Base(inner), levels(count) {}
  template <class C, class R, class A>
  bool parse(Iterator& first, const Iterator& last, const C& context, R& rule, A& attribute) const {
    const Descent descent(state_of(context), first, levels);
    return this->subject.parse(first, last, context, rule, attribute);
  }

 private:
  /// A destructor restores the state, because the parser may throw.
  class Descent {
   public:
    Descent(ParseState& state, Iterator at, std::uint32_t count)
        : state_(state), count_(count), outer_bar_(state.bar_ends_expression) {
      state_.descend(at, count_);
      state_.bar_ends_expression = std::exchange(state_.bar_ends_next, false);
    }
    ~Descent() {
      state_.bar_ends_expression = outer_bar_;
      state_.ascend(count_);
    }
    Descent(const Descent&) = delete;
    Descent& operator=(const Descent&) = delete;

   private:
    ParseState& state_;
    std::uint32_t count_;
    bool outer_bar_;
  };
};

/// bar_ends[p]: the expression `subject` ends at a | that is not inside of a further bracket.
template <class Subject>
struct BarEnds : x3::unary_parser<Subject, BarEnds<Subject>> {
  using Base = x3::unary_parser<Subject, BarEnds<Subject>>;
  using Base::Base;
  static constexpr bool is_pass_through_unary = true;

  template <class C, class R, class A>
  bool parse(Iterator& first, const Iterator& last, const C& context, R& rule, A& attribute) const {
    state_of(context).bar_ends_next = true;
    return this->subject.parse(first, last, context, rule, attribute);
  }
};

/// apart[p]: compiles `subject` as a separate function. If alternatives were inlined, their attributes would share
/// one stack frame at every level of nesting.
template <class Subject>
struct Apart : x3::unary_parser<Subject, Apart<Subject>> {
  using Base = x3::unary_parser<Subject, Apart<Subject>>;
  using Base::Base;
  static constexpr bool is_pass_through_unary = true;

  template <class C, class R, class A>
  [[gnu::noinline]] bool parse(Iterator& first, const Iterator& last, const C& context, R& rule,
                               A& attribute) const {
    return this->subject.parse(first, last, context, rule, attribute);
  }
};

/// Matches the empty text and leaves its attribute default-constructed: the part is absent.
template <class Node>
struct Absent : x3::parser<Absent<Node>> {
  using attribute_type = Node;
  static constexpr bool has_attribute = true;

  template <class C, class R, class A>
  bool parse(Iterator&, const Iterator&, const C&, R&, A&) const {
    return true;
  }
};

constexpr Absent<ast::Expression> no_expression;
constexpr Absent<ast::Name> no_name;

struct NamedDirective {
  std::string_view name;
  template <class Subject>
  constexpr auto operator[](const Subject& subject) const {
    return Named<typename x3::extension::as_parser<Subject>::value_type>(x3::as_parser(subject),
                                                                         name);
  }
};

struct NestedDirective {
  std::uint32_t levels;
  template <class Subject>
  constexpr auto operator[](const Subject& subject) const {
    return Nested<typename x3::extension::as_parser<Subject>::value_type>(x3::as_parser(subject),
                                                                          levels);
  }
};

struct BarEndsDirective {
  template <class Subject>
  constexpr auto operator[](const Subject& subject) const {
    return BarEnds<typename x3::extension::as_parser<Subject>::value_type>(x3::as_parser(subject));
  }
};

struct ApartDirective {
  template <class Subject>
  constexpr auto operator[](const Subject& subject) const {
    return Apart<typename x3::extension::as_parser<Subject>::value_type>(x3::as_parser(subject));
  }
};

constexpr NamedDirective named(std::string_view name) { return {name}; }
constexpr NestedDirective nested(std::uint32_t levels) { return {levels}; }
constexpr BarEndsDirective bar_ends{};
constexpr ApartDirective apart{};

// The rules that several grammar files use. Each is instantiated once, for the iterator and the context of
// terminals.hpp.

/// Additional levels of nesting for constructs that need more stack than a bracket.
constexpr std::uint32_t pattern_levels = 1;
constexpr std::uint32_t subquery_levels = 4;
constexpr std::uint32_t foreach_levels = 4;

/// For rules whose attribute is Located: stores the place in the text.
struct Locate {
  template <class Node, class AnyContext>
  void on_success(const Iterator& first, const Iterator& last, Node& node,
                  const AnyContext& context) {
    ParseState& state = state_of(context);
    node.begin = static_cast<std::uint32_t>(state.offset(state.skip_blank(first)));
    node.end = static_cast<std::uint32_t>(state.offset(last));
  }
};

// expression_grammar.cpp
struct ExpressionId {};
struct OperandId : Locate {};
struct AtomId : Locate {};
struct MapId : Locate {};
struct ComprehensionId {};
// pattern_grammar.cpp
struct LabelsId : Locate {};
struct PathId : Locate {};
struct PlainPathId : Locate {};
struct SearchId : Locate {};
// clause_grammar.cpp
struct ClauseId : Locate {};
struct SortListId {};
struct YieldListId {};
struct UpdateId : Locate {};
// show_grammar.cpp
struct ClausesId {};
struct ShowId {};
// statement_grammar.cpp
struct CallSubqueryId {};
struct QueryId {};
struct StatementId {};

using ExpressionRule = x3::rule<ExpressionId, ast::Expression>;
using OperandRule = x3::rule<OperandId, ast::Expression>;
using AtomRule = x3::rule<AtomId, ast::Expression>;
using MapRule = x3::rule<MapId, ast::Expression>;
using ComprehensionRule = x3::rule<ComprehensionId, ast::Expression>;
using LabelsRule = x3::rule<LabelsId, ast::LabelExpression>;
using PathRule = x3::rule<PathId, ast::PathPattern>;
using PlainPathRule = x3::rule<PlainPathId, ast::PathPattern>;
using ClauseRule = x3::rule<ClauseId, ast::Clause>;
using SortListRule = x3::rule<SortListId, std::vector<ast::SortItem>>;
using YieldListRule = x3::rule<YieldListId, ast::Yield>;
using ClausesRule = x3::rule<ClausesId, std::vector<ast::Clause>>;
using ShowRule = x3::rule<ShowId, ast::Call>;
using SearchRule = x3::rule<SearchId, ast::Search>;
using CallSubqueryRule = x3::rule<CallSubqueryId, ast::CallSubquery>;
using UpdateRule = x3::rule<UpdateId, ast::Clause>;
using QueryRule = x3::rule<QueryId, ast::Query>;
using StatementRule = x3::rule<StatementId, ast::Statement>;

BOOST_SPIRIT_DECLARE(ExpressionRule, OperandRule, AtomRule, MapRule, ComprehensionRule, LabelsRule,
                     PathRule, PlainPathRule, ClauseRule, SortListRule, YieldListRule, ClausesRule,
                     ShowRule, SearchRule, CallSubqueryRule, UpdateRule, QueryRule, StatementRule)

const ExpressionRule expression = "expression";
const OperandRule operand = "operand";  ///< an atom with its suffixes
const AtomRule atom = "atom";
const MapRule map_literal = "map";
const ComprehensionRule comprehension = "comprehension";  ///< [x IN ...], all(...), reduce(...)
const LabelsRule labels = "labels";                       ///< :A:B, :A|B, :(A&!B)
const PathRule path = "path";                             ///< p = (a)-->(b), shortestPath(...)
const PlainPathRule plain_path = "plain_path";            ///< a path without a name
const ClauseRule clause = "clause";
const SortListRule sort_list = "ORDER BY";
const YieldListRule yield_list = "YIELD items";
const ClausesRule clauses = "clauses";
const ShowRule show = "SHOW";
const SearchRule search = "SEARCH";
const CallSubqueryRule call_subquery = "CALL { }";
const UpdateRule update = "update";  ///< CREATE, SET and other clauses that write
const QueryRule query = "query";
const StatementRule statement = "statement";

}  // namespace cairn::query::grammar
