// The candidates of a recall, and their order.
//
//    score = (text + dense + propagation + group) * named * rules / whole
//
// The parts are relative to the best text score, so that weights mean the same for any index. `whole` is the score of
// a record that has everything the question asks for.

#include "query/recall/recall_candidates.hpp"

#include "query/recall/recall_search.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace cairn::query {
namespace {

/// The text score of a record without a word of the question, if the question names both its author and its date, or
/// only one of them.
constexpr double share_of_both_names = 0.3;
constexpr double share_of_one_name = 0.05;
/// Upper bound of the product of boosts. The bound keeps scores finite for any number of boosts.
constexpr double most_rules = 1e12;

/// Makes candidates of the newest `most` of those records that are none.
void add_newest(const codec::Bitmap& records, double text, std::size_t most,
                Candidates& candidates) {
  std::vector<std::uint64_t> chosen;
  records.for_each([&](std::uint64_t id) {
    if (!candidates.hits.contains(id)) chosen.push_back(id);
  });
  if (chosen.size() > most)
    chosen.erase(chosen.begin(), chosen.end() - static_cast<std::ptrdiff_t>(most));
  for (const std::uint64_t id : chosen) candidates.at(id).text = text;
}

/// Orders by score, then by id.
bool is_better(const RankedRecord& a, const RankedRecord& b) {
  return a.score != b.score ? a.score > b.score : a.id < b.id;
}

/// Returns the score of a record that has everything the question asks for: adds up the maximum of each feature that
/// the question activates. Propagation, feedback and expansion words are not included.
double whole_score(const Candidates& candidates, const QuestionNames& names,
                   std::size_t number_of_features, const RecallFeatures& features) {
  double sum = candidates.best_text > 0 ? candidates.whole_text / candidates.best_text : 1;
  if (!names.dated.empty()) sum *= 1 + features.date_weight;
  if (candidates.nearest > 0) sum += features.dense_weight / candidates.nearest;
  sum += features.group_weight * static_cast<double>(candidates.levels);
  if (!names.mentioned.empty()) sum *= 1 + features.entity_weight;
  if (!names.authored.empty()) sum *= 1 + features.author_weight;
  return sum * std::pow(1 + features.feature_weight, static_cast<double>(number_of_features));
}

}  // namespace

RankedRecord& Candidates::at(std::uint64_t id) {
  RankedRecord& made = hits[id];
  made.id = id;
  return made;
}

void Candidates::set_texts(const engine::TextHits& found, const codec::Bitmap& dated,
                           double date_weight) {
  mean_words = found.mean_words;
  whole_text = found.whole;
  if (!found.hits.empty()) best_text = found.hits.front().score;
  for (const engine::TextHit& hit : found.hits) {
    RankedRecord& made = at(hit.id);
    made.text = hit.score / found.hits.front().score;
    if (dated.contains(hit.id)) made.text *= 1 + date_weight;
    by_text.push_back(hit.id);
  }
}

// Sorts by text score, ties by id.
void Candidates::add_texts(const std::vector<engine::TextHit>& texts) {
  if (texts.empty()) return;
  for (const engine::TextHit& text : texts) {
    if (!hits.contains(text.id)) by_text.push_back(text.id);
    at(text.id).text += text.score;
  }
  std::sort(by_text.begin(), by_text.end(), [&](std::uint64_t a, std::uint64_t b) {
    return hits[a].text != hits[b].text ? hits[a].text > hits[b].text : a < b;
  });
}

void Candidates::keep_best_texts(std::size_t most) {
  if (by_text.size() > most) by_text.resize(most);
}

// These records may contain no word of the question.
void Candidates::add_named(const QuestionNames& names, std::size_t limit) {
  const codec::Bitmap both = codec::intersect(names.authored, names.dated);
  if (both.cardinality() <= recall_candidates)
    add_newest(both, share_of_both_names, recall_candidates, *this);
  if (!hits.empty()) return;
  for (const codec::Bitmap* const records :
       {&both, &names.dated, &names.authored, &names.mentioned})
    if (hits.size() < limit) add_newest(*records, share_of_one_name, limit - hits.size(), *this);
}

// Similarities of 0 or less add nothing.
void Candidates::add_near(const NearRecords& near, double weight) {
  nearest = near.best;
  for (const auto& [id, nearness] : near.similarities)
    if (nearness > 0) at(id).dense = weight * nearness / near.best;
}

// Each candidate is in `hits`, in `by_text`, and finally in the result.
Status Candidates::charge() {
  constexpr std::size_t bytes_of_hit = 2 * sizeof(RankedRecord) + 64;
  return held_.set(hits.size() * bytes_of_hit);
}

codec::Bitmap Candidates::ids() const {
  std::vector<std::uint64_t> all;
  for (const auto& [id, hit] : hits) all.push_back(id);
  return codec::Bitmap::from_unsorted(std::move(all));
}

// A hit may score above whole_score() because of a short text, repeated words or the caller's boosts. Then the best
// score replaces it, so that scores are at most 1 and the order does not change.
std::vector<RankedRecord> ranked_records(const Candidates& candidates, const QuestionNames& names,
                                         const std::vector<BoostedRecords>& boosts,
                                         const std::vector<BoostedRecords>& marked,
                                         const RecallFeatures& features) {
  std::vector<RankedRecord> hits;
  for (const auto& [id, hit] : candidates.hits) {
    RankedRecord& made = hits.emplace_back(hit);
    if (names.mentioned.contains(id)) made.named *= 1 + features.entity_weight;
    if (names.authored.contains(id)) made.named *= 1 + features.author_weight;
    for (const auto* const rules : {&boosts, &marked})
      for (const auto& [records, weight] : *rules)
        if (records.contains(id)) made.rules = std::min(made.rules * (1 + weight), most_rules);
    made.score = (made.text + made.dense + made.propagation + made.group) * made.named * made.rules;
  }
  std::sort(hits.begin(), hits.end(), is_better);
  if (hits.empty()) return hits;
  const double whole =
      std::max(whole_score(candidates, names, marked.size(), features), hits.front().score);
  for (RankedRecord& hit : hits) {
    hit.whole = whole;
    hit.score /= whole;
  }
  return hits;
}

}  // namespace cairn::query
