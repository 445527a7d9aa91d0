#pragma once
// Ready-made rankings for memories; Ranking explains the parts of a ranking.
//
//     RecallRequest request;
//     request.ranking = rrf_ranking();

#include <cairn/ranking.hpp>
#include <cairn/visibility.hpp>

#include <cstdint>
#include <map>
#include <string>

namespace cairn::memory {

/// Similarity times (1 + factor) for each truthy field, at most 1: min(similarity * product of (1 +
/// factor), 1). The similarity is the sum of the retrievers' scores. It ranks twice as many hits as
/// requested.
[[nodiscard]] CAIRN_EXPORT Ranking
similarity_ranking(const std::map<std::string, double>& boosts = {});
/// Similarity plus a bonus for recent `modified_time` and for early chunks, without an upper limit:
/// similarity + 0.1 / (1 + days / 30) + 0.05 * (1 - chunk_index / total_chunks). It ranks twice as
/// many hits as requested.
[[nodiscard]] CAIRN_EXPORT Ranking recency_ranking(double boost_recent = 0.1,
                                                   double boost_early_chunks = 0.05);
/// What a question asks about: things, or relations between things.
enum class QuestionKind : std::uint8_t { general, relational };

/// Reciprocal rank fusion of vectors, keywords and graph, sum of weight / (60 + rank): with weights
/// 0.6 / 0.2 / 0.2, for relational questions 0.4 / 0.2 / 0.4. It ranks four times as many hits as
/// requested.
[[nodiscard]] CAIRN_EXPORT Ranking rrf_ranking(QuestionKind kind = QuestionKind::general);

}  // namespace cairn::memory
