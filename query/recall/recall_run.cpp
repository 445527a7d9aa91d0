#include "query/recall/recall_run.hpp"

#include "engine/graph/index_members.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace cairn::query {
namespace {

bool is_sound(double weight) { return std::isfinite(weight) && weight >= 0; }

Status check(const RecallLevers& levers) {
  for (const double weight :
       {levers.neighbour_weight, levers.group_weight, levers.mention_weight, levers.author_weight,
        levers.date_weight, levers.feedback_weight, levers.feedback_length, levers.meaning_weight,
        levers.also_weight, levers.feature_weight, levers.diversity})
    if (!is_sound(weight))
      return Error{
          ErrorCode::invalid_argument, "a weight of recall is finite and not negative", {}};
  if (levers.diversity > 1)
    return Error{ErrorCode::invalid_argument, "the diversity of recall is at most 1", {}};
  return {};
}

bool is_better(const RecallHit& a, const RecallHit& b) {
  return a.score != b.score ? a.score > b.score : a.id < b.id;
}

/// The share of the words of `a` that `b` has too.
double likeness(const std::set<std::string>& a, const std::set<std::string>& b) {
  const auto common =
      std::count_if(a.begin(), a.end(), [&](const auto& w) { return b.contains(w); });
  return a.empty() ? 0 : static_cast<double>(common) / static_cast<double>(a.size());
}

}  // namespace

Result<std::vector<RecallHit>> RecallRun::run(std::string_view question) {
  const RecallLevers& levers = options_.levers;
  CAIRN_TRY(check(levers));
  CAIRN_TRY(find_boosts());
  CAIRN_TRY(restrict_ids());
  CAIRN_TRY(find_named(question));
  CAIRN_TRY(find_by_text(question));
  if (levers.feedback_weight > 0 && mean_words_ >= levers.feedback_length)
    CAIRN_TRY(add_feedback());
  if (levers.also_weight > 0) CAIRN_TRY(add_also());
  CAIRN_TRY(add_meaning());
  if (levers.neighbour_weight > 0) CAIRN_TRY(spread());
  if (levers.group_weight > 0) CAIRN_TRY(add_groups());
  if (levers.feature_weight > 0 && entry_.text.mark_features) CAIRN_TRY(find_features(question));
  std::vector<RecallHit> hits = ranked();
  if (levers.diversity > 0) CAIRN_TRY(diversify(hits));
  if (hits.size() > options_.limit) hits.resize(options_.limit);
  return hits;
}

Status RecallRun::restrict_ids() {
  CAIRN_ASSIGN(const codec::IdSet covered, engine::index_members(entry_, view_));
  members_ = codec::intersect(members_, covered);
  return {};
}

Result<std::set<std::string>> RecallRun::terms_of(std::uint64_t id) const {
  CAIRN_ASSIGN(const std::string text, text_of(id));
  std::set<std::string> terms;
  for (auto& token : analyzer_.query_tokens(text))
    if (!token.is_stop_word) terms.insert(std::move(token.term));
  return terms;
}

std::vector<RecallHit> RecallRun::ranked() const {
  std::vector<RecallHit> hits;
  for (const auto& [id, hit] : hits_) {
    RecallHit& made = hits.emplace_back(hit);
    if (mentioned_.contains(id)) made.named *= 1 + options_.levers.mention_weight;
    if (authored_.contains(id)) made.named *= 1 + options_.levers.author_weight;
    for (const auto& [ids, weight] : boosts_)
      if (ids.contains(id)) made.rules *= 1 + weight;
    made.score =
        (made.text + made.meaning + made.neighbours + made.group) * made.named * made.rules;
  }
  std::sort(hits.begin(), hits.end(), is_better);
  return hits;
}

// Maximal marginal relevance (Carbonell, Goldstein 1998) over the first hits: the next one is the
// best after what it loses for the hit before it that it is most like. Cost: limit squared.
Status RecallRun::diversify(std::vector<RecallHit>& hits) const {
  struct Choice {
    RecallHit hit;
    std::set<std::string> terms;
    double likest = 0;
  };
  const bool is_all = options_.limit > hits.size() / 3;  // thrice as many might be no number
  const auto count = static_cast<std::ptrdiff_t>(is_all ? hits.size() : options_.limit * 3);
  std::vector<Choice> choices;
  for (auto hit = hits.begin(); hit != hits.begin() + count; ++hit) {
    CAIRN_ASSIGN(auto terms, terms_of(hit->id));
    choices.push_back({*hit, std::move(terms), 0});
  }
  const auto worth = [&](const Choice& choice) {
    return choice.hit.score * (1 - options_.levers.diversity * choice.likest);
  };
  for (auto next = choices.begin(); next != choices.end(); ++next) {
    const auto best = std::max_element(
        next, choices.end(), [&](const auto& a, const auto& b) { return worth(a) < worth(b); });
    std::rotate(next, best, best + 1);  // the others keep their order
    for (auto rest = next + 1; rest != choices.end(); ++rest)
      rest->likest = std::max(rest->likest, likeness(rest->terms, next->terms));
  }
  std::transform(choices.begin(), choices.end(), hits.begin(),
                 [](const Choice& choice) { return choice.hit; });
  return {};
}

}  // namespace cairn::query
