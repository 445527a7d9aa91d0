// The steps of a recall and their order, and the parsing of names in a question.
//
//    score = (text + dense + propagation + group) * named * rules / whole
//
// The parts are relative to the best text score, so that weights mean the same for any index. `whole` is the score of
// a record that has everything the question asks for. Candidates are the 150 best texts and the records that the
// features add. The cost grows with the candidates and not with the database.
#include "query/recall/recall_run.hpp"

#include "engine/fulltext/letter_case.hpp"
#include "engine/fulltext/stop_words.hpp"
#include "engine/fulltext/text_search.hpp"
#include "engine/fulltext/word_breaker.hpp"
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
  question_ = question;
  analyzer_ = engine::Analyzer(engine::analyzer_options(entry_.text), question);
  CAIRN_TRY(check_options());
  CAIRN_TRY(find_boosts());
  CAIRN_TRY(restrict_ids());
  CAIRN_TRY(neighbours_.find_types());
  CAIRN_TRY(find_roles());
  CAIRN_TRY(find_named(question));
  CAIRN_TRY(find_by_text(question));
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
    CAIRN_TRY(diversify_hits(context_, entry_, analyzer_, options_, most, hits));
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
  if (!dated_.empty()) sum *= 1 + features.date_weight;
  if (nearest_ > 0) sum += features.dense_weight / nearest_;
  sum += features.group_weight * static_cast<double>(levels_);
  if (!mentioned_.empty()) sum *= 1 + features.entity_weight;
  if (!authored_.empty()) sum *= 1 + features.author_weight;
  return sum * std::pow(1 + features.feature_weight, static_cast<double>(features_));
}

// Returns the hits best first, ties by id. A hit may score above whole_score() because of a short text, repeated
// words or the caller's boosts. Then the best score replaces it, so that scores are at most 1 and the order does not
// change.
std::vector<RankedRecord> RecallRun::ranked() const {
  std::vector<RankedRecord> hits;
  for (const auto& [id, hit] : hits_) {
    RankedRecord& made = hits.emplace_back(hit);
    if (mentioned_.contains(id)) made.named *= 1 + options_.features.entity_weight;
    if (authored_.contains(id)) made.named *= 1 + options_.features.author_weight;
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

// Parsing of a question: texts of one to three words that may be values of properties.

namespace {

using Words = std::vector<std::string_view>;

// The largest number of words in a name.
constexpr std::size_t longest_name = 3;

// Splits by engine::break_words(). The views point into `text`.
Result<Words> words_of(std::string_view text, engine::TextWork& work) {
  CAIRN_ASSIGN(const auto ranges, engine::break_words(text, work));
  Words words;
  for (const engine::WordRange& word : ranges)
    words.push_back(text.substr(word.begin, word.end - word.begin));
  return words;
}

// Cuts an 's with either apostrophe.
std::string_view without_possessive(std::string_view word) {
  for (const std::string_view ending : {"'s", "\xe2\x80\x99s"})
    if (word.ends_with(ending)) return word.substr(0, word.size() - ending.size());
  return word;
}

/// True for a stop word in lower case. The first word of a question is capitalised in any case, so its case is
/// ignored.
bool is_filling(const Words& words, std::size_t at, std::string_view language) {
  const bool is_capital = engine::begins_with_capital(words[at]);
  return (at == 0 || !is_capital) && engine::is_stop_word(language, engine::fold_word(words[at]));
}

}  // namespace

// Collects runs of one to three words that neither begin nor end with a filling word. The text is cut from the
// question as written, without a possessive ending.
Result<std::vector<NamedText>> named_texts(std::string_view question, std::string_view language,
                                           engine::TextWork& work) {
  constexpr std::uint64_t bytes_of_word = 1'024;  // as TextWork counts
  constexpr std::size_t bytes_of_text = sizeof(NamedText) + 32;
  CAIRN_ASSIGN(const Words words, words_of(question, work));
  std::vector<NamedText> texts;
  for (std::size_t first = 0; first < words.size(); ++first) {
    CAIRN_TRY(work.add(bytes_of_word, texts.capacity() * bytes_of_text));
    if (is_filling(words, first, language)) continue;
    for (std::size_t count = 1; count <= longest_name && first + count <= words.size(); ++count) {
      if (is_filling(words, first + count - 1, language)) continue;
      const char* const begin = words[first].data();
      const std::string_view last = words[first + count - 1];
      const auto size = static_cast<std::size_t>(last.data() + last.size() - begin);
      texts.push_back({std::string(without_possessive({begin, size})), first, count});
    }
  }
  return texts;
}

}  // namespace cairn::query
