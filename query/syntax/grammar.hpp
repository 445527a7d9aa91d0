#pragma once
// The rules that one file of the grammar uses from another. Each is instantiated once, for the one
// iterator and the one context of terminals.hpp.

#include "query/syntax/ast_adapted.hpp"
#include "query/syntax/directives.hpp"

#include <boost/spirit/home/x3.hpp>

namespace cairn::query::grammar {

/// What takes more stack than a bracket counts as that many levels more.
constexpr std::uint32_t pattern_levels = 1;
constexpr std::uint32_t subquery_levels = 4;
constexpr std::uint32_t foreach_levels = 4;

/// Rules whose attribute is Located: they remember where it stands.
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
// atom_grammar.cpp
struct AtomId : Locate {};
struct MapId : Locate {};
// comprehension_grammar.cpp
struct ComprehensionId {};
// pattern_grammar.cpp
struct LabelsId : Locate {};
struct PathId : Locate {};
struct PlainPathId : Locate {};
// clause_grammar.cpp
struct ClauseId : Locate {};
// search_grammar.cpp
struct SearchId : Locate {};
// subquery_grammar.cpp
struct CallSubqueryId {};
// update_grammar.cpp
struct UpdateId : Locate {};
// statement_grammar.cpp
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
using SearchRule = x3::rule<SearchId, ast::Search>;
using CallSubqueryRule = x3::rule<CallSubqueryId, ast::CallSubquery>;
using UpdateRule = x3::rule<UpdateId, ast::Clause>;
using QueryRule = x3::rule<QueryId, ast::Query>;
using StatementRule = x3::rule<StatementId, ast::Statement>;

BOOST_SPIRIT_DECLARE(ExpressionRule, OperandRule, AtomRule, MapRule, ComprehensionRule, LabelsRule,
                     PathRule, PlainPathRule, ClauseRule, SearchRule, CallSubqueryRule, UpdateRule,
                     QueryRule, StatementRule)

const ExpressionRule expression = "expression";
const OperandRule operand = "operand";  ///< an atom with its suffixes
const AtomRule atom = "atom";
const MapRule map_literal = "map";
const ComprehensionRule comprehension = "comprehension";  ///< [x IN ...], all(...), reduce(...)
const LabelsRule labels = "labels";                       ///< :A:B, :A|B, :(A&!B)
const PathRule path = "path";                             ///< p = (a)-->(b), shortestPath(...)
const PlainPathRule plain_path = "plain_path";            ///< without a name
const ClauseRule clause = "clause";
const SearchRule search = "SEARCH";
const CallSubqueryRule call_subquery = "CALL { }";
const UpdateRule update = "update";  ///< CREATE, SET and the like
const QueryRule query = "query";
const StatementRule statement = "statement";

}  // namespace cairn::query::grammar
