// The text part of a recall: candidates by BM25, feedback, and the scores of single words.
//
// BM25 scores the words of the question without authors' names. The length normalisation is weaker for short texts
// (`fade_length`). The best text gets the score 1.

#include "engine/fulltext/text_search.hpp"
#include "engine/fulltext/word_breaker.hpp"
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

/// Number of words that are scored separately. All later words share the last place.
constexpr std::size_t most_words = 32;
constexpr std::size_t feedback_hits = 5;
constexpr std::size_t feedback_words = 20;
/// Memory of a term in a map by term.
constexpr std::size_t bytes_of_term = 96;
/// What a lookup in a tree of words costs, as TextWork counts.
constexpr std::uint64_t bytes_of_look_up = 512;

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

// A word that the question repeats, in any form with the same stem, is searched for once, because repetition in a
// question has grammatical reasons. All words after the 32nd share the last entry.
Result<std::vector<std::string>> RecallRun::content_words(std::string_view question,
                                                          bool with_authors) const {
  std::vector<std::string> words;
  std::map<std::string, std::size_t> places;
  CAIRN_ASSIGN(const auto ranges, engine::break_words(question, work_));
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    CAIRN_TRY(work_.add(bytes_of_look_up, places.size() * bytes_of_term + question.size()));
    if (!with_authors && author_words_.contains(i)) continue;
    const auto word = question.substr(ranges[i].begin, ranges[i].end - ranges[i].begin);
    CAIRN_ASSIGN(const auto forms, asked_forms(word));
    if (forms.empty()) continue;
    const auto [place, is_new] =
        places.emplace(std::ranges::min(forms.front()), std::min(words.size(), most_words - 1));
    if (!is_new) continue;
    if (place->second == words.size()) words.emplace_back();
    words[place->second] += std::string(word) + " ";
  }
  return words;
}

// Stop words are left out.
Result<std::vector<engine::WordForms>> RecallRun::asked_forms(std::string_view text) const {
  CAIRN_ASSIGN(auto tokens, analyzer_.query_tokens(text, work_));
  std::erase_if(tokens, [](const engine::Token& token) { return token.is_stop_word; });
  std::vector<engine::WordForms> words;
  for (engine::Token& token : tokens) {
    CAIRN_TRY(work_.add(bytes_of_look_up, words.capacity() * (bytes_of_term + sizeof(token))));
    if (words.empty() || !token.is_other_form) words.emplace_back();
    words.back().push_back(std::move(token.term));
  }
  if (!options_.features.joins_forms) return words;
  for (engine::WordForms& forms : words) {
    CAIRN_TRY(work_.add(bytes_of_look_up, 0));
    analyzer_.add_irregular_forms(forms);
  }
  return words;
}

Result<std::set<std::string>> RecallRun::asked_terms() const {
  std::set<std::string> terms;
  CAIRN_ASSIGN(const auto words, asked_forms(joined_words()));
  for (const engine::WordForms& forms : words) {
    CAIRN_TRY(work_.add(bytes_of_look_up, terms.size() * bytes_of_term));
    terms.insert(forms.begin(), forms.end());
  }
  return terms;
}

std::string RecallRun::joined_words() const {
  std::string all;
  for (const std::string& word : words_) all += word;
  return all;
}

// Searches without query syntax, because quotes and operators in a question have no special meaning.
Result<engine::TextHits> RecallRun::search(std::string_view text, std::size_t k,
                                           const Bitmap& allowed,
                                           const Bitmap* corrects_among) const {
  engine::TextQuery query;
  query.text = text;
  query.corrects_among = corrects_among;
  return search(query, k, allowed);
}

Result<engine::TextHits> RecallRun::search(engine::TextQuery query, std::size_t k,
                                           const Bitmap& allowed) const {
  query.plain = true;
  query.fade_length = true;
  query.joins_fields = true;
  query.joins_forms = options_.features.joins_forms;
  query.question = question_;
  query.k = k;
  query.allowed = &allowed;
  const std::vector<std::uint32_t> name_spaces = context_.graph.name_spaces();
  query.name_spaces = name_spaces;
  query.limits = &context_.budget;
  return view_.search_text(index_, query);
}

// An entry of words_ has words of one stem, each before a blank.
Status RecallRun::replace_words(const std::vector<engine::CorrectedWord>& corrected) {
  for (std::string& words : words_)
    for (const auto& [word, replacement] : corrected)
      for (std::size_t at = words.find(word); at != std::string::npos; at = words.find(word, at)) {
        CAIRN_TRY(work_.add(words.size(), 0));
        if ((at == 0 || words[at - 1] == ' ') && words[at + word.size()] == ' ') {
          words.replace(at, word.size(), replacement);
          at += replacement.size();
        } else {
          at += word.size();
        }
      }
  return {};
}

// If the question consists of authors' names only, the names are searched for. If it consists of stop words only, the
// stop words are.
Status RecallRun::find_by_text(std::string_view question) {
  CAIRN_ASSIGN(words_, content_words(question, false));
  if (words_.empty()) {
    CAIRN_ASSIGN(words_, content_words(question, true));
  }
  if (words_.empty()) words_ = {std::string(question)};
  CAIRN_ASSIGN(const auto found,
               search(joined_words(), std::max(recall_candidates, options_.limit), members_,
                      options_.features.corrects_spelling ? &visible_ : nullptr));
  CAIRN_TRY(replace_words(found.corrected));
  mean_words_ = found.mean_words;
  whole_text_ = found.whole;
  if (!found.hits.empty()) best_text_ = found.hits.front().score;
  for (const engine::TextHit& hit : found.hits) {
    RankedRecord& made = hits_[hit.id];
    made.id = hit.id;
    made.text = hit.score / found.hits.front().score;
    if (dated_.contains(hit.id)) made.text *= 1 + options_.features.date_weight;
    by_text_.push_back(hit.id);
  }
  return {};
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
    CAIRN_ASSIGN(const auto hits, search(words_[word], records.cardinality(), records));
    for (const engine::TextHit& hit : hits.hits) scores[hit.id][word] = hit.score;
  }
  for (auto& [id, row] : scores) {
    const double sum = std::accumulate(row.begin(), row.end(), 0.0);
    for (double& score : row)
      if (sum > 0) score *= hits_.at(id).text / sum;
  }
  return scores;
}

// A text may be as long as the database allows, and its words take several times its memory.
Result<std::vector<engine::Token>> RecallRun::tokens_of(std::uint64_t id,
                                                        engine::Charge& held) const {
  CAIRN_ASSIGN(const auto texts, indexed_texts(view_, entry_, std::span(&id, 1)));
  const std::string& text = texts.front();
  CAIRN_TRY(held.set(text.size()));
  CAIRN_TRY(context_.budget.step(1 + text.size() / 256));
  CAIRN_ASSIGN(auto tokens, analyzer_.text_tokens(text, work_));
  CAIRN_TRY(held.set(text.size() + tokens.size() * (sizeof(engine::Token) + bytes_of_term)));
  return tokens;
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
    CAIRN_ASSIGN(auto tokens, tokens_of(by_text_[i], of_text));
    const double score = hits_.at(by_text_[i]).text / static_cast<double>(tokens.size());
    std::erase_if(tokens, [](const engine::Token& token) { return token.is_stop_word; });
    all.add_text(tokens, score);
    CAIRN_TRY(of_all.set(all.size() * bytes_of_term));
  }
  return all.best();
}

// True if the words that the question does not have are rare enough. Words that are common in all texts say nothing about
// the first hits, so the mean weight of the shared words in BM25 is compared with that of the question's words: a simple
// form of the clarity score (Cronen-Townsend, Zhou, Croft 2002). False if there are no such words.
Result<bool> RecallRun::are_clear(const std::vector<engine::QueryTerm>& words) const {
  CAIRN_ASSIGN(const std::set<std::string> asked, asked_terms());
  std::vector<engine::QueryTerm> fresh;
  for (const engine::QueryTerm& word : words)
    if (!asked.contains(word.term)) fresh.push_back({word.term, 1, word.word});
  if (fresh.empty()) return false;
  engine::TextQuery query;
  query.terms = fresh;
  CAIRN_ASSIGN(const auto found, search(query, 0, members_));
  const double shared = found.whole / weight_of_words(fresh);
  CAIRN_ASSIGN(const double words_asked, asked_words());
  return shared >= options_.features.feedback_clarity * whole_text_ / words_asked;
}

// The number of words that are searched for.
Result<double> RecallRun::asked_words() const {
  CAIRN_ASSIGN(const auto words, engine::break_words(joined_words(), work_));
  return static_cast<double>(std::max<std::size_t>(1, words.size()));
}

// Searches for the words of the first hits, and adds the scores with the weight of feedback. The weights of all these words
// together are made equal to those of the question's words.
Status RecallRun::add_feedback() {
  CAIRN_ASSIGN(const auto words, shared_words());
  CAIRN_ASSIGN(const bool is_clear, are_clear(words));
  if (!is_clear) return {};
  engine::TextQuery query;
  query.terms = words;
  CAIRN_ASSIGN(const auto found, search(query, recall_candidates, members_));
  CAIRN_ASSIGN(const double words_asked, asked_words());
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
