// Words by the rules of Unicode Annex 29. Plain ASCII, which most texts are, is split by a loop
// with the same rules in this file, at a fraction of ICU's cost (tests compare the loop with ICU on
// generated texts). ASCII words are also folded without ICU. ICU's objects are not thread-safe, so
// each thread has its own.
#include "engine/fulltext/word_breaker.hpp"

#include "codec/utf8.hpp"

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

/// '@' counts as a letter, as in ICU, so that mail addresses are words.
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '@'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_inside(char c) { return is_letter(c) || is_digit(c) || c == '_'; }

/// Rules WB6, WB7, WB11 and WB12 of Unicode Annex 29: true if `between` does not separate two
/// letters or two digits. Since both neighbours are tested, "e.g." contains its inner dot but not
/// the last one.
bool joins(char before, char between, char after) {
  const bool both = between == '.' || between == '\'';
  if (is_letter(before) && is_letter(after)) return both;
  return is_digit(before) && is_digit(after) && (both || between == ',' || between == ';');
}

/// True if a word has more than punctuation.
bool has_content(std::string_view word) {
  return std::any_of(word.begin(), word.end(), [](char c) { return c != '_' && c != '@'; });
}

// Returns the end of the word that includes the character before `at`.
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

/// Memory of words that are being collected. A full list moves to one of twice the size.
std::size_t bytes_of(const std::vector<WordRange>& words) {
  return (words.capacity() + 2 * words.size()) * sizeof(WordRange);
}

// Splits ASCII text. Also the fallback for other text if ICU fails.
Result<std::vector<WordRange>> break_ascii(std::string_view text, TextWork& work) {
  constexpr std::size_t usual_word = 5;
  constexpr std::size_t long_text = std::size_t{64} << 10;
  std::vector<WordRange> words;
  words.reserve(std::min(text.size(), long_text) / usual_word + 1);
  for (std::size_t at = 0; at < text.size();) {
    if (!is_inside(text[at])) {
      ++at;
      continue;
    }
    const std::size_t end = end_of_ascii_word(text, at + 1);
    if (has_content(text.substr(at, end - at))) words.push_back({at, end});
    // Up to 5 ns for each byte.
    if (work.is_due(4 * (end - at))) CAIRN_TRY(work.look(bytes_of(words)));
    at = end;
  }
  return words;
}

/// The break iterator of this thread. It is not thread-safe, and expensive to make.
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

// Replaces curly apostrophes (U+2019) by straight ones, which NFKC does not do.
void straighten_apostrophes(std::string& word) {
  constexpr std::string_view curly = "\xe2\x80\x99";
  for (auto at = word.find(curly); at != std::string::npos; at = word.find(curly, at))
    word.replace(at, curly.size(), "'");
}

/// Bytes of a word that are folded. Terms are much shorter, and ICU's transliterator takes time quadratic in the length.
constexpr std::size_t most_folded_bytes = 4'096;

/// The transliterator of this thread; nullptr if ICU cannot make it.
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

/// Bytes that ICU splits at once. It reads a run of letters of a script without blanks as a whole, and holds tens of
/// bytes for each letter.
constexpr std::size_t most_icu_bytes = std::size_t{64} << 10;

/// Returns the end of the piece that begins at `begin`: after its last blank, so that its words are those of the whole
/// text. A piece without a blank ends between any two characters.
std::size_t end_of_piece(std::string_view text, std::size_t begin) {
  if (text.size() - begin <= most_icu_bytes) return text.size();
  const std::size_t end = codec::utf8_floor(text, begin + most_icu_bytes);
  const std::size_t blank = text.substr(begin, end - begin).find_last_of(" \n");
  if (blank != std::string_view::npos) return begin + blank + 1;
  return end > begin ? end : begin + most_icu_bytes;
}

/// Adds the words of one piece of a text. The iterator finds boundaries as it goes, so that the work can be ended between
/// any two words.
Status break_piece(icu::BreakIterator& iterator, std::string_view text, std::size_t offset,
                   TextWork& work, std::vector<WordRange>& words) {
  std::size_t begin = 0;
  for (auto next = iterator.next(); next != icu::BreakIterator::DONE; next = iterator.next()) {
    const auto end = static_cast<std::size_t>(next);
    // A status below this limit marks text between words.
    const bool is_word = iterator.getRuleStatus() >= UBRK_WORD_NONE_LIMIT &&
                         has_content(text.substr(begin, end - begin));
    if (is_word) words.push_back({offset + begin, offset + end});
    // ICU takes up to 50 ns for each byte.
    if (work.is_due(32 * (end - begin))) CAIRN_TRY(work.look(bytes_of(words)));
    begin = end;
  }
  return {};
}

Result<std::vector<WordRange>> break_by_icu(std::string_view text, TextWork& work) {
  icu::BreakIterator* iterator = word_iterator();
  if (iterator == nullptr) return break_ascii(text, work);
  std::vector<WordRange> words;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = end_of_piece(text, begin);
    const std::string_view piece = text.substr(begin, end - begin);
    UErrorCode status = U_ZERO_ERROR;
    const std::unique_ptr<UText, decltype(&utext_close)> source(
        utext_openUTF8(nullptr, piece.data(), static_cast<std::int64_t>(piece.size()), &status),
        &utext_close);
    if (U_SUCCESS(status)) iterator->setText(source.get(), status);
    if (U_FAILURE(status)) return break_ascii(text, work);
    CAIRN_TRY(break_piece(*iterator, piece, begin, work, words));
    begin = end;
  }
  return words;
}

}  // namespace

Result<std::vector<WordRange>> break_words(std::string_view text, TextWork& work) {
  return is_ascii(text) ? break_ascii(text, work) : break_by_icu(text, work);
}

std::vector<WordRange> break_words(std::string_view text) {
  TextWork unlimited(nullptr);
  return *break_words(text, unlimited);
}

std::vector<WordRange> break_words_by_icu(std::string_view text) {
  TextWork unlimited(nullptr);
  return *break_by_icu(text, unlimited);
}

std::string fold_word(std::string_view whole) {
  const std::string_view word = whole.substr(0, codec::utf8_floor(whole, most_folded_bytes));
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
  // ICU fails only if memory for its data is missing.
  if (U_FAILURE(status)) folded.assign(word);
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
