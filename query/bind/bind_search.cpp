// SEARCH: retrievers, target and conditions. The parts of a SEARCH are bound in three stages, because each stage may
// use different variables:
//
//    inputs      FOR, EF, WEIGHT, LIMIT, ...   variables of earlier clauses
//    target      the searched variable         must be introduced by the pattern of this MATCH
//    conditions  WHERE of SEARCH               variables of earlier clauses, and the target
//
// An option that a kind of retriever does not support is an error and is not ignored.

#include "query/bind/ast_walk.hpp"
#include "query/bind/binder.hpp"
#include "query/syntax/lexical.hpp"
#include "query/syntax/nearest_name.hpp"

#include <cairn/vector_search.hpp>

#include <algorithm>
#include <array>

namespace cairn::query {
namespace {

/// In the order of VectorAccuracy.
constexpr std::array<std::string_view, 4> accuracy_names = {"fast", "default", "high", "exact"};

using Fusion = Fusion::Kind;
constexpr std::array<std::string_view, 4> fusion_names = {"RRF", "ZSCORE", "MAX_NORM", "MIN_MAX"};
/// In the order of fusion_names.
constexpr std::array<Fusion, 4> fusions = {Fusion::reciprocal_rank, Fusion::z_score,
                                           Fusion::max_norm, Fusion::min_max};

/// Returns the index of a word in a list of keywords, compared without case.
template <std::size_t size>
std::optional<std::size_t> place_of(std::string_view word,
                                    const std::array<std::string_view, size>& known) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  const auto found = std::ranges::find_if(
      known, [&](std::string_view one) { return std::ranges::equal(one, word, {}, lower, lower); });
  if (found == known.end()) return std::nullopt;
  return static_cast<std::size_t>(found - known.begin());
}

bool is_graph(const ast::SearchRetriever& retriever) {
  return retriever.kind == RetrieverKind::graph;
}

/// True if a node of a graph pattern has at most a name.
bool is_bare(const ast::NodePattern& node) {
  return node.labels.empty() && node.properties.empty() && node.system.empty() &&
         node.where.empty();
}

/// True if the retriever starts from a named node, and not from the hits of other retrievers.
bool has_seed(const ast::SearchRetriever& retriever) {
  const auto& steps = retriever.path.element.steps;
  return !steps.empty() && !steps.back().node.variable.empty();
}

}  // namespace

// The inputs are evaluated before the pattern and see the variables of earlier clauses. Options of the strategy after
// WHERE belong to the only retriever; options of a retriever itself are bound with it.
Result<SearchClause> Binder::bind_search_inputs(const ast::Search& search) {
  CAIRN_TRY(check_retrievers(search));
  SearchClause bound;
  bound.variable = search.variable.text;
  bound.is_hybrid = search.from.is_hybrid;
  bound.where = source_.range(search.begin, search.end);
  for (const ast::SearchRetriever& retriever : search.from.retrievers) {
    CAIRN_ASSIGN(SearchRetriever one, bind_retriever(retriever, search));
    bound.retrievers.push_back(std::move(one));
  }
  if (!search.way.empty()) CAIRN_TRY(bind_way(search.way, bound.retrievers.front()));
  CAIRN_TRY(bind_fusion(search.from.fusion, bound));
  CAIRN_ASSIGN(bound.candidates, bind_optional(search.candidates));
  CAIRN_TRY(bind_cut(search, bound));
  return bound;
}

// An option at a place without meaning is refused, because an ignored option would seem to work.
Status Binder::check_retrievers(const ast::Search& search) const {
  const std::vector<ast::SearchRetriever>& retrievers = search.from.retrievers;
  if (search.from.is_hybrid) return check_hybrid(search);
  if (retrievers.size() > 1)
    return error(retrievers[1], "several retrievers need HYBRID before them: SEARCH " +
                                    search.variable.text +
                                    " IN (HYBRID VECTOR INDEX ..., FULLTEXT INDEX ... LIMIT 10)");
  return check_single(search);
}

// A GRAPH retriever starts from the hits of other retrievers, or from a bound node. So at least one retriever must be
// able to start the search.
Status Binder::check_hybrid(const ast::Search& search) const {
  const std::vector<ast::SearchRetriever>& retrievers = search.from.retrievers;
  const ast::SearchRetriever& first = retrievers.front();
  if (retrievers.size() < 2)
    return error(first,
                 "HYBRID needs two retrievers or more, with commas between them; for one retriever "
                 "leave out HYBRID");
  if (!search.way.empty())
    return error(search.way,
                 "in a hybrid search, write PLAIN, EXACT, EF and ACCURACY after the retriever "
                 "that they apply to, before its WEIGHT");
  const bool can_start = std::ranges::any_of(retrievers, [](const auto& retriever) {
    return !is_graph(retriever) || has_seed(retriever);
  });
  if (can_start) return {};
  return error(
      first,
      "GRAPH starts from the hits of other retrievers: add a VECTOR or FULLTEXT retriever, "
      "or end its pattern in a node that is bound before");
}

// Refuses the parts that only a HYBRID search can have: weights, a fusion, candidates and a GRAPH retriever. Refuses
// options of the strategy in two places.
Status Binder::check_single(const ast::Search& search) const {
  const ast::SearchRetriever& only = search.from.retrievers.front();
  if (is_graph(only))
    return error(only,
                 "GRAPH is only possible in a HYBRID search; for the graph alone, write a pattern");
  if (!only.weight.empty())
    return error(
        only.weight,
        "a single retriever has no WEIGHT; for several retrievers, write HYBRID before them");
  if (!search.from.fusion.method.empty())
    return error(
        search.from.fusion.method,
        "FUSE is only possible in a HYBRID search; a single retriever has nothing to fuse");
  if (!search.candidates.empty())
    return error(
        search.candidates,
        "CANDIDATES is only possible in a HYBRID search; for a single retriever, use LIMIT");
  if (!only.way.empty() && !search.way.empty())
    return error(search.way,
                 "write PLAIN, EXACT, EF and ACCURACY in one place, after FOR or after WHERE");
  return {};
}

// Binds one retriever with its query or pattern, its options and its weight.
Result<SearchRetriever> Binder::bind_retriever(const ast::SearchRetriever& retriever,
                                               const ast::Search& search) {
  SearchRetriever bound;
  bound.kind = retriever.kind;
  bound.index = retriever.index.text;
  bound.where = source_.range(retriever.begin, retriever.end);
  if (is_graph(retriever)) {
    CAIRN_TRY(bind_graph_retriever(retriever, search, bound));
  } else {
    CAIRN_ASSIGN(bound.query, bind_untyped(retriever.query));
    if (!retriever.way.empty()) CAIRN_TRY(bind_way(retriever.way, bound));
  }
  CAIRN_ASSIGN(bound.weight, bind_optional(retriever.weight));
  return bound;
}

// ACCURACY excludes EXACT and EF, because it chooses them. ACCURACY exact means EXACT.
Status Binder::bind_way(const ast::SearchStrategy& way, SearchRetriever& bound) {
  if (bound.kind == RetrieverKind::ranked)
    return error(way, "a RANKED INDEX takes no options; its query has no syntax");
  if (bound.kind == RetrieverKind::text && !way.ef.empty())
    return error(way.ef, "EF applies to vector indexes only; a full-text search is always exact");
  if (bound.kind == RetrieverKind::text && !way.recall.empty())
    return error(way.recall,
                 "ACCURACY applies to vector indexes only; a full-text search is always exact");
  if (bound.kind == RetrieverKind::vector && way.is_plain)
    return error(
        way, "PLAIN applies to full-text indexes only: it switches off the query syntax of a text");
  bound.plain = way.is_plain;
  if (way.is_exact) bound.accuracy = VectorAccuracy::exact;
  CAIRN_ASSIGN(bound.ef_search, bind_optional(way.ef));
  if (way.recall.empty()) return {};
  if (way.is_exact || bound.ef_search)
    return error(way.recall,
                 "ACCURACY chooses EXACT and EF itself; leave out ACCURACY, or EXACT and EF");
  const auto place = place_of(way.recall.text, accuracy_names);
  if (!place)
    return unknown_word(way.recall, "ACCURACY is fast, default, high or exact", accuracy_names);
  bound.accuracy = static_cast<VectorAccuracy>(*place);
  return {};
}

// WITHIN alone returns all vectors within the distance: the search compares every allowed vector (exact). With ACCURACY
// or EF, the search is approximate and may miss some vectors.
Status Binder::bind_cut(const ast::Search& search, SearchClause& bound) {
  SearchRetriever& retriever = bound.retrievers.front();
  if (!search.cut.within.empty() && bound.is_hybrid)
    return error(
        search.cut.within,
        "WITHIN needs a search of a single vector index; in a hybrid search, use MIN SCORE");
  if (!search.cut.within.empty() && retriever.kind != RetrieverKind::vector)
    return error(search.cut.within,
                 "WITHIN applies to vector indexes only; for texts, use MIN SCORE");
  CAIRN_ASSIGN(bound.within, bind_optional(search.cut.within));
  CAIRN_ASSIGN(bound.min_score, bind_optional(search.cut.min_score));
  CAIRN_ASSIGN(bound.limit, bind_optional(search.cut.limit));
  const bool says_how = retriever.ef_search || retriever.accuracy;
  if (bound.within && !says_how) retriever.accuracy = VectorAccuracy::exact;
  return {};
}

// Makes the error for an unknown keyword, with the most similar known keyword.
Error Binder::unknown_word(const ast::Name& word, std::string_view sentence,
                           std::span<const std::string_view> known) const {
  const std::string_view nearest = nearest_name(word.text, known);
  const std::string advice = nearest.empty() ? "" : "; did you mean " + std::string(nearest) + "?";
  return error(word, std::string(sentence) + ", and not `" + word.text + "`" + advice);
}

// A graph retriever is a pattern of one relationship, from the searched variable, without conditions.
Status Binder::check_graph_path(const ast::SearchRetriever& retriever,
                                const ast::Search& search) const {
  const ast::PathElement& path = retriever.path.element;
  const std::string& searched = search.variable.text;
  const std::string example = "GRAPH (" + searched + ")-[:TYPE*1..2]-()";
  if (path.search != ast::PathSearch::every || path.steps.size() != 1)
    return error(retriever.path, "a GRAPH retriever is one relationship with its hops: " + example);
  if (path.first.variable.text != searched)
    return error(retriever.path, "a GRAPH retriever begins with the searched variable: " + example);
  const ast::RelationshipDetails& details = path.steps.front().relationship.details;
  const bool has_more = !is_bare(path.first) || !is_bare(path.steps.front().node) ||
                        !details.variable.empty() || !details.properties.empty() ||
                        !details.system.empty() || !details.where.empty() ||
                        (!details.types.empty() && simple_types(details.types).empty());
  if (!has_more) return {};
  return error(retriever.path,
               "a GRAPH retriever has only a direction, types and hops; conditions on " + searched +
                   " go into the WHERE of SEARCH: " + example);
}

// Without hops the retriever makes one step. An upper bound is required, because an unbounded walk would read the
// whole graph.
Status Binder::bind_graph_retriever(const ast::SearchRetriever& retriever,
                                    const ast::Search& search, SearchRetriever& bound) {
  CAIRN_TRY(check_graph_path(retriever, search));
  const ast::PathStep& step = retriever.path.element.steps.front();
  bound.direction = direction_of(step.relationship);
  bound.types = simple_types(step.relationship.details.types);
  bound.hops = {1, 1};
  if (step.relationship.hops().is_present) {
    CAIRN_ASSIGN(bound.hops, bind_hops(step.relationship));
  }
  if (!bound.hops.most)
    return error(retriever.path, "a GRAPH retriever needs an upper bound for its hops: *1..2");
  if (*bound.hops.most < bound.hops.least)
    return error(
        retriever.path,
        "the upper bound of the hops is less than the lower bound; write the smaller number first");
  return step.node.variable.empty() ? Status() : bind_seed(step.node.variable, bound);
}

// A seed of unknown type is checked at run time: it must be a node or null.
Status Binder::bind_seed(const ast::Name& name, SearchRetriever& bound) {
  CAIRN_ASSIGN(const Variable seed, find_variable(name));
  if (!seed.type.is(TypeKind::node) && !seed.type.is_open())
    return error(name, "`" + name.text + "` is " + std::string(seed.type.text()) +
                           "; a GRAPH retriever starts from a node that is bound before, or from "
                           "the hits of the other retrievers: ()");
  bound.seed = make_variable(seed.slot, name);
  return {};
}

// Binds FUSE method(k). Only RRF has a k.
Status Binder::bind_fusion(const ast::SearchFusion& fusion, SearchClause& bound) {
  if (fusion.method.empty()) return {};
  const auto place = place_of(fusion.method.text, fusion_names);
  if (!place)
    return unknown_word(fusion.method, "FUSE is MAX_NORM, ZSCORE, MIN_MAX or RRF", fusion_names);
  bound.fusion = fusions[*place];
  if (!fusion.k.empty() && bound.fusion != Fusion::reciprocal_rank)
    return error(fusion.k, "only RRF takes a number, the constant that is added to ranks");
  CAIRN_ASSIGN(bound.fusion_k, bind_optional(fusion.k));
  return {};
}

// The searched variable must be introduced by this pattern: a search for a bound variable would discard most hits.
Status Binder::bind_search_target(const ast::Search& search, MatchClause& match) {
  CAIRN_ASSIGN(const Variable target, find_variable(search.variable));
  const bool is_new = std::ranges::find(match.introduced, target.slot) != match.introduced.end();
  if (!is_new || !target.type.is_entity()) {
    return error(search.variable, "`" + search.variable.text +
                                      "` must be a node or a relationship that the pattern of this "
                                      "MATCH introduces");
  }
  match.search->slot = target.slot;
  CAIRN_TRY(bind_search_conditions(search, match));
  CAIRN_TRY(bind_search_output(search.score, TypeKind::floating, match, match.search->score));
  return bind_search_output(search.parts, StaticType::list_of(TypeKind::map), match,
                            match.search->parts);
}

// The outputs count as introduced by the clause, so that OPTIONAL MATCH sets them to null.
Status Binder::bind_search_output(const ast::Name& name, StaticType type, MatchClause& match,
                                  std::optional<Slot>& slot) {
  if (name.empty()) return {};
  if (scope_->find(name.text)) return already_bound(name);
  slot = scope_->declare(name.text, type).slot;
  match.introduced.push_back(*slot);
  return {};
}

// The filter is evaluated before the rest of the pattern, so it cannot use variables of the pattern except the target.
Status Binder::bind_search_conditions(const ast::Search& search, MatchClause& match) {
  NameSet names;
  collect_names(search.where, names);
  for (const std::string_view name : names) {
    const auto variable = scope_->find(name);
    const bool is_late =
        variable && name != search.variable.text &&
        std::ranges::find(match.introduced, variable->slot) != match.introduced.end();
    if (is_late) {
      return error(search.where, "`" + std::string(name) +
                                     "` is matched after the search, so the WHERE of SEARCH cannot "
                                     "name it; use a pattern there, or the WHERE of MATCH");
    }
  }
  return bind_conjuncts(search.where, match.search->conjuncts);
}

}  // namespace cairn::query
