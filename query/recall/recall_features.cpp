// The features that go beyond the text of a single record: neighbours in the graph, groups, boosts, marked features
// and expansion words.
//
// All of them add to candidates that the text search has found, within the records that the filter allows. README.md
// explains under "Neighbours contribute words, not scores" why scores are propagated word by word.

#include "engine/fulltext/text_features.hpp"
#include "engine/fulltext/text_search.hpp"
#include "query/execute/filter/filter_ids.hpp"
#include "query/recall/recall_run.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

namespace cairn::query {
namespace {

using codec::EntityKind;

/// Number of best hits that propagate their scores. Later hits have little to contribute.
constexpr std::size_t spreading_hits = 50;

}  // namespace

// Propagates scores from the 50 best texts to their neighbours: along relationships, or by the order within their
// groups if no hit has a relationship. If no record is reached, the expensive score of each word is not computed.
Status RecallRun::spread() {
  if (!neighbours_.follows()) return {};
  const RecallFeatures& features = options_.features;
  std::vector<std::vector<Reached>> reached;
  bool is_any = false;
  for (std::size_t i = 0; i < std::min(spreading_hits, by_text_.size()); ++i) {
    CAIRN_ASSIGN(auto from_hit, reached_from(by_text_[i]));
    is_any = is_any || !from_hit.empty();
    reached.push_back(std::move(from_hit));
  }
  if (is_any) return spread_to(reached);
  if (!features.relationship_types.empty() || features.order_properties.empty()) return {};
  const auto spreading = std::span(by_text_).first(reached.size());
  CAIRN_ASSIGN(reached, reached_in_groups({spreading.begin(), spreading.end()}));
  return spread_to(reached);
}

// Propagates word by word: a record gains the words that it lacks, and nothing for words that it has itself. Two
// neighbouring hits with the same word contribute no more than one.
//
//    propagation(r) = sum over words of max(0, best neighbour's score for the word * share - own score for it)
Status RecallRun::spread_to(const std::vector<std::vector<Reached>>& reached) {
  std::vector<std::uint64_t> scored(by_text_.begin(),
                                    by_text_.begin() + static_cast<std::ptrdiff_t>(reached.size()));
  for (const auto& from_hit : reached)
    for (const Reached& to : from_hit)
      if (const auto hit = hits_.find(to.id); hit != hits_.end() && hit->second.text > 0)
        scored.push_back(to.id);
  engine::Charge held(&context_.budget);
  CAIRN_ASSIGN(const WordScores own,
               score_words(codec::Bitmap::from_unsorted(std::move(scored)), held));
  has_neighbours_ =
      std::ranges::any_of(reached, [](const auto& from_hit) { return !from_hit.empty(); });
  CAIRN_ASSIGN(const WordScores best, best_scores(reached, own, held));
  for (const auto& [id, row] : best) {
    RankedRecord& hit = hits_[id];
    hit.id = id;
    const auto has = own.find(id);
    for (std::size_t word = 0; word < row.size(); ++word)
      hit.propagation += std::max(0.0, row[word] - (has == own.end() ? 0 : has->second[word]));
  }
  return charge_hits();  // the scores by word are still in memory
}

Result<RecallRun::WordScores> RecallRun::best_scores(
    const std::vector<std::vector<Reached>>& reached, const WordScores& own,
    engine::Charge& held) const {
  WordScores best;
  for (std::size_t i = 0; i < reached.size(); ++i) {
    const std::vector<double>& given = own.at(by_text_[i]);
    for (const Reached& to : reached[i]) {
      if (!best.contains(to.id)) CAIRN_TRY(held.add(bytes_of_scores()));
      std::vector<double>& row = best[to.id];
      row.resize(given.size());
      for (std::size_t word = 0; word < row.size(); ++word)
        row[word] = std::max(row[word], given[word] * to.share);
    }
  }
  return best;
}

// Breadth first, so that each record is reached once and on a shortest path. No path leads over records that the filter
// excludes.
Result<std::vector<RecallRun::Reached>> RecallRun::reached_from(std::uint64_t id) {
  std::vector<Reached> reached;
  std::set<std::uint64_t> seen = {id};
  std::vector<std::uint64_t> edge = {id};
  double share = 1;
  for (std::size_t hop = 0; hop < options_.features.hops && !edge.empty(); ++hop) {
    share *= options_.features.propagation_weight;
    std::vector<std::uint64_t> next;
    for (const std::uint64_t from : edge) {
      CAIRN_ASSIGN(const auto others, neighbours_.of(from));
      for (const std::uint64_t other : others) {
        if (!seen.insert(other).second) continue;
        next.push_back(other);
        reached.push_back({other, share});
      }
    }
    edge = std::move(next);
  }
  return reached;
}

// Each hit reaches the records up to `hops` places before and after it in its group.
Result<std::vector<std::vector<RecallRun::Reached>>> RecallRun::reached_in_groups(
    const std::vector<std::uint64_t>& ids) {
  std::vector<std::size_t> group;
  CAIRN_ASSIGN(const auto groups, groups_.of(ids, group));
  CAIRN_ASSIGN(const auto properties, groups_.order_properties(ids));
  std::vector<std::vector<std::uint64_t>> sorted;
  std::uint64_t room = most_ordered;
  for (const codec::Bitmap& one : groups) {
    CAIRN_ASSIGN(sorted.emplace_back(), groups_.in_order(one, properties, room));
  }
  std::vector<std::vector<Reached>> reached(ids.size());
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const std::vector<std::uint64_t>& row = sorted[group[i]];
    CAIRN_TRY(context_.budget.step(1 + row.size() / 64));
    const auto place =
        static_cast<std::size_t>(std::find(row.begin(), row.end(), ids[i]) - row.begin());
    double share = 1;
    for (std::size_t hop = 1; hop <= std::min(options_.features.hops, row.size()); ++hop) {
      share *= options_.features.propagation_weight;
      if (place >= hop && place < row.size()) reached[i].push_back({row[place - hop], share});
      if (place + hop < row.size()) reached[i].push_back({row[place + hop], share});
    }
  }
  return reached;
}

// Level n groups the hits by the first n group properties, such as conversation, then session.
// Adds the group scores of each level.
Status RecallRun::add_groups() {
  std::vector<std::uint64_t> ids;
  for (const auto& [id, hit] : hits_) ids.push_back(id);
  std::sort(ids.begin(), ids.end());
  std::vector<RecordGroup> of(ids.size());
  std::size_t groups = 1;
  for (const std::string& property : roles_.groups.properties) {
    if (!view_.catalog().find_property(property)) continue;
    CAIRN_ASSIGN(const auto values, context_.graph.properties(EntityKind::node, ids, property));
    for (std::size_t i = 0; i < ids.size(); ++i) {
      if (values[i].is_null()) continue;
      of[i].name += property + "=" + values[i].to_text() + "\n";
      of[i].is_new = true;
    }
    groups = add_level(ids, of, groups);
  }
  return {};
}

// The score of a group is that of its best text, relative to the best group. A single group cannot distinguish records
// and is ignored, and so are groups that equal those of the previous level. A record without a name is in no group. A
// record without the properties of this level is not on this level: so a turn with a session counts as often as a part
// with a document.
std::size_t RecallRun::add_level(const std::vector<std::uint64_t>& ids,
                                 std::vector<RecordGroup>& of, std::size_t broader) {
  std::map<std::string, double> worth;
  double best = 0;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (of[i].name.empty()) continue;
    double& group = worth[of[i].name];
    group = std::max(group, hits_[ids[i]].text);
    best = std::max(best, group);
  }
  if (best == 0 || worth.size() <= broader) return broader;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (!std::exchange(of[i].is_new, false)) continue;
    hits_[ids[i]].group += options_.features.group_weight * worth[of[i].name] / best;
    levels_ = std::max(levels_, ++of[i].levels);
  }
  return worth.size();
}

// Boosts, marked features and expansion words. Boosts and marked features multiply the score in ranked(); expansion
// words add to the text score. The filter of each boost is evaluated once, to a set of ids.

namespace {

Error refusal(std::string message) { return {ErrorCode::invalid_argument, std::move(message), {}}; }

/// Upper bound of a boost. The lower bound is -1, because smaller weights would make scores negative.
constexpr double most_weight = 1'000;

Status check(const std::vector<RecallWord>& words) {
  for (const RecallWord& word : words)
    if (!(word.share >= 0 && word.share <= 1))
      return refusal("the share of the word \"" + word.word +
                     "\" in `expansion` must be from 0 to 1");
  return {};
}

}  // namespace

// Evaluates the caller's boosts.
Status RecallRun::find_boosts() {
  for (const RecallBoost& boost : options_.boosts) {
    if (!(boost.weight >= -1 && boost.weight <= most_weight))
      return refusal("the weight of a boost must be from -1 to 1000");
    CAIRN_TRY(validate(boost.filter));
    CAIRN_ASSIGN(codec::Bitmap ids, filter_ids(context_, boost.filter));
    boosts_.emplace_back(std::move(ids), boost.weight);
  }
  return {};
}

// Boosts the candidates that have the feature that answers to the question have: "when" asks for dates. Runs only if
// the index marks features. One search of the index for each feature returns the candidates that have it.
Status RecallRun::find_features(std::string_view question) {
  std::vector<std::uint64_t> ids;
  for (const auto& [id, hit] : hits_) ids.push_back(id);
  const codec::Bitmap found = codec::Bitmap::from_unsorted(std::move(ids));
  CAIRN_ASSIGN(const engine::TextFeatures asked, engine::features_asked(question, work_));
  for (const std::string_view name : asked.names()) {
    ++features_;
    CAIRN_ASSIGN(codec::Bitmap have, search_->with_feature(name, found));
    boosts_.emplace_back(std::move(have), options_.features.feature_weight);
  }
  return {};
}

// Adds the hits of the expansion words, by one search for all of their terms. Terms of the question and of an earlier
// word are skipped. Scores are relative to the best text of the question, so that a share means the same for every word.
// The candidates are cut back to their number before the expansion.
Status RecallRun::add_expansion() {
  CAIRN_TRY(check(options_.expansion));
  CAIRN_ASSIGN(const auto words, expansion_terms());
  if (words.empty()) return {};
  const std::size_t most = std::max(recall_candidates, options_.limit);
  CAIRN_ASSIGN(const auto found, search_->find(words, most));
  if (found.hits.empty()) return {};
  const double best = best_text_ > 0 ? best_text_ : found.hits.front().score;
  for (const engine::TextHit& hit : found.hits) {
    if (!hits_.contains(hit.id)) by_text_.push_back(hit.id);
    RankedRecord& made = hits_[hit.id];
    made.id = hit.id;
    made.text += options_.features.expansion_weight * hit.score / best;
  }
  sort_by_text();
  if (by_text_.size() > most) by_text_.resize(most);
  return {};
}

// The terms of the expansion words with their shares. The forms of a word have one number.
Result<std::vector<engine::QueryTerm>> RecallRun::expansion_terms() const {
  CAIRN_ASSIGN(std::set<std::string> asked, search_->terms_of(words_));
  std::vector<engine::QueryTerm> terms;
  std::uint32_t number = 0;
  for (const RecallWord& word : options_.expansion) {
    CAIRN_ASSIGN(const auto words, search_->forms_of(word.word));
    for (const engine::WordForms& forms : words) {
      ++number;
      for (const std::string& form : forms)
        if (asked.insert(form).second) terms.push_back({form, word.share, number});
    }
  }
  return terms;
}

}  // namespace cairn::query
