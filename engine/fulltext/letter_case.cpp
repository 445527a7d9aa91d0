// Determines the case of a letter by ICU. ASCII letters are tested without ICU.
#include "engine/fulltext/letter_case.hpp"

#include "codec/utf8.hpp"

#include <unicode/uchar.h>
#include <unicode/unistr.h>

#include <cstddef>
#include <cstdint>

namespace cairn::engine {
namespace {

constexpr char distance_of_cases = 'a' - 'A';

UChar32 letter_at(std::string_view bytes) {
  return icu::UnicodeString::fromUTF8({bytes.data(), static_cast<std::int32_t>(bytes.size())})
      .char32At(0);
}

}  // namespace

std::string_view first_letter(std::string_view text) {
  std::size_t bytes = text.empty() ? 0 : 1;
  const bool has_more = bytes > 0 && static_cast<unsigned char>(text.front()) >= 0xc0U;
  while (has_more && bytes < text.size() && bytes < 4 && codec::is_utf8_continuation(text[bytes]))
    ++bytes;
  return text.substr(0, bytes);
}

bool begins_with_capital(std::string_view text) {
  const std::string_view first = first_letter(text);
  if (first.size() <= 1) return !first.empty() && first.front() >= 'A' && first.front() <= 'Z';
  const UChar32 letter = letter_at(first);
  return u_isupper(letter) != 0 || u_istitle(letter) != 0;
}

bool begins_with_small_letter(std::string_view text) {
  const std::string_view first = first_letter(text);
  if (first.size() <= 1) return !first.empty() && first.front() >= 'a' && first.front() <= 'z';
  return u_islower(letter_at(first)) != 0;
}

std::string with_capital(std::string_view text) {
  std::string made(text);
  const std::string_view first = first_letter(text);
  if (first.size() <= 1) {
    const bool is_small = !first.empty() && first.front() >= 'a' && first.front() <= 'z';
    if (is_small) made.front() = static_cast<char>(made.front() - distance_of_cases);
    return made;
  }
  const UChar32 letter = letter_at(first);
  const UChar32 capital = u_totitle(letter);
  if (capital == letter) return made;
  std::string bytes;
  icu::UnicodeString(capital).toUTF8String(bytes);
  return made.replace(0, first.size(), bytes);
}

}  // namespace cairn::engine
