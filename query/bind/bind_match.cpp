// MATCH: its patterns, and what its SEARCH finds before them.
// A MATCH is one set of paths with one list of conditions: labels, inline properties, inline WHERE
// and the WHERE behind it. Their order is kept, for conditions of one place are checked as written.

#include "query/bind/binder.hpp"

namespace cairn::query {

// Variables of all paths first: a condition on one may name another.
// `introduced` gets the slots that have no value before it; OPTIONAL sets these to null where
// nothing matches. Each relationship's name may stand once in all of the paths.
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

// The search's inputs are bound before the pattern's variables exist, its filter and outputs after
// the pattern and before the WHERE of the MATCH, which may read the score.
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

}  // namespace cairn::query
