#pragma once
// The structs of the tree as Boost.Fusion sequences, so that a rule's attribute is filled member by
// member. Structs with one member are left out: X3 takes them for their member.

#include "query/syntax/ast.hpp"
#include "query/syntax/precedence.hpp"

#include <boost/fusion/include/adapt_struct.hpp>

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
                          on_error)
BOOST_FUSION_ADAPT_STRUCT(cairn::query::ast::CallSubquery, imports, query, transactions)

BOOST_FUSION_ADAPT_STRUCT(cairn::query::ast::IndexTarget, on_relationship, variable, names)
BOOST_FUSION_ADAPT_STRUCT(cairn::query::ast::IndexProperty, variable, path)
BOOST_FUSION_ADAPT_STRUCT(cairn::query::ast::CreateIndex, type, name, if_not_exists, target,
                          properties, options)
BOOST_FUSION_ADAPT_STRUCT(cairn::query::ast::DropIndex, name, if_exists)
BOOST_FUSION_ADAPT_STRUCT(cairn::query::ast::CreateConstraint, name, if_not_exists, target,
                          properties, type, options)
BOOST_FUSION_ADAPT_STRUCT(cairn::query::ast::DropConstraint, name, if_exists)
BOOST_FUSION_ADAPT_STRUCT(cairn::query::ast::DropNameSpace, name, if_exists)
BOOST_FUSION_ADAPT_STRUCT(cairn::query::ast::Statement, mode, content)
