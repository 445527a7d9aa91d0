// MATCH and its SEARCH.

#include "query/bind/binder.hpp"

#include <algorithm>

namespace cairn::query {

// Variables of all paths first: a condition on one may name another.
Result<MatchClause> Binder::bind_match(std::span<const ast::PathPattern> paths, PatternUse use) {
  const Restored<std::unordered_set<std::string_view>> fresh(clause_relationships_, {});
  MatchClause match;
  for (const ast::PathPattern& path : paths) {
    CAIRN_ASSIGN(auto bound, declare_path(path, use, match.introduced));
    match.paths.push_back(std::move(bound));
  }
  for (std::size_t i = 0; i < paths.size(); ++i) {
    CAIRN_TRY(bind_path_conditions(paths[i], match.paths[i], match.conjuncts));
    const PathPattern& bound = match.paths[i];
    if (!bound.relationships.empty() || !bound.nodes[0].is_bound) continue;
    // A node that an OPTIONAL MATCH left null matches no pattern.
    ExpressionPtr present = make(ExpressionKind::is_not_null, {});
    present->children.push_back(make_variable(bound.nodes[0].slot, {}));
    match.conjuncts.push_back(std::move(present));
  }
  match.width = scope_->width();
  return match;
}

Result<Clause> Binder::bind_clause(const ast::Match& clause, const ast::Clause&) {
  const bool has_search = !clause.search.variable.empty();
  std::optional<SearchClause> search;
  if (has_search) {
    CAIRN_ASSIGN(search, bind_search_inputs(clause.search));
  }
  CAIRN_ASSIGN(MatchClause match, bind_match(clause.paths, PatternUse::match));
  match.optional = clause.is_optional;
  match.search = std::move(search);
  if (has_search) CAIRN_TRY(bind_search_target(clause.search, match));
  CAIRN_TRY(bind_conjuncts(clause.where, match.conjuncts));
  match.width = scope_->width();
  return Clause(std::move(match));
}

// The search comes before the pattern: its inputs see what was bound before this clause.
Result<SearchClause> Binder::bind_search_inputs(const ast::Search& search) {
  SearchClause bound;
  bound.variable = search.variable.text;
  bound.is_full_text = search.is_full_text;
  bound.index = search.index.text;
  bound.exact = search.is_exact;
  bound.where = source_.range(search.begin, search.end);
  CAIRN_ASSIGN(bound.query, bind_untyped(search.query));
  CAIRN_ASSIGN(bound.limit, bind_untyped(search.limit));
  if (search.is_full_text && !search.ef.empty()) {
    return error(search.ef, "EF is of vector indexes; a full-text search is exact without it");
  }
  CAIRN_ASSIGN(bound.ef_search, bind_optional(search.ef));
  return bound;
}

// Searching for what is bound already would discard hits; the pattern must begin with the search.
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
  if (search.score.empty()) return {};
  if (scope_->find(search.score.text)) return already_bound(search.score);
  match.search->score = scope_->declare(search.score.text, TypeKind::floating).slot;
  match.introduced.push_back(*match.search->score);
  return {};
}

// The filter holds before the pattern goes on, so it cannot know the rest of the pattern.
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
