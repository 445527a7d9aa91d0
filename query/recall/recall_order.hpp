#pragma once
// The order of hits that have scores: similar texts apart, and by a scorer of the caller.

#include "codec/catalog_entry.hpp"
#include "engine/fulltext/analyzer.hpp"
#include "query/execute/pipeline/execution_context.hpp"

#include <cairn/hit.hpp>
#include <cairn/recall.hpp>
#include <cairn/result.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::query {

/// A record of the result with the parts of its score. The score is from 0 to 1.
struct RankedRecord : FeatureScores {
  std::uint64_t id = 0;
  double score = 0;
  std::vector<std::uint64_t> passage = {};  ///< see Hit::passage
  std::size_t left_out = 0;                 ///< see Hit::left_out
};

/// Reorders the hits, so that similar texts do not follow each other. Leaves at most `most` hits. The texts are those of
/// the full-text index `index`.
[[nodiscard]] Status diversify_hits(ExecutionContext& context, const codec::IndexEntry& index,
                                    const engine::Analyzer& analyzer, const RecallOptions& options,
                                    std::size_t most, std::vector<RankedRecord>& hits);
/// Returns `size` texts from the place `first` on.
using TextsFrom =
    std::function<Result<std::vector<std::string>>(std::size_t first, std::size_t size)>;

/// Errors: invalid_argument.
[[nodiscard]] Status check_reranking(const RecallReranking& asked);
/// Scores up to `count` texts, in batches and within the budget of `asked`. Returns the scores of the first texts. Errors:
/// those of the scorer and of `texts`; invalid_argument for scores that the scorer must not return.
[[nodiscard]] Result<std::vector<double>> scores_of(const RecallReranking& asked,
                                                    std::string_view question, std::size_t count,
                                                    const TextsFrom& texts);
/// Reorders the hits by RecallOptions::rerank. Errors: those of scores_of().
[[nodiscard]] Status rerank_hits(ExecutionContext& context, const codec::IndexEntry& index,
                                 const RecallReranking& asked, std::string_view question,
                                 std::vector<RankedRecord>& hits);

}  // namespace cairn::query
