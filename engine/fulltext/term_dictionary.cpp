#include "engine/fulltext/term_dictionary.hpp"

#include <algorithm>

namespace cairn::engine {
namespace {

/// More than a language has in daily use; some mebibytes.
constexpr std::size_t most_words = std::size_t{1} << 16;

}  // namespace

std::uint32_t TermDictionary::begin() {
  if (words_.size() > most_words || terms_.size() > most_words) {
    words_ = {};
    terms_ = {};
    stamps_ = {};
  }
  numbered_.clear();
  noted_.clear();  // of a text that an exception ended
  bytes_before_ = bytes_of_all();
  // After so many rounds a stamp of the first would look new.
  if (++round_ == 0) {
    stamps_.clear();
    round_ = 1;
  }
  return round_;
}

std::uint32_t TermDictionary::stamp(std::size_t field, std::uint32_t term) {
  if (field >= stamps_.size()) stamps_.resize(field + 1);
  auto& stamps = stamps_[field];
  if (term >= stamps.size()) stamps.resize(std::max<std::size_t>(terms_.size(), 2 * stamps.size()));
  Stamp& found = stamps[term];
  if (found.round != round_) {
    found = {round_, static_cast<std::uint32_t>(numbered_.size())};
    numbered_.push_back({static_cast<std::uint32_t>(field), term});
  }
  return found.number;
}

// What is not in the table, because it is longer or no plain word, is seldom.
void TermDictionary::note(const FoundTerm& found, const Analyzer& analyzer) {
  Noted noted;
  noted.position = found.position;
  if (found.is_folded_word && found.word.size() <= ShortWord::most_bytes) {
    noted.word = ShortWord(found.word);
    noted.hash = WordInterner::hash_of(noted.word);
    words_.expect(noted.hash);
  } else {
    noted.term = terms_.number_of(analyzer.term_of(found));
  }
  noted_.push_back(noted);
}

// By now the words lie in the cache, and when all are found their stamps do.
void TermDictionary::find_noted(std::size_t field, const Analyzer& analyzer) {
  if (field >= stamps_.size()) stamps_.resize(field + 1);
  const auto& stamps = stamps_[field];
  for (Noted& noted : noted_) {
    if (noted.word.size != 0) {
      const std::uint32_t* term = words_.find(noted.word, noted.hash);
      noted.term = term != nullptr ? *term : enter(noted, analyzer);
    }
    if (noted.term < stamps.size()) __builtin_prefetch(&stamps[noted.term], 1);
  }
}

std::uint32_t TermDictionary::enter(const Noted& noted, const Analyzer& analyzer) {
  const std::string word = noted.word.letters();
  const std::uint32_t term = terms_.number_of(analyzer.term_of({word, 0, false, true}));
  words_.insert(noted.word, noted.hash, term);
  return term;
}

}  // namespace cairn::engine
