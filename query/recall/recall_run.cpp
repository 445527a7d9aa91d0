// The order of the steps. Scores are shares of the best text's, so that weights mean the same for
// any index:
//
//    score = (text + meaning + neighbours + group) * named * rules / whole
//
// Candidates are 150 texts, and what the features add to them; cost grows with these, not with the
// database. Held in memory: candidates with their parts.
#include "query/recall/recall_run.hpp"

#include "engine/fulltext/text_hits.hpp"
#include "engine/graph/index_members.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace cairn::query {
namespace {

bool is_sound(double weight) { return std::isfinite(weight) && weight >= 0; }

Status check(const RecallFeatures& features) {
  for (const double weight :
       {features.propagation_weight, features.group_weight, features.entity_weight,
        features.author_weight, features.date_weight, features.feedback_weight,
        features.feedback_length, features.dense_weight, features.expansion_weight,
        features.feature_weight, features.diversity})
    if (!is_sound(weight))
      return Error{
          ErrorCode::invalid_argument, "a weight of recall is finite and not negative", {}};
  if (features.diversity > 1)
    return Error{ErrorCode::invalid_argument, "the diversity of recall is at most 1", {}};
  return {};
}

bool is_better(const RankedRecord& a, const RankedRecord& b) {
  return a.score != b.score ? a.score > b.score : a.id < b.id;
}

/// The share of the terms of `a` that `b` has too; both ascend.
double similarity(const std::vector<std::uint32_t>& a, const std::vector<std::uint32_t>& b) {
  std::size_t common = 0;
  auto other = b.begin();
  for (const std::uint32_t term : a) {
    while (other != b.end() && *other < term) ++other;
    if (other == b.end()) break;
    common += *other == term ? 1 : 0;
  }
  return a.empty() ? 0 : static_cast<double>(common) / static_cast<double>(a.size());
}

}  // namespace

// A feature with weight 0 is not asked at all.
Result<std::vector<RankedRecord>> RecallRun::run(std::string_view question) {
  const RecallFeatures& features = options_.features;
  CAIRN_TRY(check(features));
  CAIRN_TRY(find_boosts());
  CAIRN_TRY(restrict_ids());
  CAIRN_TRY(find_named(question));
  CAIRN_TRY(find_by_text(question));
  if (features.feedback_weight > 0 && mean_words_ >= features.feedback_length)
    CAIRN_TRY(add_feedback());
  if (features.expansion_weight > 0) CAIRN_TRY(add_expansion());
  CAIRN_TRY(add_meaning());
  if (features.propagation_weight > 0) CAIRN_TRY(spread());
  if (features.group_weight > 0) CAIRN_TRY(add_groups());
  if (features.feature_weight > 0 && entry_.text.mark_features) CAIRN_TRY(find_features(question));
  std::vector<RankedRecord> hits = ranked();
  if (features.diversity > 0) CAIRN_TRY(diversify(hits));
  if (hits.size() > options_.limit) hits.resize(options_.limit);
  return hits;
}

// Records outside of the index are neither found nor a way to others.
Status RecallRun::restrict_ids() {
  CAIRN_ASSIGN(const codec::Bitmap covered, engine::index_members(entry_, view_));
  members_ = codec::intersect(members_, covered);
  return {};
}

// Terms as small numbers of this call, sorted and each once: two hits are compared by merging.
Result<std::vector<std::vector<std::uint32_t>>> RecallRun::terms_of(
    std::span<const RankedRecord> hits) const {
  std::vector<std::uint64_t> ids;
  for (const RankedRecord& hit : hits) ids.push_back(hit.id);
  CAIRN_ASSIGN(const auto texts, texts_of(ids));
  std::unordered_map<std::string, std::uint32_t> numbers;
  std::vector<std::vector<std::uint32_t>> all;
  for (const std::string& text : texts) {
    std::vector<std::uint32_t>& terms = all.emplace_back();
    for (auto& token : analyzer_.query_tokens(text)) {
      if (token.is_stop_word) continue;
      const auto next = static_cast<std::uint32_t>(numbers.size());
      terms.push_back(numbers.try_emplace(std::move(token.term), next).first->second);
    }
    std::sort(terms.begin(), terms.end());
    terms.erase(std::unique(terms.begin(), terms.end()), terms.end());
  }
  return all;
}

// Scores stay numbers whatever is boosted by how many rules.
constexpr double most_rules = 1e12;

// What a feature would add at most, for those that the question gives something to do.
double RecallRun::whole_score() const {
  const RecallFeatures& features = options_.features;
  double sum = best_text_ > 0 ? whole_text_ / best_text_ : 1;
  if (!dated_.empty()) sum *= 1 + features.date_weight;
  if (nearest_ > 0) sum += features.dense_weight / nearest_;
  if (has_groups_) sum += features.group_weight;
  if (!mentioned_.empty()) sum *= 1 + features.entity_weight;
  if (!authored_.empty()) sum *= 1 + features.author_weight;
  return sum * std::pow(1 + features.feature_weight, static_cast<double>(features_));
}

// Equal scores are in the order of ids. A hit may be worth more than whole_score(), by short texts, words said
// twice or the caller's rules: the best one is whole then, so that no order is lost.
std::vector<RankedRecord> RecallRun::ranked() const {
  std::vector<RankedRecord> hits;
  for (const auto& [id, hit] : hits_) {
    RankedRecord& made = hits.emplace_back(hit);
    if (mentioned_.contains(id)) made.named *= 1 + options_.features.entity_weight;
    if (authored_.contains(id)) made.named *= 1 + options_.features.author_weight;
    for (const auto& [ids, weight] : boosts_)
      if (ids.contains(id)) made.rules = std::min(made.rules * (1 + weight), most_rules);
    made.score =
        (made.text + made.dense + made.propagation + made.group) * made.named * made.rules;
  }
  std::sort(hits.begin(), hits.end(), is_better);
  if (hits.empty()) return hits;
  const double whole = std::max(whole_score(), hits.front().score);
  for (RankedRecord& hit : hits) {
    hit.whole = whole;
    hit.score /= whole;
  }
  return hits;
}

// Maximal marginal relevance (Carbonell, Goldstein 1998) over the first hits: the next one is the
// best after what it loses for the hit before it that it is most like. Cost: limit squared.
Status RecallRun::diversify(std::vector<RankedRecord>& hits) const {
  const bool is_all = options_.limit > hits.size() / 3;  // thrice as many might be no number
  const std::size_t count = is_all ? hits.size() : options_.limit * 3;
  CAIRN_ASSIGN(const auto terms, terms_of(std::span(hits).first(count)));
  std::vector<double> likest(count, 0);  // of each hit, to one that stands before it
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto worth = [&](std::size_t hit) {
    return hits[hit].score * (1 - options_.features.diversity * likest[hit]);
  };
  const auto end = order.begin() + static_cast<std::ptrdiff_t>(std::min(options_.limit, count));
  for (auto next = order.begin(); next != end; ++next) {
    const auto best = std::max_element(
        next, order.end(), [&](std::size_t a, std::size_t b) { return worth(a) < worth(b); });
    std::rotate(next, best, best + 1);  // the others keep their order
    for (auto rest = next + 1; rest != order.end(); ++rest)
      likest[*rest] = std::max(likest[*rest], similarity(terms[*rest], terms[*next]));
  }
  std::vector<RankedRecord> chosen;
  for (auto hit = order.begin(); hit != end; ++hit) chosen.push_back(hits[*hit]);
  hits = std::move(chosen);
  return {};
}

}  // namespace cairn::query
