#pragma once
// The features that go beyond the text of a single record. Each takes what the steps before it have found, and returns
// scores or adds them to the candidates.

#include "codec/bitmap.hpp"
#include "engine/fulltext/text_search.hpp"
#include "query/execute/pipeline/execution_context.hpp"
#include "query/recall/recall_candidates.hpp"
#include "query/recall/recall_records.hpp"
#include "query/recall/recall_search.hpp"

#include <cairn/recall.hpp>
#include <cairn/result.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::query {

/// Pseudo-relevance feedback: finds texts by the words that the first texts share. Returns their scores with the weight of
/// feedback; none if the shared words say nothing about the first texts. Errors: those of the search and of reading.
[[nodiscard]] Result<std::vector<engine::TextHit>> feedback_texts(const RecallSearch& search,
                                                                  const SearchedWords& words,
                                                                  const RecallFeatures& features,
                                                                  const Candidates& candidates);
/// Finds texts by the caller's expansion words that are not in the question. Returns their scores with the weight of
/// expansion, relative to the text score `best_text`. Errors: invalid_argument for a share outside of 0 to 1; those of
/// the search.
[[nodiscard]] Result<std::vector<engine::TextHit>> expansion_texts(const RecallSearch& search,
                                                                   const SearchedWords& words,
                                                                   const RecallOptions& options,
                                                                   double best_text);

/// Finds the members nearest to the vector in the options, and how near the records in `texts` are. Errors:
/// invalid_argument and not_found for a wrong vector or index; those of the search.
[[nodiscard]] Result<NearRecords> near_records(ExecutionContext& context,
                                               const RecallOptions& options,
                                               const codec::Bitmap& members,
                                               const std::vector<std::uint64_t>& texts);

/// A neighbour of a text.
struct ReachedRecord {
  std::uint64_t id = 0;
  double share = 0;  ///< share of the text's score that reaches the neighbour
};
/// The neighbours of each text, in the order of the texts.
using ReachedRecords = std::vector<std::vector<ReachedRecord>>;

/// Finds what the 50 best of `texts` reach: along relationships, or by the order within their groups if no text has a
/// relationship. Returns nullopt if the options turn both off. Errors: those of reading.
[[nodiscard]] Result<std::optional<ReachedRecords>> reached_records(
    ExecutionContext& context, const RecallFeatures& features, RecallNeighbours& neighbours,
    const RecallGroups& groups, const std::vector<std::uint64_t>& texts);
/// Propagates the scores of the best texts, word by word, to the records that they reach, and charges the candidates.
/// Errors: those of the search.
[[nodiscard]] Status propagate(const RecallSearch& search, const SearchedWords& words,
                               const ReachedRecords& reached, Candidates& candidates);

/// Adds the scores of groups, such as sessions or documents. Level n groups the candidates by the first n properties.
/// Errors: those of reading.
[[nodiscard]] Status add_groups(ExecutionContext& context,
                                const std::vector<std::string>& properties, double weight,
                                Candidates& candidates);

/// Evaluates the caller's boosts. Errors: invalid_argument for a weight out of range; those of the filters.
[[nodiscard]] Result<std::vector<BoostedRecords>> boosted_records(
    ExecutionContext& context, const std::vector<RecallBoost>& boosts);
/// Returns for each feature that answers to the question have the records of `among` with it: "when" asks for dates.
/// Errors: those of the search.
[[nodiscard]] Result<std::vector<BoostedRecords>> marked_records(const RecallSearch& search,
                                                                 std::string_view question,
                                                                 const codec::Bitmap& among,
                                                                 double weight);

}  // namespace cairn::query
