// The steps of a recall and their order, diversity, and the parsing of names and dates in a question.
//
//    score = (text + dense + propagation + group) * named * rules / whole
//
// The parts are relative to the best text score, so that weights mean the same for any index. `whole` is the score of
// a record that has everything the question asks for. Candidates are the 150 best texts and the records that the
// features add. The cost grows with the candidates and not with the database.
#include "query/recall/recall_run.hpp"

#include "engine/fulltext/stop_words.hpp"
#include "engine/fulltext/text_search.hpp"
#include "engine/fulltext/word_breaker.hpp"
#include "engine/graph/index_members.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <numeric>

namespace cairn::query {
namespace {

// A valid weight.
bool is_sound(double weight) { return std::isfinite(weight) && weight >= 0; }

// Diversity is a share, so that it is at most 1. The other weights have no upper bound.
Status check(const RecallFeatures& features) {
  for (const double weight :
       {features.propagation_weight, features.group_weight, features.entity_weight,
        features.author_weight, features.date_weight, features.feedback_weight,
        features.feedback_length, features.feedback_clarity, features.dense_weight,
        features.expansion_weight, features.feature_weight, features.diversity})
    if (!is_sound(weight))
      return Error{
          ErrorCode::invalid_argument, "a weight of recall must be finite and not negative", {}};
  if (features.diversity > 1)
    return Error{ErrorCode::invalid_argument, "the diversity of recall must be at most 1", {}};
  return {};
}

// Orders by score, then by id.
bool is_better(const RankedRecord& a, const RankedRecord& b) {
  return a.score != b.score ? a.score > b.score : a.id < b.id;
}

/// Returns the share of the terms of `a` that `b` contains too. Both are sorted.
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

Status RecallRun::check_options() const {
  CAIRN_TRY(check(options_.features));
  if (options_.context > most_context)
    return Error{ErrorCode::invalid_argument, "the context of recall must be at most 1000", {}};
  return {};
}

// A feature with weight 0 is skipped and costs nothing.
Result<std::vector<RankedRecord>> RecallRun::run(std::string_view question) {
  const RecallFeatures& features = options_.features;
  analyzer_ = engine::Analyzer(engine::analyzer_options(entry_.text), question);
  CAIRN_TRY(check_options());
  CAIRN_TRY(find_boosts());
  CAIRN_TRY(restrict_ids());
  CAIRN_TRY(find_types());
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
  if (features.diversity > 0) CAIRN_TRY(diversify(hits));
  if (wants_passages()) CAIRN_TRY(add_passages(hits));
  if (hits.size() > options_.limit) hits.resize(options_.limit);
  return hits;
}

// Restricts all steps to the records of the full-text index. Other records are neither found nor walked over.
Status RecallRun::restrict_ids() {
  CAIRN_ASSIGN(const codec::Bitmap covered, engine::index_members(entry_, view_));
  CAIRN_ASSIGN(const codec::Bitmap* const visible, context_.graph.visible(codec::EntityKind::node));
  visible_ = codec::intersect(*visible, covered);
  members_ = codec::intersect(members_, covered);
  return {};
}

// A candidate is in hits_, in by_text_, and at last in the result.
Status RecallRun::charge_hits() {
  constexpr std::size_t bytes_of_hit = 2 * sizeof(RankedRecord) + 64;
  return held_.set(hits_.size() * bytes_of_hit);
}

// The parts do not depend on the filter, so that they are the same for all questions of a caller.
Status RecallRun::find_roles() {
  CAIRN_ASSIGN(roles_, query::find_roles(view_, visible_, entry_.properties, options_.features));
  return {};
}

// Terms become small numbers, sorted and distinct, so that two texts are compared by a merge.
Result<std::vector<std::vector<std::uint32_t>>> RecallRun::terms_of(
    std::span<const RankedRecord> hits) const {
  std::vector<std::uint64_t> ids;
  for (const RankedRecord& hit : hits) ids.push_back(hit.id);
  CAIRN_ASSIGN(const auto texts, texts_of(ids));
  engine::Charge held(&context_.budget);
  for (const std::string& text : texts) CAIRN_TRY(held.add(text.size()));
  std::unordered_map<std::string, std::uint32_t> numbers;
  std::vector<std::vector<std::uint32_t>> all;
  for (const std::string& text : texts) {
    CAIRN_TRY(context_.budget.step(1 + text.size() / 256));
    std::vector<std::uint32_t>& terms = all.emplace_back();
    for (auto& token : analyzer_.text_tokens(text)) {
      if (token.is_stop_word) continue;
      const auto next = static_cast<std::uint32_t>(numbers.size());
      terms.push_back(numbers.try_emplace(std::move(token.term), next).first->second);
    }
    std::sort(terms.begin(), terms.end());
    terms.erase(std::unique(terms.begin(), terms.end()), terms.end());
  }
  return all;
}

// Upper bound of the product of boosts. It keeps scores finite for any number of boosts.
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

// Maximal marginal relevance (Carbonell, Goldstein 1998) over three times `limit` hits. Each step takes the hit with
// the best score after a penalty. The penalty grows with the similarity to the most similar hit that was taken
// before. Cost: limit squared.
Status RecallRun::diversify(std::vector<RankedRecord>& hits) const {
  const bool is_all = options_.limit > hits.size() / 3;  // three times the limit may overflow
  const std::size_t count = is_all ? hits.size() : options_.limit * 3;
  CAIRN_ASSIGN(const auto terms, terms_of(std::span(hits).first(count)));
  // For each hit: similarity to the most similar hit taken before.
  std::vector<double> likest(count, 0);
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto worth = [&](std::size_t hit) {
    return hits[hit].score * (1 - options_.features.diversity * likest[hit]);
  };
  // Hits within the passage of a better one are left out later.
  const std::size_t wanted = wants_passages() ? count : std::min(options_.limit, count);
  const auto end = order.begin() + static_cast<std::ptrdiff_t>(wanted);
  for (auto next = order.begin(); next != end; ++next) {
    CAIRN_TRY(context_.budget.step(static_cast<std::size_t>(order.end() - next)));
    const auto best = std::max_element(
        next, order.end(), [&](std::size_t a, std::size_t b) { return worth(a) < worth(b); });
    std::rotate(next, best, best + 1);  // the rest keeps its order
    for (auto rest = next + 1; rest != order.end(); ++rest)
      likest[*rest] = std::max(likest[*rest], similarity(terms[*rest], terms[*next]));
  }
  std::vector<RankedRecord> chosen;
  for (auto hit = order.begin(); hit != end; ++hit) chosen.push_back(hits[*hit]);
  hits = std::move(chosen);
  return {};
}

// Parsing of a question: texts of one to three words that may be values of properties, and dates. Dates are read in
// English and ISO forms: 7 May 2023, May 7 2023, 2023-05-07, May 2023, 2023.

namespace {

using Words = std::vector<std::string_view>;

// In words.
constexpr std::size_t longest_name = 3;
constexpr int first_year = 1900;
constexpr int last_year = 2100;

// Splits by engine::break_words(). The views point into `text`.
Words words_of(std::string_view text) {
  Words words;
  for (const engine::WordRange& word : engine::break_words(text))
    words.push_back(text.substr(word.begin, word.end - word.begin));
  return words;
}

// Reads a number from `least` to `most`, possibly with an ordinal ending.
std::optional<int> number_in(std::string_view word, int least, int most) {
  int number = 0;
  const auto read = std::from_chars(word.data(), word.data() + word.size(), number);
  // Accepts ordinals: 7th, 1st.
  const std::string_view rest(read.ptr,
                              static_cast<std::size_t>(word.data() + word.size() - read.ptr));
  const bool ends = rest.empty() || rest == "st" || rest == "nd" || rest == "rd" || rest == "th";
  if (read.ec != std::errc() || !ends || number < least || number > most) return std::nullopt;
  return number;
}

std::optional<int> year_in(std::string_view word) {
  return word.size() == 4 ? number_in(word, first_year, last_year) : std::nullopt;
}

/// Accepts the full name or its first three letters, in any case; "sept" is not accepted.
std::optional<int> month_in(std::string_view word) {
  constexpr std::array<std::string_view, 12> months = {
      "january", "february", "march",     "april",   "may",      "june",
      "july",    "august",   "september", "october", "november", "december"};
  const std::string folded = engine::fold_word(word);
  for (std::size_t i = 0; i < months.size(); ++i)
    if (folded == months[i] || (folded.size() == 3 && months[i].starts_with(folded)))
      return static_cast<int>(i) + 1;
  return std::nullopt;
}

// The first microsecond of the day, since 1970 UTC.
std::int64_t start_of(std::chrono::year_month_day day) {
  return std::chrono::duration_cast<std::chrono::microseconds>(
             std::chrono::sys_days(day).time_since_epoch())
      .count();
}

/// Returns the range of a year, of a month or of a day, from the first to the last microsecond, both included.
/// Returns nullopt for a date that does not exist.
std::optional<TimeRange> range_of(int year, std::optional<int> month, std::optional<int> day) {
  using namespace std::chrono;
  const std::chrono::year y(year);
  const std::chrono::month m(static_cast<unsigned>(month.value_or(1)));
  const year_month_day first(y, m, std::chrono::day(static_cast<unsigned>(day.value_or(1))));
  if (!first.ok()) return std::nullopt;
  year_month_day end = first;
  if (day)
    end = year_month_day(sys_days(first) + days(1));
  else if (month)
    end = first + months(1);
  else
    end = first + years(1);
  return TimeRange{start_of(first), start_of(end) - 1};
}

/// Reads a date that begins at word `at`; `used` becomes its number of words. Tries longer forms first, because a
/// part of a date is a date too.
std::optional<TimeRange> date_at(const Words& words, std::size_t at, std::size_t& used) {
  const auto word = [&](std::size_t i) { return at + i < words.size() ? words[at + i] : ""; };
  const auto month = month_in(word(0));
  used = 3;
  if (const auto day = number_in(word(0), 1, 31); day && month_in(word(1)) && year_in(word(2)))
    return range_of(*year_in(word(2)), month_in(word(1)), day);
  if (const auto day = number_in(word(1), 1, 31); month && day && year_in(word(2)))
    return range_of(*year_in(word(2)), month, day);
  const auto iso_month = number_in(word(1), 1, 12);
  const auto iso_day = number_in(word(2), 1, 31);
  if (year_in(word(0)) && iso_month && iso_day && word(1).size() == 2 && word(2).size() == 2)
    return range_of(*year_in(word(0)), iso_month, iso_day);
  used = 2;
  if (month && year_in(word(1))) return range_of(*year_in(word(1)), month, std::nullopt);
  used = 1;
  if (const auto year = year_in(word(0))) return range_of(*year, std::nullopt, std::nullopt);
  return std::nullopt;
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
  const bool is_capital = words[at].front() >= 'A' && words[at].front() <= 'Z';
  return (at == 0 || !is_capital) && engine::is_stop_word(language, engine::fold_word(words[at]));
}

}  // namespace

// Collects runs of one to three words that neither begin nor end with a filling word. The text is cut from the
// question as written, without a possessive ending.
std::vector<NamedText> named_texts(std::string_view question, std::string_view language) {
  const Words words = words_of(question);
  std::vector<NamedText> texts;
  for (std::size_t first = 0; first < words.size(); ++first) {
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

// Reads from left to right and uses each word once: "7 May 2023" is one day and not also the month.
std::vector<TimeRange> named_times(std::string_view question) {
  const Words words = words_of(question);
  std::vector<TimeRange> ranges;
  for (std::size_t at = 0; at < words.size();) {
    std::size_t used = 1;
    const auto range = date_at(words, at, used);
    if (range) ranges.push_back(*range);
    at += range ? used : 1;
  }
  return ranges;
}

}  // namespace cairn::query
