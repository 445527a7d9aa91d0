#pragma once
// Rankings for memories, ready to use: see Ranking for what one is made of.
//
//     RecallRequest request;
//     request.ranking = rrf_ranking();

#include <cairn/ranking.hpp>
#include <cairn/visibility.hpp>

#include <cstdint>
#include <map>
#include <string>

namespace cairn::memory {

/// Similarity times (1 + factor) for each truthy field, at most 1:
/// min(similarity * product of (1 + factor), 1), chosen among twice the hits asked for.
[[nodiscard]] CAIRN_EXPORT Ranking
similarity_ranking(const std::map<std::string, double>& boosts = {});
/// Similarity + recency of `modified_time` + early chunks, not limited:
/// similarity + 0.1 / (1 + days / 30) + 0.05 * (1 - chunk_index / total_chunks), of twice the hits.
[[nodiscard]] CAIRN_EXPORT Ranking recency_ranking(double boost_recent = 0.1,
                                                   double boost_early_chunks = 0.05);
/// What a question is about: things, or how they hang together.
enum class QuestionKind : std::uint8_t { general, relational };

/// Reciprocal ranks of meaning, keywords and graph by 0.6 / 0.2 / 0.2, for relational questions
/// 0.4 / 0.2 / 0.4: sum of weight / (60 + rank), of four times the hits asked
/// for.
[[nodiscard]] CAIRN_EXPORT Ranking rrf_ranking(QuestionKind kind = QuestionKind::general);

}  // namespace cairn::memory
