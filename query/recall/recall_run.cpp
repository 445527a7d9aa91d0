// The steps of a recall and their order.
//
//    score = (text + dense + propagation + group) * named * rules / whole
//
// The parts are relative to the best text score, so that weights mean the same for any index. `whole` is the score of
// a record that has everything the question asks for. Candidates are the 150 best texts and the records that the
// features add. The cost grows with the candidates and not with the database.
#include "query/recall/recall_run.hpp"

#include "engine/fulltext/text_search.hpp"
#include "engine/graph/index_members.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace cairn::query {
namespace {

// True for a valid weight.
bool is_sound(double weight) { return std::isfinite(weight) && weight >= 0; }

struct Weight {
  std::string_view name;
  double RecallFeatures::* value;
};

constexpr std::array weights = {Weight{"propagation_weight", &RecallFeatures::propagation_weight},
                                Weight{"group_weight", &RecallFeatures::group_weight},
                                Weight{"entity_weight", &RecallFeatures::entity_weight},
                                Weight{"author_weight", &RecallFeatures::author_weight},
                                Weight{"date_weight", &RecallFeatures::date_weight},
                                Weight{"feedback_weight", &RecallFeatures::feedback_weight},
                                Weight{"feedback_length", &RecallFeatures::feedback_length},
                                Weight{"feedback_clarity", &RecallFeatures::feedback_clarity},
                                Weight{"dense_weight", &RecallFeatures::dense_weight},
                                Weight{"expansion_weight", &RecallFeatures::expansion_weight},
                                Weight{"feature_weight", &RecallFeatures::feature_weight},
                                Weight{"diversity", &RecallFeatures::diversity}};

// Diversity is a share and at most 1. The other weights have no upper bound.
Status check(const RecallFeatures& features) {
  for (const Weight& weight : weights)
    if (!is_sound(features.*weight.value))
      return Error{ErrorCode::invalid_argument,
                   "recall: " + std::string(weight.name) +
                       " must be finite and not negative, got " +
                       Value(features.*weight.value).to_text(),
                   {}};
  if (features.diversity > 1)
    return Error{ErrorCode::invalid_argument,
                 "recall: diversity must be at most 1, got " + Value(features.diversity).to_text(),
                 {}};
  return {};
}

// Orders by score, then by id.
bool is_better(const RankedRecord& a, const RankedRecord& b) {
  return a.score != b.score ? a.score > b.score : a.id < b.id;
}

}  // namespace

Status RecallRun::check_options() const {
  CAIRN_TRY(check(options_.features));
  if (options_.context > most_context_per_side)
    return Error{
        ErrorCode::invalid_argument,
        "the context of recall must be at most 1000, got " + std::to_string(options_.context),
        {}};
  return check_reranking(options_.rerank);
}

// A feature with weight 0 is skipped and costs nothing.
Result<std::vector<RankedRecord>> RecallRun::run(std::string_view question) {
  const RecallFeatures& features = options_.features;
  search_.emplace(context_, index_, options_, members_, question, work_);
  CAIRN_TRY(check_options());
  CAIRN_TRY(find_boosts());
  CAIRN_TRY(restrict_ids());
  CAIRN_TRY(neighbours_.find_types());
  CAIRN_TRY(find_roles());
  const RecallNames names(context_, entry_, features, roles_, visible_);
  CAIRN_ASSIGN(names_, names.find(question, *search_));
  CAIRN_TRY(find_by_text());
  add_named();
  if (features.feedback_weight > 0 && mean_words_ >= features.feedback_length)
    CAIRN_TRY(add_feedback());
  if (features.expansion_weight > 0) CAIRN_TRY(add_expansion());
  CAIRN_TRY(add_meaning());
  CAIRN_TRY(charge_hits());
  if (features.propagation_weight > 0) CAIRN_TRY(spread());
  if (features.group_weight > 0) CAIRN_TRY(add_groups());
  if (features.feature_weight > 0 && entry_.text.mark_features) CAIRN_TRY(find_features(question));
  CAIRN_TRY(charge_hits());
  std::vector<RankedRecord> hits = ranked();
  // Hits within the passage of a better one are left out later.
  const std::size_t most = passages_.are_wanted() ? hits.size() : options_.limit;
  if (features.diversity > 0)
    CAIRN_TRY(diversify_hits(context_, entry_, search_->analyzer(), options_, most, hits));
  if (options_.rerank.score)
    CAIRN_TRY(rerank_hits(context_, entry_, options_.rerank, question, hits));
  if (passages_.are_wanted()) CAIRN_TRY(add_passages(hits));
  if (hits.size() > options_.limit) hits.resize(options_.limit);
  return hits;
}

// Restricts all steps to the records of the full-text index. Other records are not found, and no path leads over them.
Status RecallRun::restrict_ids() {
  CAIRN_ASSIGN(const codec::Bitmap covered, engine::index_members(entry_, view_));
  CAIRN_ASSIGN(const codec::Bitmap* const visible, context_.graph.visible(codec::EntityKind::node));
  visible_ = codec::intersect(*visible, covered);
  members_ = codec::intersect(members_, covered);
  return {};
}

// Each candidate is in hits_, in by_text_, and finally in the result.
Status RecallRun::charge_hits() {
  constexpr std::size_t bytes_of_hit = 2 * sizeof(RankedRecord) + 64;
  return held_.set(hits_.size() * bytes_of_hit);
}

// The parts do not depend on the filter, so they are the same for all questions of a caller.
Status RecallRun::find_roles() {
  CAIRN_ASSIGN(roles_, query::find_roles(view_, visible_, entry_.properties, options_.features));
  return {};
}

// Upper bound of the product of boosts. The bound keeps scores finite for any number of boosts.
constexpr double most_rules = 1e12;

// Adds up the maximum of each feature that the question activates. Propagation, feedback and expansion words are not
// included.
double RecallRun::whole_score() const {
  const RecallFeatures& features = options_.features;
  double sum = best_text_ > 0 ? whole_text_ / best_text_ : 1;
  if (!names_.dated.empty()) sum *= 1 + features.date_weight;
  if (nearest_ > 0) sum += features.dense_weight / nearest_;
  sum += features.group_weight * static_cast<double>(levels_);
  if (!names_.mentioned.empty()) sum *= 1 + features.entity_weight;
  if (!names_.authored.empty()) sum *= 1 + features.author_weight;
  return sum * std::pow(1 + features.feature_weight, static_cast<double>(features_));
}

// Returns the hits best first, ties by id. A hit may score above whole_score() because of a short text, repeated
// words or the caller's boosts. Then the best score replaces it, so that scores are at most 1 and the order does not
// change.
std::vector<RankedRecord> RecallRun::ranked() const {
  std::vector<RankedRecord> hits;
  for (const auto& [id, hit] : hits_) {
    RankedRecord& made = hits.emplace_back(hit);
    if (names_.mentioned.contains(id)) made.named *= 1 + options_.features.entity_weight;
    if (names_.authored.contains(id)) made.named *= 1 + options_.features.author_weight;
    for (const auto& [ids, weight] : boosts_)
      if (ids.contains(id)) made.rules = std::min(made.rules * (1 + weight), most_rules);
    made.score = (made.text + made.dense + made.propagation + made.group) * made.named * made.rules;
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

Status RecallRun::add_passages(std::vector<RankedRecord>& hits) {
  std::vector<std::uint64_t> ids;
  for (const RankedRecord& hit : hits) ids.push_back(hit.id);
  CAIRN_ASSIGN(auto passages, passages_.around(ids));
  std::vector<RankedRecord> chosen;
  for (Passage& passage : passages) {
    RankedRecord& hit = chosen.emplace_back(std::move(hits[passage.hit]));
    hit.passage = std::move(passage.records);
    hit.left_out = passage.left_out;
  }
  hits = std::move(chosen);
  return {};
}

// The steps of run() without a search.
Result<std::vector<Passage>> RecallRun::passages_around(const std::vector<std::uint64_t>& hits) {
  CAIRN_TRY(check_options());
  CAIRN_TRY(restrict_ids());
  CAIRN_TRY(neighbours_.find_types());
  CAIRN_TRY(find_roles());
  return passages_.around(hits);
}

}  // namespace cairn::query
