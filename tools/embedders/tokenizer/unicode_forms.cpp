// ICU normalises strings of UTF-16. A group of points between two boundaries of normalisation is
// normalised separately, so that its result has the origin of the group.
#include "tools/embedders/tokenizer/unicode_forms.hpp"

#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>

#include <cstddef>
#include <string_view>

namespace cairn::tools {
namespace {

const icu::Normalizer2* normalizer_of(UnicodeForm form) {
  UErrorCode status = U_ZERO_ERROR;
  switch (form) {
    case UnicodeForm::nfc:
      return icu::Normalizer2::getNFCInstance(status);
    case UnicodeForm::nfd:
      return icu::Normalizer2::getNFDInstance(status);
    case UnicodeForm::nfkc:
      return icu::Normalizer2::getNFKCInstance(status);
    case UnicodeForm::nfkd:
      break;
  }
  return icu::Normalizer2::getNFKDInstance(status);
}

/// Appends the normal form of the points [begin, end).
bool append_normal(const icu::Normalizer2& normalizer, const AlignedText& text, std::size_t begin,
                   std::size_t end, AlignedText& normal) {
  icu::UnicodeString group;
  for (std::size_t i = begin; i < end; ++i) group.append(static_cast<UChar32>(text.points[i]));
  UErrorCode status = U_ZERO_ERROR;
  const icu::UnicodeString result = normalizer.normalize(group, status);
  if (U_FAILURE(status) != 0) return false;
  const Origin origin = text.origin_of(begin, end);
  for (std::int32_t at = 0; at < result.length(); at = result.moveIndex32(at, 1))
    normal.append(static_cast<char32_t>(result.char32At(at)), origin);
  return true;
}

bool is_cased(char32_t point) {
  return u_hasBinaryProperty(static_cast<UChar32>(point), UCHAR_CASED) != 0;
}

bool is_ignored(char32_t point) {
  return u_hasBinaryProperty(static_cast<UChar32>(point), UCHAR_CASE_IGNORABLE) != 0;
}

/// Condition Final_Sigma of the Unicode standard: a letter before the sigma, and none after it.
bool is_final(std::u32string_view points, std::size_t at) {
  std::size_t before = at;
  while (before > 0 && is_ignored(points[before - 1])) --before;
  std::size_t behind = at + 1;
  while (behind < points.size() && is_ignored(points[behind])) ++behind;
  return before > 0 && is_cased(points[before - 1]) &&
         (behind == points.size() || !is_cased(points[behind]));
}

constexpr char32_t capital_sigma = 0x3A3;
constexpr char32_t final_sigma = 0x3C2;
constexpr char32_t dotted_capital_i = 0x130;

}  // namespace

Status normalise(AlignedText& text, UnicodeForm form) {
  const icu::Normalizer2* const normalizer = normalizer_of(form);
  if (normalizer == nullptr)
    return Error{ErrorCode::io_error, "ICU has no data to normalise texts", {}};
  AlignedText normal;
  normal.reserve(text.size());
  for (std::size_t begin = 0; begin < text.size();) {
    std::size_t end = begin + 1;
    while (end < text.size() &&
           !normalizer->hasBoundaryBefore(static_cast<UChar32>(text.points[end])))
      ++end;
    const bool is_alone =
        end == begin + 1 && normalizer->isInert(static_cast<UChar32>(text.points[begin])) != 0;
    if (is_alone) normal.append(text, begin, end);
    if (!is_alone && !append_normal(*normalizer, text, begin, end, normal))
      return Error{
          ErrorCode::resource_limit, "a text is too long for Unicode normalisation; split it", {}};
    begin = end;
  }
  text = std::move(normal);
  return {};
}

void lower_case(AlignedText& text) {
  AlignedText lower;
  lower.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char32_t point = text.points[i];
    if (point == dotted_capital_i) {
      lower.append(U"i\u0307", text.origins[i]);
    } else if (point == capital_sigma && is_final(text.points, i)) {
      lower.append(final_sigma, text.origins[i]);
    } else {
      lower.append(static_cast<char32_t>(u_tolower(static_cast<UChar32>(point))), text.origins[i]);
    }
  }
  text = std::move(lower);
}

}  // namespace cairn::tools
