// Reorders hits: by the similarity of their texts, and by a scorer of the caller, such as a cross-encoder, within a budget
// of time.
#include "query/recall/recall_order.hpp"

#include "engine/system/limits.hpp"
#include "query/recall/recall_records.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace cairn::query {
namespace {

/// Returns the share of the terms of `a` that `b` contains too. Both lists are sorted.
double shared_terms(const std::vector<std::uint32_t>& a, const std::vector<std::uint32_t>& b) {
  std::size_t common = 0;
  auto other = b.begin();
  for (const std::uint32_t term : a) {
    while (other != b.end() && *other < term) ++other;
    if (other == b.end()) break;
    common += *other == term ? 1 : 0;
  }
  return a.empty() ? 0 : static_cast<double>(common) / static_cast<double>(a.size());
}

/// Returns the indexed texts of the hits. Adds their memory to `held`.
Result<std::vector<std::string>> texts_of(ExecutionContext& context, const codec::IndexEntry& index,
                                          std::span<const RankedRecord> hits,
                                          engine::Charge& held) {
  std::vector<std::uint64_t> ids;
  for (const RankedRecord& hit : hits) ids.push_back(hit.id);
  CAIRN_ASSIGN(auto texts, indexed_texts(context.graph.view(), index, ids));
  for (const std::string& text : texts) CAIRN_TRY(held.add(text.size()));
  return texts;
}

/// Returns the terms of each hit's text as small numbers, sorted and distinct, so that two texts are compared by a merge.
/// The numbers are valid within one call.
Result<std::vector<std::vector<std::uint32_t>>> terms_of(ExecutionContext& context,
                                                         const codec::IndexEntry& index,
                                                         const engine::Analyzer& analyzer,
                                                         std::span<const RankedRecord> hits) {
  engine::Charge held(&context.budget);
  CAIRN_ASSIGN(const auto texts, texts_of(context, index, hits, held));
  engine::TextWork work(&context.budget);
  std::unordered_map<std::string, std::uint32_t> numbers;
  std::vector<std::vector<std::uint32_t>> all;
  for (const std::string& text : texts) {
    CAIRN_TRY(context.budget.step(1 + text.size() / 256));
    std::vector<std::uint32_t>& terms = all.emplace_back();
    CAIRN_ASSIGN(auto tokens, analyzer.text_tokens(text, work));
    for (auto& token : tokens) {
      if (token.is_stop_word) continue;
      const auto next = static_cast<std::uint32_t>(numbers.size());
      terms.push_back(numbers.try_emplace(std::move(token.term), next).first->second);
    }
    std::sort(terms.begin(), terms.end());
    terms.erase(std::unique(terms.begin(), terms.end()), terms.end());
  }
  return all;
}

/// Returns the scores of RecallReranking::score.
Result<std::vector<double>> new_scores(const RecallReranking& asked, std::string_view question,
                                       std::span<const std::string> texts) {
  CAIRN_ASSIGN(auto scores, asked.score(question, texts));
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

}  // namespace

// Maximal marginal relevance (Carbonell, Goldstein 1998) over three times `limit` hits. Each step takes the hit with
// the best score after a penalty. The penalty grows with the similarity to the most similar hit among those taken
// before. Cost: limit squared.
Status diversify_hits(ExecutionContext& context, const codec::IndexEntry& index,
                      const engine::Analyzer& analyzer, const RecallOptions& options,
                      std::size_t most, std::vector<RankedRecord>& hits) {
  const bool is_all = options.limit > hits.size() / 3;  // three times the limit may overflow
  const std::size_t count = is_all ? hits.size() : options.limit * 3;
  CAIRN_ASSIGN(const auto terms, terms_of(context, index, analyzer, std::span(hits).first(count)));
  // For each hit, the similarity to the most similar hit taken before.
  std::vector<double> likest(count, 0);
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto worth = [&](std::size_t hit) {
    return hits[hit].score * (1 - options.features.diversity * likest[hit]);
  };
  const std::size_t wanted = std::min(most, count);
  const auto end = order.begin() + static_cast<std::ptrdiff_t>(wanted);
  for (auto next = order.begin(); next != end; ++next) {
    CAIRN_TRY(context.budget.step(static_cast<std::size_t>(order.end() - next)));
    const auto best = std::max_element(
        next, order.end(), [&](std::size_t a, std::size_t b) { return worth(a) < worth(b); });
    std::rotate(next, best, best + 1);  // the rest keeps its order
    for (auto rest = next + 1; rest != order.end(); ++rest)
      likest[*rest] = std::max(likest[*rest], shared_terms(terms[*rest], terms[*next]));
  }
  std::vector<RankedRecord> chosen;
  for (auto hit = order.begin(); hit != end; ++hit) chosen.push_back(hits[*hit]);
  hits = std::move(chosen);
  return {};
}

Status check_reranking(const RecallReranking& asked) {
  if (!asked.score || asked.batch > 0) return {};
  return Error{
      ErrorCode::invalid_argument, "`rerank.batch` of recall must be at least 1, got 0", {}};
}

Result<std::vector<double>> scores_of(const RecallReranking& asked, std::string_view question,
                                      std::size_t count, const TextsFrom& texts) {
  using Clock = std::chrono::steady_clock;
  const auto begin = Clock::now();
  std::vector<double> all;
  while (all.size() < count) {
    const bool is_late = asked.budget.count() > 0 && Clock::now() - begin >= asked.budget;
    if (is_late && !all.empty()) break;
    CAIRN_ASSIGN(const auto batch, texts(all.size(), std::min(asked.batch, count - all.size())));
    CAIRN_ASSIGN(const auto scores, new_scores(asked, question, batch));
    all.insert(all.end(), scores.begin(), scores.end());
  }
  return all;
}

// Hits that were not scored in time follow the scored hits, in their original order.
Status rerank_hits(ExecutionContext& context, const codec::IndexEntry& index,
                   const RecallReranking& asked, std::string_view question,
                   std::vector<RankedRecord>& hits) {
  engine::Charge held(&context.budget);
  const auto texts = [&](std::size_t first, std::size_t size) -> Result<std::vector<std::string>> {
    CAIRN_TRY(held.set(0));
    CAIRN_TRY(context.budget.step(size));
    return texts_of(context, index, std::span(hits).subspan(first, size), held);
  };
  CAIRN_ASSIGN(const auto scores,
               scores_of(asked, question, std::min(asked.hits, hits.size()), texts));
  std::vector<std::pair<double, std::size_t>> scored;  // the negative score and the place
  for (const double score : scores) scored.emplace_back(-score, scored.size());
  std::ranges::sort(scored);
  std::vector<RankedRecord> ordered;
  for (const auto& [score, place] : scored) ordered.push_back(hits[place]);
  std::ranges::move(ordered, hits.begin());
  return {};
}

}  // namespace cairn::query
