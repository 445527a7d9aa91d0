// The text part of a recall: candidates by BM25, feedback, and the scores of single words.
//
// The best text gets the score 1.

#include "engine/fulltext/text_search.hpp"
#include "engine/system/limits.hpp"
#include "query/recall/recall_run.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <numeric>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace cairn::query {
namespace {

using codec::Bitmap;
using codec::EntityKind;

/// The text score of a record without a word of the question, if the question names both its author and its date, or
/// only one of them.
constexpr double share_of_both_names = 0.3;
constexpr double share_of_one_name = 0.05;
constexpr std::size_t feedback_hits = 5;
constexpr std::size_t feedback_words = 20;
/// Memory of an entry of SharedWords.
constexpr std::size_t bytes_of_shared = 96;
/// The words of the first hits. The forms of a word in several languages have one number.
class SharedWords {
 public:
  /// Adds a text in which each word has the weight `score`.
  void add_text(const std::vector<engine::Token>& tokens, double score) {
    std::set<std::string> of_text;
    for (const engine::WordForms& forms : engine::forms_of_words(tokens)) {
      const std::uint32_t number = number_of(forms);
      for (const std::string& form : forms) {
        Shared& shared = all_[form];
        shared.word = number;
        shared.weight += score;
        if (of_text.insert(form).second) ++shared.hits;
      }
    }
  }
  [[nodiscard]] std::size_t size() const noexcept { return all_.size(); }

  /// Returns the words that several texts have, in descending order of weight, with the forms of a word next to each
  /// other.
  [[nodiscard]] std::vector<engine::QueryTerm> best() const {
    std::vector<engine::QueryTerm> words;
    for (const auto& [term, shared] : all_)
      if (shared.hits > 1) words.push_back({term, shared.weight, shared.word});
    std::ranges::stable_sort(words, std::ranges::greater(), &engine::QueryTerm::weight);
    std::map<std::uint32_t, std::size_t> places;  // of the first form of each word
    for (const auto& word : words) places.try_emplace(word.word, places.size());
    std::erase_if(words, [&](const auto& word) { return places[word.word] >= feedback_words; });
    std::ranges::stable_sort(words, {}, [&](const auto& word) { return places[word.word]; });
    return words;
  }

 private:
  struct Shared {
    double weight = 0;
    std::size_t hits = 0;
    std::uint32_t word = 0;
  };

  [[nodiscard]] std::uint32_t number_of(const engine::WordForms& forms) {
    for (const std::string& form : forms)
      if (const auto known = all_.find(form); known != all_.end()) return known->second.word;
    return ++last_;
  }

  std::map<std::string, Shared> all_;
  std::uint32_t last_ = 0;
};

/// Returns the sum of the weights of all words. Only the best of the adjacent forms of a word counts.
double weight_of_words(const std::vector<engine::QueryTerm>& words) {
  double sum = 0;
  for (std::size_t i = 0; i < words.size(); ++i)
    if (i == 0 || words[i].word != words[i - 1].word) sum += words[i].weight;
  return sum;
}

}  // namespace

Status RecallRun::find_by_text() {
  CAIRN_ASSIGN(words_, search_->question_words(names_.author_words));
  CAIRN_ASSIGN(const auto found,
               search_->find(joined_words(words_), std::max(recall_candidates, options_.limit),
                             members_, options_.features.corrects_spelling ? &visible_ : nullptr));
  CAIRN_ASSIGN(words_, corrected_words(std::move(words_), found.corrected, work_));
  mean_words_ = found.mean_words;
  whole_text_ = found.whole;
  if (!found.hits.empty()) best_text_ = found.hits.front().score;
  for (const engine::TextHit& hit : found.hits) {
    RankedRecord& made = hits_[hit.id];
    made.id = hit.id;
    made.text = hit.score / found.hits.front().score;
    if (names_.dated.contains(hit.id)) made.text *= 1 + options_.features.date_weight;
    by_text_.push_back(hit.id);
  }
  return {};
}

// Adds the records of the author and the date that the question names, because they may contain no word of the
// question. If nothing else is found, adds records with one name of the question, newest first.
void RecallRun::add_named() {
  const auto add = [this](const Bitmap& ids, double share, std::size_t most) {
    std::vector<std::uint64_t> chosen;
    ids.for_each([&](std::uint64_t id) {
      if (!hits_.contains(id)) chosen.push_back(id);
    });
    if (chosen.size() > most)
      chosen.erase(chosen.begin(), chosen.end() - static_cast<std::ptrdiff_t>(most));
    for (const std::uint64_t id : chosen) {
      RankedRecord& made = hits_[id];
      made.id = id;
      made.text = share;
    }
  };
  const Bitmap both = codec::intersect(names_.authored, names_.dated);
  if (both.cardinality() <= recall_candidates) add(both, share_of_both_names, recall_candidates);
  if (!hits_.empty()) return;
  for (const Bitmap* const ids :
       {&both, &std::as_const(names_.dated), &std::as_const(names_.authored),
        &std::as_const(names_.mentioned)})
    if (hits_.size() < options_.limit) add(*ids, share_of_one_name, options_.limit - hits_.size());
}

// A question may have very many words.
std::size_t RecallRun::bytes_of_scores() const {
  constexpr std::size_t of_entry = 96;  // in a hash table
  return of_entry + words_.size() * sizeof(double);
}

// Runs one search for each word, over these records only. The scores of a record are scaled to the sum of its text
// score: parts that feedback or a date have added are distributed over the words in proportion.
Result<RecallRun::WordScores> RecallRun::score_words(const Bitmap& records,
                                                     engine::Charge& held) const {
  CAIRN_TRY(held.add(records.cardinality() * bytes_of_scores()));
  WordScores scores;
  records.for_each([&](std::uint64_t id) { scores[id].resize(words_.size()); });
  for (std::size_t word = 0; word < words_.size(); ++word) {
    CAIRN_ASSIGN(const auto hits, search_->find(words_[word], records.cardinality(), records));
    for (const engine::TextHit& hit : hits.hits) scores[hit.id][word] = hit.score;
  }
  for (auto& [id, row] : scores) {
    const double sum = std::accumulate(row.begin(), row.end(), 0.0);
    for (double& score : row)
      if (sum > 0) score *= hits_.at(id).text / sum;
  }
  return scores;
}

// Estimates the words that characterise the first hits, by the relevance model RM3 (Lavrenko, Croft 2001; Abdul-Jaleel
// and others 2004): the weight of a word is the sum of its shares of these texts, each multiplied by the score of the
// text. Words of the question are included, because the first hits show which of them matter. At least two hits must
// have a word. Equal weights are ordered by their letters, so that the result is repeatable.
Result<std::vector<engine::QueryTerm>> RecallRun::shared_words() const {
  SharedWords all;
  const std::size_t first = std::min(feedback_hits, by_text_.size());
  engine::Charge of_text(&context_.budget), of_all(&context_.budget);
  for (std::size_t i = 0; i < first; ++i) {
    CAIRN_ASSIGN(auto tokens, search_->tokens_of(by_text_[i], of_text));
    const double score = hits_.at(by_text_[i]).text / static_cast<double>(tokens.size());
    std::erase_if(tokens, [](const engine::Token& token) { return token.is_stop_word; });
    all.add_text(tokens, score);
    CAIRN_TRY(of_all.set(all.size() * bytes_of_shared));
  }
  return all.best();
}

// True if the words that the question does not have are rare enough. Words that are common in all texts say nothing about
// the first hits, so the mean weight of the shared words in BM25 is compared with that of the question's words: a simple
// form of the clarity score (Cronen-Townsend, Zhou, Croft 2002). False if there are no such words.
Result<bool> RecallRun::are_clear(const std::vector<engine::QueryTerm>& words) const {
  CAIRN_ASSIGN(const std::set<std::string> asked, search_->terms_of(words_));
  std::vector<engine::QueryTerm> fresh;
  for (const engine::QueryTerm& word : words)
    if (!asked.contains(word.term)) fresh.push_back({word.term, 1, word.word});
  if (fresh.empty()) return false;
  CAIRN_ASSIGN(const auto found, search_->find(fresh, 0));
  const double shared = found.whole / weight_of_words(fresh);
  CAIRN_ASSIGN(const double words_asked, search_->count_words(words_));
  return shared >= options_.features.feedback_clarity * whole_text_ / words_asked;
}

// Searches for the words of the first hits, and adds the scores with the weight of feedback. The weights of all these words
// together are made equal to those of the question's words.
Status RecallRun::add_feedback() {
  CAIRN_ASSIGN(const auto words, shared_words());
  CAIRN_ASSIGN(const bool is_clear, are_clear(words));
  if (!is_clear) return {};
  CAIRN_ASSIGN(const auto found, search_->find(words, recall_candidates));
  CAIRN_ASSIGN(const double words_asked, search_->count_words(words_));
  const double scale =
      options_.features.feedback_weight * words_asked / weight_of_words(words) / best_text_;
  for (const engine::TextHit& hit : found.hits) {
    if (!hits_.contains(hit.id)) by_text_.push_back(hit.id);
    RankedRecord& made = hits_[hit.id];
    made.id = hit.id;
    made.text += scale * hit.score;
  }
  sort_by_text();
  return {};
}

// Sorts by_text_ by text score, ties by id.
void RecallRun::sort_by_text() {
  std::sort(by_text_.begin(), by_text_.end(), [&](std::uint64_t a, std::uint64_t b) {
    return hits_[a].text != hits_[b].text ? hits_[a].text > hits_[b].text : a < b;
  });
}

}  // namespace cairn::query
