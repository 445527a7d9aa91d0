// Scanning below the grammar: blanks, comments, names, quoted texts and brackets.
//
// The grammar, split_statements() and the shell use this file and must agree on every byte. For example, a semicolon
// in a string does not end a statement. The code uses plain pointers and allocates only in BracketTable, because a
// statement of 1 MiB is scanned several times.
//
// Bytes below 0x80 are tested directly. Other characters are decoded; their Unicode category distinguishes blanks
// from letters. Names consist of letters, marks, digits and connectors, which approximates the identifiers of UAX
// #31.
#include "query/syntax/lexical.hpp"

#include <cairn/keywords.hpp>

#include <utf8proc.h>

#include <algorithm>
#include <cstring>

namespace cairn::query::lexical {
namespace {

bool is_ascii_blank(char c) noexcept { return c == ' ' || (c >= '\t' && c <= '\r'); }

bool is_ascii_name(char c) noexcept {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }

/// The code point at `first` and its length in bytes; the length is 0 for invalid UTF-8.
struct CodePoint {
  utf8proc_int32_t value = -1;
  std::ptrdiff_t bytes = 0;
};

CodePoint code_point_at(const char* first, const char* last) noexcept {
  CodePoint result;
  const auto bytes = utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(first),
                                      last - first, &result.value);
  result.bytes = bytes > 0 ? bytes : 0;
  return result;
}

/// Returns the number of bytes of the non-ASCII blank at `first`, or 0. No-break spaces and byte order marks are
/// blanks, because they occur in copied text.
std::ptrdiff_t wide_blank_bytes(const char* first, const char* last) noexcept {
  constexpr utf8proc_int32_t byte_order_mark = 0xFEFF;
  const CodePoint point = code_point_at(first, last);
  if (point.bytes == 0) return 0;
  const auto category = utf8proc_category(point.value);
  const bool is_blank = category == UTF8PROC_CATEGORY_ZS || category == UTF8PROC_CATEGORY_ZL ||
                        category == UTF8PROC_CATEGORY_ZP || point.value == byte_order_mark;
  return is_blank ? point.bytes : 0;
}

/// Returns the number of bytes of the non-ASCII letter, digit, mark or connector at `first`, or 0.
std::ptrdiff_t wide_name_bytes(const char* first, const char* last) noexcept {
  const CodePoint point = code_point_at(first, last);
  if (point.bytes == 0) return 0;
  switch (utf8proc_category(point.value)) {
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LL:
    case UTF8PROC_CATEGORY_LT:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_LO:
    case UTF8PROC_CATEGORY_NL:
    case UTF8PROC_CATEGORY_ND:
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_MC:
    case UTF8PROC_CATEGORY_PC:
      return point.bytes;
    default:
      return 0;
  }
}

bool is_ascii(char c) noexcept { return static_cast<unsigned char>(c) < 0x80; }

/// Returns the end of the comment at `first`; `first` if none begins there; nullptr if the comment is not closed.
const char* skip_comment(const char* first, const char* last) noexcept {
  if (last - first < 2 || *first != '/') return first;
  if (first[1] == '/') {
    const auto* end =
        static_cast<const char*>(std::memchr(first, '\n', static_cast<std::size_t>(last - first)));
    return end != nullptr ? end : last;
  }
  if (first[1] != '*') return first;
  const std::string_view rest(first + 2, static_cast<std::size_t>(last - first - 2));
  const auto end = rest.find("*/");
  return end == std::string_view::npos ? nullptr : rest.data() + end + 2;
}

}  // namespace

// A comment without an end is not skipped, so the caller fails at the beginning of the comment. A single slash is the
// division operator and ends the blanks.
const char* skip_blank(const char* first, const char* last) noexcept {
  while (first != last) {
    if (is_ascii_blank(*first)) {
      ++first;
    } else if (*first == '/') {
      const char* end = skip_comment(first, last);
      if (end == nullptr || end == first) return first;
      first = end;
    } else if (is_ascii(*first)) {
      return first;
    } else {
      const auto bytes = wide_blank_bytes(first, last);
      if (bytes == 0) return first;
      first += bytes;
    }
  }
  return first;
}

// Skips the byte after a backslash; literal_tokens.cpp checks whether it is a valid escape. In back quotes, a
// backslash is an ordinary character.
const char* skip_quoted(const char* first, const char* last) noexcept {
  const char quote = *first++;
  for (; first != last; ++first) {
    if (*first == '\\' && quote != '`') {
      if (++first == last) return nullptr;
    } else if (*first == quote) {
      // A doubled back quote is a back quote inside of the name.
      if (quote != '`' || first + 1 == last || first[1] != '`') return first + 1;
      ++first;
    }
  }
  return nullptr;
}

const char* skip_name(const char* first, const char* last) noexcept {
  return first == last || is_digit(*first) ? first : skip_name_rest(first, last);
}

const char* skip_name_rest(const char* first, const char* last) noexcept {
  while (first != last) {
    if (is_ascii(*first)) {
      if (!is_ascii_name(*first)) break;
      ++first;
    } else {
      const auto bytes = wide_name_bytes(first, last);
      if (bytes == 0) break;
      first += bytes;
    }
  }
  return first;
}

// utf8proc refuses overlong forms, surrogates and values above U+10FFFF. All later code may assume valid UTF-8.
std::size_t find_invalid_utf8(std::string_view text) noexcept {
  const char* first = text.data();
  const char* last = first + text.size();
  while (first != last) {
    if (is_ascii(*first)) {
      ++first;
      continue;
    }
    const CodePoint point = code_point_at(first, last);
    if (point.bytes == 0) return static_cast<std::size_t>(first - text.data());
    first += point.bytes;
  }
  return std::string_view::npos;
}

std::string lower_case(std::string_view name) {
  std::string lower(name);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return lower;
}

bool is_keyword(std::string_view word, std::string_view keyword) noexcept {
  return std::ranges::equal(word, keyword, [](char a, char b) {
    return (a >= 'a' && a <= 'z' ? static_cast<char>(a - 'a' + 'A') : a) == b;
  });
}

bool is_reserved(std::string_view word) noexcept {
  constexpr std::size_t longest =
      std::ranges::max(reserved_words, {}, &std::string_view::size).size();
  if (word.size() > longest) return false;
  return std::ranges::any_of(reserved_words,
                             [&](auto keyword) { return is_keyword(word, keyword); });
}

PieceScanner::PieceScanner(std::string_view text) noexcept
    : first_(text.data()), end_(text.data()), last_(text.data() + text.size()) {}

// A piece is a complete quoted text or a single byte. Such pieces suffice to find the characters ; ( ) , and |
// outside of quotes.
bool PieceScanner::next() noexcept {
  first_ = skip_blank(end_, last_);
  end_ = first_;
  if (first_ == last_) return false;
  const char c = *first_;
  if (c == '/' && skip_comment(first_, last_) == nullptr) {
    open_ = OpenPiece::comment;
    return false;
  }
  if (c != '\'' && c != '"' && c != '`') {
    end_ = first_ + 1;
    return true;
  }
  if (const char* end = skip_quoted(first_, last_)) {
    end_ = end;
    return true;
  }
  open_ = c == '`' ? OpenPiece::quoted_name : OpenPiece::string;
  return false;
}

std::string_view PieceScanner::piece() const noexcept {
  return {first_, static_cast<std::size_t>(end_ - first_)};
}

// Scans the text once.
BracketTable::BracketTable(std::string_view text) {
  std::vector<std::size_t> open;  // positions in brackets_
  PieceScanner scanner(text);
  while (scanner.next()) {
    if (scanner.piece().size() == 1) {
      note(scanner.piece().front(), static_cast<std::size_t>(scanner.position() - text.data()),
           open);
    }
  }
}

// Does not check whether the kinds of two brackets match, because the grammar reports a mismatch first.
void BracketTable::note(char character, std::size_t offset, std::vector<std::size_t>& open) {
  switch (character) {
    case '(':
    case '[':
    case '{':
      open.push_back(brackets_.size());
      brackets_.push_back({offset, std::string_view::npos});
      deepest_ = std::max(deepest_, open.size());
      break;
    case ')':
    case ']':
    case '}':
      if (open.empty()) break;
      brackets_[open.back()].close = offset;
      open.pop_back();
      break;
    case ',':
      if (!open.empty()) brackets_[open.back()].has_comma = true;
      break;
    case '|':
      if (!open.empty()) brackets_[open.back()].has_bar = true;
      break;
    default:
      break;
  }
}

const Bracket* BracketTable::find(std::size_t offset) const noexcept {
  const auto found = std::ranges::lower_bound(brackets_, offset, {}, &Bracket::open);
  return found != brackets_.end() && found->open == offset ? &*found : nullptr;
}

// Called at most once, when an error is reported.
const Bracket* BracketTable::unclosed_before(std::size_t offset) const noexcept {
  const Bracket* result = nullptr;
  for (const Bracket& bracket : brackets_) {
    if (bracket.open >= offset) break;
    if (bracket.close == std::string_view::npos) result = &bracket;
  }
  return result;
}

}  // namespace cairn::query::lexical

namespace cairn {
namespace {

constexpr auto all_words() {
  using namespace query::lexical;
  std::array<std::string_view, reserved_words.size() + other_words.size()> words;
  const auto rest = std::ranges::copy(reserved_words, words.begin()).out;
  std::ranges::copy(other_words, rest);
  std::ranges::sort(words);
  return words;
}

}  // namespace

std::span<const std::string_view> keywords() noexcept {
  static constexpr auto words = all_words();
  return words;
}

}  // namespace cairn
