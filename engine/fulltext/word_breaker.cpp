// Words by the rules of Unicode Annex 29. Plain ASCII, which most texts are, is read by a loop of
// its own that follows the same rules for it (tests compare the two on generated texts) at a
// fraction of ICU's cost. Folding likewise. ICU's objects are not for two threads at once: each
// thread keeps its own for as long as it lives.
#include "engine/fulltext/word_breaker.hpp"

#include <unicode/brkiter.h>
#include <unicode/bytestream.h>
#include <unicode/normalizer2.h>
#include <unicode/translit.h>
#include <unicode/ubrk.h>
#include <unicode/unistr.h>
#include <unicode/utext.h>

#include <algorithm>
#include <memory>
#include <optional>

namespace cairn::engine {
namespace {

/// ICU takes '@' for a letter, which keeps addresses whole.
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '@'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_inside(char c) { return is_letter(c) || is_digit(c) || c == '_'; }

/// Rules WB6 and WB7, WB11 and WB12 of Unicode Annex 29: what may stand between two letters, and
/// between two digits.
/// Both neighbours are looked at: "e.g." keeps its inner dot and loses the last.
bool joins(char before, char between, char after) {
  const bool both = between == '.' || between == '\'';
  if (is_letter(before) && is_letter(after)) return both;
  return is_digit(before) && is_digit(after) && (both || between == ',' || between == ';');
}

/// More than punctuation.
bool has_content(std::string_view word) {
  return std::any_of(word.begin(), word.end(), [](char c) { return c != '_' && c != '@'; });
}

std::size_t end_of_ascii_word(std::string_view text, std::size_t at) {
  while (at < text.size()) {
    if (is_inside(text[at])) {
      ++at;
    } else if (at + 1 < text.size() && joins(text[at - 1], text[at], text[at + 1])) {
      at += 2;
    } else {
      break;
    }
  }
  return at;
}

std::vector<WordRange> break_ascii(std::string_view text) {
  constexpr std::size_t usual_word = 5;
  std::vector<WordRange> words;
  words.reserve(text.size() / usual_word + 1);
  for (std::size_t at = 0; at < text.size();) {
    if (!is_inside(text[at])) {
      ++at;
      continue;
    }
    const std::size_t end = end_of_ascii_word(text, at + 1);
    if (has_content(text.substr(at, end - at))) words.push_back({at, end});
    at = end;
  }
  return words;
}

/// One for each thread: a break iterator is not for two at once, and costs much to make.
icu::BreakIterator* word_iterator() {
  thread_local const std::unique_ptr<icu::BreakIterator> iterator = [] {
    UErrorCode status = U_ZERO_ERROR;
    std::unique_ptr<icu::BreakIterator> made(
        icu::BreakIterator::createWordInstance(icu::Locale::getRoot(), status));
    return U_SUCCESS(status) ? std::move(made) : nullptr;
  }();
  return iterator.get();
}

bool is_ascii(std::string_view text) {
  return std::none_of(text.begin(), text.end(), [](char c) { return (c & 0x80) != 0; });
}

void straighten_apostrophes(std::string& word) {
  constexpr std::string_view curly = "\xe2\x80\x99";
  for (auto at = word.find(curly); at != std::string::npos; at = word.find(curly, at))
    word.replace(at, curly.size(), "'");
}

/// One for each thread, as above.
const icu::Transliterator* diacritics_remover() {
  thread_local const std::unique_ptr<icu::Transliterator> remover = [] {
    UErrorCode status = U_ZERO_ERROR;
    UParseError where;
    const icu::UnicodeString rules(
        u"::NFD; [[:Latin:][:Greek:]] { [:Mn:]+ > ; ::NFC; ::[:Latin:] Latin-ASCII; ::Lower;");
    std::unique_ptr<icu::Transliterator> made(
        icu::Transliterator::createFromRules(u"Diacritics", rules, UTRANS_FORWARD, where, status));
    return U_SUCCESS(status) ? std::move(made) : nullptr;
  }();
  return remover.get();
}

}  // namespace

std::vector<WordRange> break_words(std::string_view text) {
  return is_ascii(text) ? break_ascii(text) : break_words_by_icu(text);
}

std::vector<WordRange> break_words_by_icu(std::string_view text) {
  icu::BreakIterator* iterator = word_iterator();
  if (iterator == nullptr) return break_ascii(text);
  UErrorCode status = U_ZERO_ERROR;
  UText* source =
      utext_openUTF8(nullptr, text.data(), static_cast<std::int64_t>(text.size()), &status);
  std::vector<WordRange> words;
  if (U_FAILURE(status)) return break_ascii(text);
  iterator->setText(source, status);
  auto begin = iterator->first();
  for (auto end = iterator->next(); end != icu::BreakIterator::DONE; end = iterator->next()) {
    const WordRange word{static_cast<std::size_t>(begin), static_cast<std::size_t>(end)};
    // ICU marks what lies between words by a status below this limit.
    const bool is_word = iterator->getRuleStatus() >= UBRK_WORD_NONE_LIMIT &&
                         has_content(text.substr(word.begin, word.end - word.begin));
    if (is_word) words.push_back(word);
    begin = end;
  }
  utext_close(source);
  return words;
}

std::string fold_word(std::string_view word) {
  std::string folded;
  if (is_ascii(word)) {
    folded.assign(word);
    for (char& c : folded) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
    return folded;
  }
  UErrorCode status = U_ZERO_ERROR;
  const icu::Normalizer2* folding = icu::Normalizer2::getNFKCCasefoldInstance(status);
  icu::StringByteSink<std::string> sink(&folded);
  if (U_SUCCESS(status)) {
    folding->normalizeUTF8(0, {word.data(), static_cast<std::int32_t>(word.size())}, sink, nullptr,
                           status);
  }
  if (U_FAILURE(status)) folded.assign(word);  // no memory for ICU's data, nothing else
  straighten_apostrophes(folded);
  return folded;
}

std::string without_diacritics(std::string word) {
  const icu::Transliterator* remover = is_ascii(word) ? nullptr : diacritics_remover();
  if (remover == nullptr) return word;
  icu::UnicodeString text = icu::UnicodeString::fromUTF8(word);
  remover->transliterate(text);
  word.clear();
  text.toUTF8String(word);
  return word;
}

}  // namespace cairn::engine
