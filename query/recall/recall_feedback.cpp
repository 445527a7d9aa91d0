// Further texts: by the words that the first texts share, and by the caller's expansion words.

#include "query/recall/recall_features.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace cairn::query {
namespace {

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

// Estimates the words that characterise the first hits, by the relevance model RM3 (Lavrenko, Croft 2001; Abdul-Jaleel
// and others 2004): the weight of a word is the sum of its shares of these texts, each multiplied by the score of the
// text. Words of the question are included, because the first hits show which of them matter. At least two hits must
// have a word. Equal weights are ordered by their letters, so that the result is repeatable.
Result<std::vector<engine::QueryTerm>> shared_words(const RecallSearch& search,
                                                    const Candidates& candidates) {
  SharedWords all;
  const std::size_t first = std::min(feedback_hits, candidates.by_text.size());
  engine::Charge of_text(&search.limits()), of_all(&search.limits());
  for (std::size_t i = 0; i < first; ++i) {
    CAIRN_ASSIGN(auto tokens, search.tokens_of(candidates.by_text[i], of_text));
    const double score =
        candidates.hits.at(candidates.by_text[i]).text / static_cast<double>(tokens.size());
    std::erase_if(tokens, [](const engine::Token& token) { return token.is_stop_word; });
    all.add_text(tokens, score);
    CAIRN_TRY(of_all.set(all.size() * bytes_of_shared));
  }
  return all.best();
}

// True if the words that the question does not have are rare enough. Words that are common in all texts say nothing about
// the first hits, so the mean weight of the shared words in BM25 is compared with that of the question's words: a simple
// form of the clarity score (Cronen-Townsend, Zhou, Croft 2002). False if there are no such words.
Result<bool> are_clear(const RecallSearch& search, const std::vector<engine::QueryTerm>& shared,
                       const SearchedWords& words, const RecallFeatures& features,
                       double whole_text) {
  CAIRN_ASSIGN(const std::set<std::string> asked, search.terms_of(words));
  std::vector<engine::QueryTerm> fresh;
  for (const engine::QueryTerm& word : shared)
    if (!asked.contains(word.term)) fresh.push_back({word.term, 1, word.word});
  if (fresh.empty()) return false;
  CAIRN_ASSIGN(const auto found, search.find(fresh, 0));
  const double weight = found.whole / weight_of_words(fresh);
  CAIRN_ASSIGN(const double words_asked, search.count_words(words));
  return weight >= features.feedback_clarity * whole_text / words_asked;
}

Error refusal(std::string message) { return {ErrorCode::invalid_argument, std::move(message), {}}; }

Status check(const std::vector<RecallWord>& words) {
  for (const RecallWord& word : words)
    if (!(word.share >= 0 && word.share <= 1))
      return refusal("the share of the word \"" + word.word +
                     "\" in `expansion` must be from 0 to 1");
  return {};
}

// The terms of the expansion words with their shares. The forms of a word have one number.
Result<std::vector<engine::QueryTerm>> expansion_terms(const RecallSearch& search,
                                                       const SearchedWords& words,
                                                       const std::vector<RecallWord>& expansion) {
  CAIRN_ASSIGN(std::set<std::string> asked, search.terms_of(words));
  std::vector<engine::QueryTerm> terms;
  std::uint32_t number = 0;
  for (const RecallWord& word : expansion) {
    CAIRN_ASSIGN(const auto all_forms, search.forms_of(word.word));
    for (const engine::WordForms& forms : all_forms) {
      ++number;
      for (const std::string& form : forms)
        if (asked.insert(form).second) terms.push_back({form, word.share, number});
    }
  }
  return terms;
}

}  // namespace

// The weights of all shared words together are made equal to those of the question's words.
Result<std::vector<engine::TextHit>> feedback_texts(const RecallSearch& search,
                                                    const SearchedWords& words,
                                                    const RecallFeatures& features,
                                                    const Candidates& candidates) {
  CAIRN_ASSIGN(const auto shared, shared_words(search, candidates));
  CAIRN_ASSIGN(const bool is_clear,
               are_clear(search, shared, words, features, candidates.whole_text));
  if (!is_clear) return std::vector<engine::TextHit>();
  CAIRN_ASSIGN(auto found, search.find(shared, recall_candidates));
  CAIRN_ASSIGN(const double words_asked, search.count_words(words));
  const double scale =
      features.feedback_weight * words_asked / weight_of_words(shared) / candidates.best_text;
  for (engine::TextHit& hit : found.hits) hit.score *= scale;
  return std::move(found.hits);
}

// One search for all of their terms. Terms of the question and of an earlier word are skipped. Scores are relative to the
// best text of the question, so that a share means the same for every word.
Result<std::vector<engine::TextHit>> expansion_texts(const RecallSearch& search,
                                                     const SearchedWords& words,
                                                     const RecallOptions& options,
                                                     double best_text) {
  CAIRN_TRY(check(options.expansion));
  CAIRN_ASSIGN(const auto terms, expansion_terms(search, words, options.expansion));
  if (terms.empty()) return std::vector<engine::TextHit>();
  CAIRN_ASSIGN(auto found, search.find(terms, std::max(recall_candidates, options.limit)));
  if (found.hits.empty()) return std::vector<engine::TextHit>();
  const double best = best_text > 0 ? best_text : found.hits.front().score;
  for (engine::TextHit& hit : found.hits)
    hit.score = options.features.expansion_weight * hit.score / best;
  return std::move(found.hits);
}

}  // namespace cairn::query
