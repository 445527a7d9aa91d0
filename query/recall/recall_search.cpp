// The words of a question, and the searches for them.
//
// BM25 scores the words of the question without authors' names. The length normalisation is weaker for short texts
// (`fade_length`).

#include "query/recall/recall_search.hpp"

#include "query/recall/recall_records.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace cairn::query {
namespace {

/// Number of words that are scored separately. All later words share the last place.
constexpr std::size_t most_words = 32;
/// Memory of a term in a map by term.
constexpr std::size_t bytes_of_term = 96;
/// What a lookup in a tree of words costs, as TextWork counts.
constexpr std::uint64_t bytes_of_look_up = 512;

}  // namespace

std::string joined_words(const SearchedWords& words) {
  std::string all;
  for (const std::string& word : words) all += word;
  return all;
}

Result<SearchedWords> corrected_words(SearchedWords words,
                                      const std::vector<engine::CorrectedWord>& corrected,
                                      engine::TextWork& work) {
  for (std::string& entry : words)
    for (const auto& [word, replacement] : corrected)
      for (std::size_t at = entry.find(word); at != std::string::npos; at = entry.find(word, at)) {
        CAIRN_TRY(work.add(entry.size(), 0));
        if ((at == 0 || entry[at - 1] == ' ') && entry[at + word.size()] == ' ') {
          entry.replace(at, word.size(), replacement);
          at += replacement.size();
        } else {
          at += word.size();
        }
      }
  return words;
}

// A question of authors' names only is searched for the names, and one of stop words only for the stop words.
Result<SearchedWords> RecallSearch::question_words(
    const std::set<std::size_t>& author_words) const {
  CAIRN_ASSIGN(SearchedWords words, words_without(author_words));
  if (words.empty()) {
    CAIRN_ASSIGN(words, words_without({}));
  }
  if (words.empty()) words = {std::string(question_)};
  return words;
}

// A word that the question repeats, in any form with the same stem, is searched for once, because repetition in a
// question has grammatical reasons. All words after the 32nd share the last entry.
Result<SearchedWords> RecallSearch::words_without(const std::set<std::size_t>& places) const {
  SearchedWords words;
  std::map<std::string, std::size_t> entries;
  CAIRN_ASSIGN(const auto ranges, engine::break_words(question_, work_));
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    CAIRN_TRY(work_.add(bytes_of_look_up, entries.size() * bytes_of_term + question_.size()));
    if (places.contains(i)) continue;
    const auto word = question_.substr(ranges[i].begin, ranges[i].end - ranges[i].begin);
    CAIRN_ASSIGN(const auto forms, forms_of(word));
    if (forms.empty()) continue;
    const auto [entry, is_new] =
        entries.emplace(std::ranges::min(forms.front()), std::min(words.size(), most_words - 1));
    if (!is_new) continue;
    if (entry->second == words.size()) words.emplace_back();
    words[entry->second] += std::string(word) + " ";
  }
  return words;
}

Result<std::vector<engine::WordForms>> RecallSearch::forms_of(std::string_view text) const {
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

Result<std::set<std::string>> RecallSearch::terms_of(const SearchedWords& words) const {
  std::set<std::string> terms;
  CAIRN_ASSIGN(const auto all, forms_of(joined_words(words)));
  for (const engine::WordForms& forms : all) {
    CAIRN_TRY(work_.add(bytes_of_look_up, terms.size() * bytes_of_term));
    terms.insert(forms.begin(), forms.end());
  }
  return terms;
}

Result<double> RecallSearch::count_words(const SearchedWords& words) const {
  CAIRN_ASSIGN(const auto ranges, engine::break_words(joined_words(words), work_));
  return static_cast<double>(std::max<std::size_t>(1, ranges.size()));
}

// A text may be as long as the database allows, and its words take several times its memory.
Result<std::vector<engine::Token>> RecallSearch::tokens_of(std::uint64_t id,
                                                           engine::Charge& held) const {
  CAIRN_ASSIGN(const auto texts, indexed_texts(view_, entry_, std::span(&id, 1)));
  const std::string& text = texts.front();
  CAIRN_TRY(held.set(text.size()));
  CAIRN_TRY(context_.budget.step(1 + text.size() / 256));
  CAIRN_ASSIGN(auto tokens, analyzer_.text_tokens(text, work_));
  CAIRN_TRY(held.set(text.size() + tokens.size() * (sizeof(engine::Token) + bytes_of_term)));
  return tokens;
}

Result<engine::TextHits> RecallSearch::find(std::string_view text, std::size_t k,
                                            const codec::Bitmap& allowed,
                                            const codec::Bitmap* corrects_among) const {
  engine::TextQuery query;
  query.text = text;
  query.corrects_among = corrects_among;
  return run(query, k, allowed);
}

Result<engine::TextHits> RecallSearch::find(const std::vector<engine::QueryTerm>& terms,
                                            std::size_t k) const {
  engine::TextQuery query;
  query.terms = terms;
  return run(query, k, members_);
}

// Searches without query syntax, because quotes and operators in a question have no special meaning.
Result<engine::TextHits> RecallSearch::run(engine::TextQuery query, std::size_t k,
                                           const codec::Bitmap& allowed) const {
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

Result<codec::Bitmap> RecallSearch::with_feature(std::string_view feature,
                                                 const codec::Bitmap& among) const {
  const std::vector<std::uint32_t> name_spaces = context_.graph.name_spaces();
  engine::TextQuery query;
  query.text = feature;
  query.is_feature = true;
  query.k = among.cardinality();
  query.allowed = &among;
  query.name_spaces = name_spaces;
  query.limits = &context_.budget;
  CAIRN_ASSIGN(const auto marked, view_.search_text(index_, query));
  std::vector<std::uint64_t> ids;
  for (const engine::TextHit& hit : marked.hits) ids.push_back(hit.id);
  return codec::Bitmap::from_unsorted(std::move(ids));
}

}  // namespace cairn::query
