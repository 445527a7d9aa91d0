// The text part of a recall: candidates by BM25, feedback, and the scores of single words.
//
// BM25 scores the words of the question without authors' names. The length normalisation is weaker for short texts
// (`fade_length`). The best text gets the score 1.

#include "engine/fulltext/text_search.hpp"
#include "engine/fulltext/word_breaker.hpp"
#include "query/recall/recall_run.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

namespace cairn::query {
namespace {

using codec::Bitmap;
using codec::EntityKind;

/// Number of words that are scored separately. All later words share the last place.
constexpr std::size_t most_words = 32;
constexpr std::size_t feedback_hits = 5;
constexpr std::size_t feedback_words = 10;

}  // namespace

// A word that the question repeats, in any form with the same stem, is searched for once: repetition is a matter of
// grammar. All words after the 32nd share the last entry.
std::vector<std::string> RecallRun::content_words(std::string_view question,
                                                  bool with_authors) const {
  std::vector<std::string> words;
  std::map<std::string, std::size_t> places;
  const auto ranges = engine::break_words(question);
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    if (!with_authors && author_words_.contains(i)) continue;
    const auto word = question.substr(ranges[i].begin, ranges[i].end - ranges[i].begin);
    const auto tokens = analyzer_.query_tokens(word);
    if (std::all_of(tokens.begin(), tokens.end(), [](const auto& t) { return t.is_stop_word; }))
      continue;
    const auto [place, is_new] =
        places.emplace(tokens.front().term, std::min(words.size(), most_words - 1));
    if (!is_new) continue;
    if (place->second == words.size()) words.emplace_back();
    words[place->second] += std::string(word) + " ";
  }
  return words;
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
  query.plain = true;
  query.corrects_among = corrects_among;
  return search(query, k, allowed);
}

Result<engine::TextHits> RecallRun::search(engine::TextQuery query, std::size_t k,
                                           const Bitmap& allowed) const {
  query.fade_length = true;
  query.joins_fields = true;
  query.k = k;
  query.allowed = &allowed;
  const std::vector<std::uint32_t> name_spaces = context_.graph.name_spaces();
  query.name_spaces = name_spaces;
  query.limits = &context_.budget;
  return view_.search_text(index_, query);
}

// An entry of words_ has words of one stem, each before a blank.
void RecallRun::replace_words(const std::vector<engine::CorrectedWord>& corrected) {
  for (std::string& words : words_)
    for (const auto& [word, term] : corrected)
      for (std::size_t at = words.find(word); at != std::string::npos; at = words.find(word, at))
        if ((at == 0 || words[at - 1] == ' ') && words[at + word.size()] == ' ') {
          words.replace(at, word.size(), term);
          at += term.size();
        } else {
          at += word.size();
        }
}

// If the question consists of authors' names only, the names are searched for. If it consists of stop words only, the
// stop words are.
Status RecallRun::find_by_text(std::string_view question) {
  words_ = content_words(question, false);
  if (words_.empty()) words_ = content_words(question, true);
  if (words_.empty()) words_ = {std::string(question)};
  CAIRN_ASSIGN(const auto found,
               search(joined_words(), std::max(recall_candidates, options_.limit), members_,
                      options_.features.corrects_spelling ? &visible_ : nullptr));
  replace_words(found.corrected);
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

// Runs one search for each word, over these records only. The scores of a record are scaled to the sum of its text
// score: parts that feedback or a date have added are distributed over the words in proportion.
Result<RecallRun::WordScores> RecallRun::score_words(const Bitmap& records) const {
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

// Joins all properties of the index, each text on a line of its own. Reads property by property; lists are joined
// element by element.
Result<std::vector<std::string>> RecallRun::texts_of(std::span<const std::uint64_t> ids) const {
  std::vector<std::string> texts(ids.size());
  const auto append = [](const Value& value, std::string& text) {
    if (value.string() != nullptr) text += *value.string() + "\n";
  };
  for (const std::uint32_t key : entry_.properties) {
    CAIRN_ASSIGN(const auto values, view_.properties(EntityKind::node, ids, key));
    for (std::size_t i = 0; i < ids.size(); ++i) {
      append(values[i], texts[i]);
      if (values[i].list() == nullptr) continue;
      for (const Value& item : *values[i].list()) append(item, texts[i]);
    }
  }
  return texts;
}

// Returns the words that most of the first hits share (Rocchio 1971), at most 10. Words with equal counts are ordered by
// their letters, so that the result is repeatable.
Result<std::vector<std::string>> RecallRun::shared_words() const {
  std::set<std::string> asked;
  for (const auto& token : analyzer_.query_tokens(joined_words())) asked.insert(token.term);
  std::map<std::string, std::pair<int, std::string>> counts;  // by term, with a word for it
  const std::size_t first = std::min(feedback_hits, by_text_.size());
  CAIRN_ASSIGN(const auto texts, texts_of(std::span(by_text_).first(first)));
  for (const std::string& text : texts) {
    std::set<std::string> seen = asked;
    for (const auto& token : analyzer_.query_tokens(text)) {
      if (token.is_stop_word || !seen.insert(token.term).second) continue;
      auto& [count, word] = counts[token.term];
      ++count;
      word = text.substr(token.begin, token.end - token.begin);
    }
  }
  std::vector<std::pair<int, std::string>> words;
  for (const auto& [term, count] : counts)
    if (count.first > 1) words.push_back(count);
  std::sort(words.rbegin(), words.rend());
  if (words.size() > feedback_words) words.resize(feedback_words);
  std::vector<std::string> shared;
  for (auto& [count, word] : words) shared.push_back(std::move(word));
  return shared;
}

// Searches for the words that the first hits share, and adds the scores with the weight of feedback. Words that are
// common in all texts say nothing about these hits, so their mean weight is compared with that of the question's words:
// a simple form of the clarity score (Cronen-Townsend, Zhou, Croft 2002).
Status RecallRun::add_feedback() {
  CAIRN_ASSIGN(const auto words, shared_words());
  if (words.empty()) return {};
  std::string text;
  for (const std::string& word : words) text += word + " ";
  CAIRN_ASSIGN(const auto found, search(text, recall_candidates, members_));
  const double shared_weight = found.whole / static_cast<double>(words.size());
  // A word that the question repeats counts as often in whole_text_, and has a blank behind it each time.
  const std::string asked = joined_words();
  const double asked_weight = whole_text_ / static_cast<double>(std::max<std::ptrdiff_t>(
                                                1, std::ranges::count(asked, ' ')));
  if (shared_weight < options_.features.feedback_clarity * asked_weight) return {};
  for (const engine::TextHit& hit : found.hits) {
    if (!hits_.contains(hit.id)) by_text_.push_back(hit.id);
    RankedRecord& made = hits_[hit.id];
    made.id = hit.id;
    made.text += options_.features.feedback_weight * hit.score / found.hits.front().score;
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
