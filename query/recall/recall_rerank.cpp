// Reranks the best hits by a scorer of the caller, such as a cross-encoder, within a budget of time.

#include "query/recall/recall_run.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cairn::query {

Result<std::vector<double>> RecallRun::new_scores(std::string_view question,
                                                  std::span<const RankedRecord> hits) const {
  std::vector<std::uint64_t> ids;
  for (const RankedRecord& hit : hits) ids.push_back(hit.id);
  CAIRN_ASSIGN(const auto texts, indexed_texts(view_, entry_, ids));
  engine::Charge held(&context_.budget);
  for (const std::string& text : texts) CAIRN_TRY(held.add(text.size()));
  CAIRN_TRY(context_.budget.step(texts.size()));
  CAIRN_ASSIGN(auto scores, options_.rerank.score(question, texts));
  if (scores.size() != texts.size())
    return Error{ErrorCode::invalid_argument,
                 "`rerank.score` of recall returned " + std::to_string(scores.size()) +
                     " scores for " + std::to_string(texts.size()) + " texts; return one for each",
                 {}};
  if (!std::ranges::all_of(scores, [](double score) { return std::isfinite(score); }))
    return Error{ErrorCode::invalid_argument,
                 "`rerank.score` of recall returned a score that is not finite",
                 {}};
  return scores;
}

// Hits that were not scored in time follow the scored hits, in their original order.
Status RecallRun::rerank(std::string_view question, std::vector<RankedRecord>& hits) const {
  using Clock = std::chrono::steady_clock;
  const RecallReranking& asked = options_.rerank;
  const std::size_t count = std::min(asked.hits, hits.size());
  const auto begin = Clock::now();
  std::vector<std::pair<double, std::size_t>> scored;  // the negative score and the place
  while (scored.size() < count) {
    const bool is_late = asked.budget.count() > 0 && Clock::now() - begin >= asked.budget;
    if (is_late && !scored.empty()) break;
    const std::size_t first = scored.size();
    const std::size_t size = std::min(asked.batch, count - first);
    CAIRN_ASSIGN(const auto scores, new_scores(question, std::span(hits).subspan(first, size)));
    for (std::size_t i = 0; i < size; ++i) scored.emplace_back(-scores[i], first + i);
  }
  std::ranges::sort(scored);
  std::vector<RankedRecord> ordered;
  for (const auto& [score, place] : scored) ordered.push_back(hits[place]);
  std::ranges::move(ordered, hits.begin());
  return {};
}

}  // namespace cairn::query
