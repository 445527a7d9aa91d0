// The formulas of the source systems as rankings of the one pipeline.
// For callers who come from one of these systems and expect its order of results. Numbers are those
// of the source documents.

#include <cairn/memory/ranking.hpp>

namespace cairn {

std::string_view to_string(RetrieverKind retriever) noexcept {
  constexpr std::string_view names[] = {"vector", "text", "keyword", "graph"};
  return names[static_cast<std::size_t>(retriever)];
}

namespace memory {

// min(similarity * product of (1 + factor), 1), chosen among twice the rows asked for.
Ranking similarity_ranking(const std::map<std::string, double>& boosts) {
  Ranking ranking;
  ranking.oversample = 2;
  for (const auto& [field, factor] : boosts) ranking.boosts.push_back({field, factor, {}});
  return ranking;
}

// similarity + 0.1 / (1 + days / 30) + 0.05 * (1 - chunk_index / total_chunks), 20 hits for 10 rows.
Ranking recency_ranking(double boost_recent, double boost_early_chunks) {
  Ranking ranking;
  ranking.oversample = 2;
  ranking.highest_score = {};
  ranking.terms.push_back({Ranking::Term::Kind::recency, boost_recent, "modified_time", {}, 30});
  ranking.terms.push_back(
      {Ranking::Term::Kind::position, boost_early_chunks, "chunk_index", "total_chunks", 30});
  return ranking;
}

// A question in words is looked up by the text index where there is one, else by keywords: the two
// have the same weight and are not used together.
Ranking rrf_ranking(QuestionKind kind) {
  const bool relational = kind == QuestionKind::relational;
  Ranking ranking;
  ranking.fusion.kind = Fusion::Kind::reciprocal_rank;
  ranking.fusion.k = 60;
  ranking.fusion.weights = {{RetrieverKind::vector, relational ? 0.4 : 0.6},
                            {RetrieverKind::text, 0.2},
                            {RetrieverKind::keyword, 0.2},
                            {RetrieverKind::graph, relational ? 0.4 : 0.2}};
  return ranking;
}

}  // namespace memory
}  // namespace cairn
