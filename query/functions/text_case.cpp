// Upper and lower case and Unicode normal forms, by ICU. Uses the full mappings ("ß" becomes "SS"), which do not depend
// on a locale. No other functions use ICU for texts; time_zone.cpp uses ICU for zones.

#include "codec/utf8.hpp"
#include "query/functions/call.hpp"
#include "query/functions/function_entry.hpp"
#include "query/functions/growing.hpp"
#include "query/functions/paced_text.hpp"
#include "query/functions/unicode_form.hpp"

#include <unicode/locid.h>
#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>
#include <unicode/utf8.h>

#include <algorithm>
#include <array>

namespace cairn::query {
namespace {

/// Appends a UTF-16 text of ICU as UTF-8.
Status append_icu(GrowingText& out, const icu::UnicodeString& text) {
  std::string bytes;
  text.toUTF8String(bytes);
  return out.append(bytes);
}

/// Moves the letters first..last by a fixed distance; all other bytes are preserved.
template <char first, char last, int distance>
std::string shifted(std::string_view text) {
  std::string moved(text);
  for (char& c : moved)
    if (c >= first && c <= last) c = static_cast<char>(c + distance);
  return moved;
}

// Returns the code point that contains the byte at `at`.
UChar32 code_point_at(std::string_view text, std::size_t at) {
  UChar32 point = 0;
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(text.data());
  U8_GET_OR_FFFD(bytes, 0, static_cast<std::int32_t>(at), static_cast<std::int32_t>(text.size()),
                 point);
  return point;
}

/// True if the case of the code point and of its neighbours do not depend on each other. Only the sigma depends on
/// neighbours, because of its final form, and skips code points that case mapping ignores.
bool stands_alone(UChar32 point) {
  constexpr UChar32 sigma = 0x3a3;
  return point != sigma && !u_hasBinaryProperty(point, UCHAR_CASE_IGNORABLE);
}

/// True if a text can be cut here without changing the case mapping of either part.
bool is_case_cut(std::string_view text, std::size_t at) {
  if (codec::is_utf8_continuation(text[at])) return false;
  return stands_alone(code_point_at(text, at)) && stands_alone(code_point_at(text, at - 1));
}

using Mapping = icu::UnicodeString& (icu::UnicodeString::*)(const icu::Locale&);

/// Maps piece by piece, because ICU needs several times the memory of the text. ASCII pieces are mapped without ICU.
template <char first, char last, int distance>
Result<Value> mapped(const Call& call, std::string_view text, Mapping map) {
  GrowingText out(call.context.limits);
  CAIRN_TRY(out.reserve(text.size()));
  const auto append = [&](std::string_view piece) {
    if (is_ascii(piece)) return out.append(shifted<first, last, distance>(piece));
    icu::UnicodeString letters =
        icu::UnicodeString::fromUTF8({piece.data(), static_cast<std::int32_t>(piece.size())});
    return append_icu(out, (letters.*map)(icu::Locale::getRoot()));
  };
  CAIRN_TRY(for_each_piece(call.context.limits, text, is_case_cut, append));
  return out.take();
}

/// Uses the full mapping of Unicode without a language: ß becomes SS, and i becomes I even in Turkish texts.
Result<Value> to_upper(const Call& call) {
  CAIRN_ASSIGN(const std::string* text, call.string(0));
  return mapped<'a', 'z', 'A' - 'a'>(call, *text, &icu::UnicodeString::toUpper);
}

/// Depends on neighbours where Unicode requires it: a capital sigma at the end of a word has a form of its own.
Result<Value> to_lower(const Call& call) {
  CAIRN_ASSIGN(const std::string* text, call.string(0));
  return mapped<'A', 'Z', 'a' - 'A'>(call, *text, &icu::UnicodeString::toLower);
}

struct NormalForm {
  std::string_view name;
  const icu::Normalizer2* (*find)(UErrorCode& error);
};

// The four forms of Unicode. ICU owns the instances and never frees them.
constexpr NormalForm normal_forms[] = {
    {"NFC", [](UErrorCode& error) { return icu::Normalizer2::getNFCInstance(error); }},
    {"NFD", [](UErrorCode& error) { return icu::Normalizer2::getNFDInstance(error); }},
    {"NFKC", [](UErrorCode& error) { return icu::Normalizer2::getNFKCInstance(error); }},
    {"NFKD", [](UErrorCode& error) { return icu::Normalizer2::getNFKDInstance(error); }},
};

Error icu_error(UErrorCode error) {
  return {ErrorCode::invalid_argument,
          std::string("the text cannot be converted (ICU: ") + u_errorName(error) + ")",
          std::nullopt};
}

// Normalises a text piece by piece. Pieces end at the boundaries of the normal form.
Result<Value> in_form(engine::Limits* limits, const icu::Normalizer2& form, std::string_view text) {
  GrowingText out(limits);
  CAIRN_TRY(out.reserve(text.size()));
  const auto is_cut = [&](std::string_view whole, std::size_t at) {
    return !codec::is_utf8_continuation(whole[at]) &&
           form.hasBoundaryBefore(code_point_at(whole, at)) != 0;
  };
  const auto append = [&](std::string_view piece) -> Status {
    if (is_ascii(piece)) return out.append(piece);
    UErrorCode error = U_ZERO_ERROR;
    const auto letters =
        icu::UnicodeString::fromUTF8({piece.data(), static_cast<std::int32_t>(piece.size())});
    const icu::UnicodeString normal = form.normalize(letters, error);
    if (U_FAILURE(error)) return icu_error(error);
    return append_icu(out, normal);
  };
  CAIRN_TRY(for_each_piece(limits, text, is_cut, append));
  return out.take();
}

/// Texts that look equal may differ in their bytes; in the same normal form they are equal.
Result<Value> normalize(const Call& call) {
  CAIRN_ASSIGN(const std::string* text, call.string(0));
  std::string form = "NFC";
  if (call.has(1)) {
    CAIRN_ASSIGN(const std::string* chosen, call.string(1));
    form = *chosen;
  }
  const auto* found = std::ranges::find(normal_forms, form, &NormalForm::name);
  if (found == std::ranges::end(normal_forms))
    return call.wrong_value("the normal form must be NFC, NFD, NFKC or NFKD, not " + shown(form));
  UErrorCode error = U_ZERO_ERROR;
  const icu::Normalizer2* normalizer = found->find(error);
  if (U_FAILURE(error))
    return call.wrong_value(std::string("the normal form is not available (ICU: ") +
                            u_errorName(error) + ")");
  return in_form(call.context.limits, *normalizer, *text);
}

}  // namespace

// Recursive; the depth of values is limited.
Result<Value> nfc_of(engine::Limits* limits, const Value& value) {
  if (const std::string* text = value.string()) {
    UErrorCode error = U_ZERO_ERROR;
    const icu::Normalizer2* form = normal_forms[0].find(error);
    if (U_FAILURE(error)) return icu_error(error);
    return in_form(limits, *form, *text);
  }
  if (const List* list = value.list()) {
    List items;
    for (const Value& one : *list) {
      CAIRN_ASSIGN(Value item, nfc_of(limits, one));
      items.push_back(std::move(item));
    }
    return Value(std::move(items));
  }
  if (const Map* map = value.map()) {
    Map entries;
    for (const auto& [key, one] : *map) {
      CAIRN_ASSIGN(Value entry, nfc_of(limits, one));
      entries.emplace(key, std::move(entry));
    }
    return Value(std::move(entries));
  }
  return value;
}

FunctionFamily text_case_functions() {
  static constexpr FunctionEntry functions[] = {
      entry<"lower(text)", to_lower>(),   entry<"normalize(text, form?)", normalize>(),
      entry<"toLower(text)", to_lower>(), entry<"toUpper(text)", to_upper>(),
      entry<"upper(text)", to_upper>(),
  };
  return functions;
}

}  // namespace cairn::query
