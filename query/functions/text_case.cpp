// Upper and lower case and Unicode normal forms, by ICU: full mappings ("ß" becomes "SS"), the same
// in every locale.
// The one home of ICU's texts within the functions; zones are time_zone.cpp's.

#include "query/functions/call.hpp"
#include "query/functions/families.hpp"

#include <unicode/locid.h>
#include <unicode/normalizer2.h>
#include <unicode/unistr.h>

#include <algorithm>
#include <array>

namespace cairn::query {
namespace {

/// ICU computes in UTF-16; everything outside this file is UTF-8.
Value from_icu(const icu::UnicodeString& text) {
  std::string out;
  text.toUTF8String(out);
  return out;
}

/// Most text is, and then no conversion is needed.
bool is_ascii(std::string_view text) {
  return std::ranges::none_of(text, [](char c) { return static_cast<unsigned char>(c) >= 0x80; });
}

/// Moves a range of letters by a fixed distance; all other bytes stay.
template <char first, char last, int distance>
std::string shifted(std::string text) {
  for (char& c : text)
    if (c >= first && c <= last) c = static_cast<char>(c + distance);
  return text;
}

/// By Unicode's full mapping without a language (ß becomes SS, i becomes I in Turkish texts too);
/// ASCII takes the short way.
Result<Value> to_upper(const Call& call) {
  CAIRN_ASSIGN(const std::string* text, call.string(0));
  if (is_ascii(*text)) return Value(shifted<'a', 'z', 'A' - 'a'>(*text));
  return from_icu(icu::UnicodeString::fromUTF8(*text).toUpper(icu::Locale::getRoot()));
}

/// Sees neighbours where the language does: a capital sigma at a word's end has a form of its own.
Result<Value> to_lower(const Call& call) {
  CAIRN_ASSIGN(const std::string* text, call.string(0));
  if (is_ascii(*text)) return Value(shifted<'A', 'Z', 'a' - 'A'>(*text));
  return from_icu(icu::UnicodeString::fromUTF8(*text).toLower(icu::Locale::getRoot()));
}

struct NormalForm {
  std::string_view name;
  const icu::Normalizer2* (*find)(UErrorCode& error);
};

// The four of Unicode. ICU owns the instances; they are never freed.
constexpr NormalForm normal_forms[] = {
    {"NFC", [](UErrorCode& error) { return icu::Normalizer2::getNFCInstance(error); }},
    {"NFD", [](UErrorCode& error) { return icu::Normalizer2::getNFDInstance(error); }},
    {"NFKC", [](UErrorCode& error) { return icu::Normalizer2::getNFKCInstance(error); }},
    {"NFKD", [](UErrorCode& error) { return icu::Normalizer2::getNFKDInstance(error); }},
};

/// Texts that look alike may differ in bytes; in one normal form they are equal.
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
  if (U_FAILURE(error)) return call.wrong_value(std::string("ICU: ") + u_errorName(error));
  const auto result = normalizer->normalize(icu::UnicodeString::fromUTF8(*text), error);
  if (U_FAILURE(error)) return call.wrong_value(std::string("ICU: ") + u_errorName(error));
  return from_icu(result);
}

constexpr FunctionEntry functions[] = {
    entry<"lower(text)", to_lower>(),   entry<"normalize(text, form?)", normalize>(),
    entry<"toLower(text)", to_lower>(), entry<"toUpper(text)", to_upper>(),
    entry<"upper(text)", to_upper>(),
};

}  // namespace

FunctionFamily text_case_functions() { return functions; }

}  // namespace cairn::query
