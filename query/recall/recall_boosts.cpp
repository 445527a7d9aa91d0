// What the caller adds to a recall: rules, and words beside those of the question; and the features of
// texts that answer it.
// Boosts multiply at the end (ranked()), extra words add to the text's part. Each boost is a filter
// to ids, once.

#include "engine/fulltext/text_features.hpp"
#include "engine/fulltext/text_hits.hpp"
#include "query/execute/filter/filter_ids.hpp"
#include "query/recall/recall_run.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace cairn::query {
namespace {

constexpr std::size_t most_words = 64;

Error refusal(std::string message) { return {ErrorCode::invalid_argument, std::move(message), {}}; }

/// Weights below -1 would make scores negative; 1,000 is beyond any use.
constexpr double most_weight = 1'000;

Status check(const std::vector<RecallWord>& words) {
  if (words.size() > most_words)
    return refusal("recall takes at most 64 words in `expansion`, got " +
                   std::to_string(words.size()));
  for (const RecallWord& word : words)
    if (!(word.share >= 0 && word.share <= 1))
      return refusal("the share of the word \"" + word.word + "\" in `expansion` is from 0 to 1");
  return {};
}

}  // namespace

Status RecallRun::find_boosts() {
  for (const RecallBoost& boost : options_.boosts) {
    if (!(boost.weight >= -1 && boost.weight <= most_weight))
      return refusal("the weight of a boost is from -1 to 1000");
    CAIRN_TRY(validate(boost.filter));
    CAIRN_ASSIGN(codec::Bitmap ids, filter_ids(context_, boost.filter));
    boosts_.emplace_back(std::move(ids), boost.weight);
  }
  return {};
}

// Of what may be given only: a posting of the index says who has it.
// Only where the index marks features. Boosted like a rule, by feature_weight.
Status RecallRun::find_features(std::string_view question) {
  std::vector<std::uint64_t> ids;
  for (const auto& [id, hit] : hits_) ids.push_back(id);
  const codec::Bitmap found = codec::Bitmap::from_unsorted(std::move(ids));
  for (const std::string_view name : engine::features_asked(question).names()) {
    ++features_;
    engine::TextQuery query;
    query.text = name;
    query.is_feature = true;
    query.k = hits_.size();
    query.allowed = &found;
    CAIRN_ASSIGN(const auto marked, view_.search_text(index_, query));
    std::vector<std::uint64_t> have;
    for (const engine::TextHit& hit : marked.hits) have.push_back(hit.id);
    boosts_.emplace_back(codec::Bitmap::from_unsorted(std::move(have)),
                         options_.features.feature_weight);
  }
  return {};
}

// A word that comes to a term of the question has counted already.
// Behind it as many texts take part as before it.
Status RecallRun::add_expansion() {
  CAIRN_TRY(check(options_.expansion));
  if (options_.expansion.empty()) return {};
  std::set<std::string> asked;
  for (const engine::Token& token : analyzer_.query_tokens(joined_words()))
    asked.insert(token.term);
  for (const RecallWord& word : options_.expansion) {
    const auto tokens = analyzer_.query_tokens(word.word);
    const bool is_new = std::any_of(tokens.begin(), tokens.end(), [&](const engine::Token& token) {
      return !token.is_stop_word && !asked.contains(token.term);
    });
    if (is_new) CAIRN_TRY(add_word(word));
    for (const engine::Token& token : tokens) asked.insert(token.term);
  }
  sort_by_text();
  if (by_text_.size() > std::max(recall_candidates, options_.limit))
    by_text_.resize(std::max(recall_candidates, options_.limit));
  return {};
}

// On the question's scale, so that the share means the same for any word.
Status RecallRun::add_word(const RecallWord& word) {
  CAIRN_ASSIGN(const auto found, search(word.word, recall_candidates, members_));
  if (found.hits.empty()) return {};
  const double best = best_text_ > 0 ? best_text_ : found.hits.front().score;
  for (const engine::TextHit& hit : found.hits) {
    if (!hits_.contains(hit.id)) by_text_.push_back(hit.id);
    RankedRecord& made = hits_[hit.id];
    made.id = hit.id;
    made.text += options_.features.expansion_weight * word.share * hit.score / best;
  }
  return {};
}

}  // namespace cairn::query
