// The steps of a recall and their order.
//
//    question -> names -> words -> texts -> candidates -> more texts, vectors, neighbours, groups -> ranked hits
//
// Candidates are the 150 best texts and the records that the features add. The cost grows with the candidates and not
// with the database. recall_candidates.cpp explains the score.
#include "query/recall/recall_run.hpp"

#include "engine/graph/index_members.hpp"
#include "query/recall/recall_features.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <string_view>

namespace cairn::query {
namespace {

// True for a valid weight.
bool is_sound(double weight) { return std::isfinite(weight) && weight >= 0; }

struct NamedWeight {
  std::string_view name;
  double RecallFeatures::* value;
};

constexpr std::array named_weights = {
    NamedWeight{"propagation_weight", &RecallFeatures::propagation_weight},
    NamedWeight{"group_weight", &RecallFeatures::group_weight},
    NamedWeight{"entity_weight", &RecallFeatures::entity_weight},
    NamedWeight{"author_weight", &RecallFeatures::author_weight},
    NamedWeight{"date_weight", &RecallFeatures::date_weight},
    NamedWeight{"feedback_weight", &RecallFeatures::feedback_weight},
    NamedWeight{"feedback_length", &RecallFeatures::feedback_length},
    NamedWeight{"feedback_clarity", &RecallFeatures::feedback_clarity},
    NamedWeight{"dense_weight", &RecallFeatures::dense_weight},
    NamedWeight{"expansion_weight", &RecallFeatures::expansion_weight},
    NamedWeight{"feature_weight", &RecallFeatures::feature_weight},
    NamedWeight{"diversity", &RecallFeatures::diversity}};

// Diversity is a share and at most 1. The other weights have no upper bound.
Status check(const RecallFeatures& features) {
  for (const NamedWeight& weight : named_weights)
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

Status check(const RecallOptions& options) {
  CAIRN_TRY(check(options.features));
  if (options.context > most_context_per_side)
    return Error{
        ErrorCode::invalid_argument,
        "the context of recall must be at most 1000, got " + std::to_string(options.context),
        {}};
  return check_reranking(options.rerank);
}

// Gives the hits their passages, and removes hits that are in the passage of a better one.
Status add_passages(RecallPassages& maker, std::vector<RankedRecord>& hits) {
  std::vector<std::uint64_t> ids;
  for (const RankedRecord& hit : hits) ids.push_back(hit.id);
  CAIRN_ASSIGN(auto passages, maker.around(ids));
  std::vector<RankedRecord> chosen;
  for (Passage& passage : passages) {
    RankedRecord& hit = chosen.emplace_back(std::move(hits[passage.hit]));
    hit.passage = std::move(passage.records);
    hit.left_out = passage.left_out;
  }
  hits = std::move(chosen);
  return {};
}

}  // namespace

// A feature with weight 0 is skipped and costs nothing.
Result<std::vector<RankedRecord>> RecallRun::run(std::string_view question) {
  const RecallFeatures& features = options_.features;
  const RecallSearch search(context_, index_, options_, members_, question, work_);
  CAIRN_TRY(check(options_));
  CAIRN_ASSIGN(const auto boosts, boosted_records(context_, options_.boosts));
  CAIRN_TRY(prepare());
  const RecallNames names(context_, entry_, features, roles_, visible_);
  CAIRN_ASSIGN(names_, names.find(question, search));
  CAIRN_ASSIGN(const SearchedWords words, find_texts(search));
  CAIRN_TRY(add_features(search, words));
  std::vector<BoostedRecords> marked;
  if (features.feature_weight > 0 && entry_.text.mark_features) {
    CAIRN_ASSIGN(marked,
                 marked_records(search, question, candidates_.ids(), features.feature_weight));
  }
  CAIRN_TRY(candidates_.charge());
  std::vector<RankedRecord> hits = ranked_records(candidates_, names_, boosts, marked, features);
  CAIRN_TRY(arrange(search, question, hits));
  return hits;
}

// Other records than those of the full-text index are not found, and no path leads over them. The parts of properties do
// not depend on the filter, so they are the same for all questions of a caller.
Status RecallRun::prepare() {
  CAIRN_ASSIGN(const codec::Bitmap covered, engine::index_members(entry_, view_));
  CAIRN_ASSIGN(const codec::Bitmap* const visible, context_.graph.visible(codec::EntityKind::node));
  visible_ = codec::intersect(*visible, covered);
  members_ = codec::intersect(members_, covered);
  CAIRN_TRY(neighbours_.find_types());
  CAIRN_ASSIGN(roles_, find_roles(view_, visible_, entry_.properties, options_.features));
  return {};
}

Result<SearchedWords> RecallRun::find_texts(const RecallSearch& search) {
  const RecallFeatures& features = options_.features;
  CAIRN_ASSIGN(SearchedWords words, search.question_words(names_.author_words));
  CAIRN_ASSIGN(const auto found,
               search.find(joined_words(words), std::max(recall_candidates, options_.limit),
                           members_, features.corrects_spelling ? &visible_ : nullptr));
  CAIRN_ASSIGN(words, corrected_words(std::move(words), found.corrected, work_));
  candidates_.set_texts(found, names_.dated, features.date_weight);
  candidates_.add_named(names_, options_.limit);
  return words;
}

Status RecallRun::add_features(const RecallSearch& search, const SearchedWords& words) {
  const RecallFeatures& features = options_.features;
  if (features.feedback_weight > 0 && candidates_.mean_words >= features.feedback_length) {
    CAIRN_ASSIGN(const auto more, feedback_texts(search, words, features, candidates_));
    candidates_.add_texts(more);
  }
  if (features.expansion_weight > 0) {
    CAIRN_ASSIGN(const auto more, expansion_texts(search, words, options_, candidates_.best_text));
    candidates_.add_texts(more);
    if (!more.empty()) candidates_.keep_best_texts(std::max(recall_candidates, options_.limit));
  }
  CAIRN_ASSIGN(const auto near, near_records(context_, options_, members_, candidates_.by_text));
  candidates_.add_near(near, features.dense_weight);
  CAIRN_TRY(candidates_.charge());
  if (features.propagation_weight > 0) CAIRN_TRY(add_neighbours(search, words));
  if (features.group_weight > 0)
    CAIRN_TRY(add_groups(context_, roles_.groups.properties, features.group_weight, candidates_));
  return {};
}

Status RecallRun::add_neighbours(const RecallSearch& search, const SearchedWords& words) {
  CAIRN_ASSIGN(const auto reached, reached_records(context_, options_.features, neighbours_,
                                                   groups_, candidates_.by_text));
  return reached ? propagate(search, words, *reached, candidates_) : Status();
}

// Hits within the passage of a better one are left out after the other steps, so these work on all hits.
Status RecallRun::arrange(const RecallSearch& search, std::string_view question,
                          std::vector<RankedRecord>& hits) {
  const std::size_t most = passages_.are_wanted() ? hits.size() : options_.limit;
  if (options_.features.diversity > 0)
    CAIRN_TRY(diversify_hits(context_, entry_, search.analyzer(), options_, most, hits));
  if (options_.rerank.score)
    CAIRN_TRY(rerank_hits(context_, entry_, options_.rerank, question, hits));
  if (passages_.are_wanted()) CAIRN_TRY(add_passages(passages_, hits));
  if (hits.size() > options_.limit) hits.resize(options_.limit);
  return {};
}

Result<std::vector<std::string>> RecallRun::warnings(std::string_view question) {
  return recall_warnings({options_.features, roles_, names_, candidates_}, question,
                         entry_.text.language, work_);
}

Result<std::vector<Passage>> RecallRun::passages_around(const std::vector<std::uint64_t>& hits) {
  CAIRN_TRY(check(options_));
  CAIRN_TRY(prepare());
  return passages_.around(hits);
}

Result<std::vector<RecallPart>> RecallRun::describe() {
  CAIRN_TRY(check(options_));
  CAIRN_TRY(prepare());
  std::vector<RecallPart> parts = {texts_part(view_, entry_)};
  CAIRN_ASSIGN(auto of_roles, role_parts(view_, visible_, roles_));
  std::ranges::move(of_roles, std::back_inserter(parts));
  const RecallNames names(context_, entry_, options_.features, roles_, visible_);
  CAIRN_ASSIGN(const auto paths, names.paths());
  CAIRN_ASSIGN(parts.emplace_back(), values_part(view_, visible_, paths));
  CAIRN_ASSIGN(parts.emplace_back(),
               relationships_part(options_.features.relationship_types, members_, neighbours_));
  return parts;
}

}  // namespace cairn::query
