#include "tools/embedders/tokenizer/pattern.hpp"

#include "tools/embedders/tokenizer/aligned_text.hpp"
#include "tools/text/shown_text.hpp"

#include <unicode/unistr.h>

#include <cstdint>
#include <utility>

namespace cairn::tools {
namespace {

/// The time limit of a match, in units of 10,000 steps of ICU's matcher. Published expressions need
/// far less.
constexpr std::int32_t most_time = 1'000;

/// A text as UTF-16, with the point that each unit belongs to.
struct Utf16Text {
  icu::UnicodeString units;
  std::vector<std::uint32_t> points;  // of each unit, and the end

  // ICU counts in units of UTF-16. `points` maps each unit back to its code point.
  explicit Utf16Text(std::u32string_view text) {
    points.reserve(text.size() + 1);
    for (std::size_t i = 0; i < text.size(); ++i) {
      const auto point = static_cast<UChar32>(text[i]);
      units.append(point);
      points.insert(points.end(), static_cast<std::size_t>(U16_LENGTH(point)),
                    static_cast<std::uint32_t>(i));
    }
    points.push_back(static_cast<std::uint32_t>(text.size()));
  }
};

Error too_hard(UErrorCode status) {
  return {ErrorCode::resource_limit,
          std::string("a text cannot be searched with the tokenizer's regular expression: ") +
              u_errorName(status),
          {}};
}

}  // namespace

Result<Pattern> Pattern::of(const Value& pattern) {
  CAIRN_ASSIGN(const Settings settings, Settings::of(pattern, "pattern"));
  CAIRN_TRY(settings.check_names({"String", "Regex"}));
  CAIRN_ASSIGN(const auto expression, settings.optional_text("Regex"));
  if (expression) return of_expression(*expression);
  Pattern made;
  CAIRN_ASSIGN(const std::string string, settings.text("String"));
  made.string_ = to_points(string);
  if (made.string_.empty()) return settings.wrong("String", "a text of at least one character");
  return made;
}

Result<Pattern> Pattern::of_expression(std::string_view expression) {
  CAIRN_ASSIGN(const std::string written, icu_expression(expression));
  UErrorCode status = U_ZERO_ERROR;
  UParseError place{};
  Pattern made;
  made.expression_.reset(icu::RegexPattern::compile(
      icu::UnicodeString::fromUTF8(written), UREGEX_MULTILINE | UREGEX_UNIX_LINES, place, status));
  if (U_SUCCESS(status) != 0 && made.expression_ != nullptr) return made;
  return unknown_part("the regular expression " + shown_text(expression) +
                      " cannot be read: " + u_errorName(status));
}

Result<std::vector<PointRange>> Pattern::find(std::u32string_view text) const {
  if (expression_ == nullptr) return find_string(text);
  const Utf16Text utf16(text);
  UErrorCode status = U_ZERO_ERROR;
  const std::unique_ptr<icu::RegexMatcher> matcher(expression_->matcher(utf16.units, status));
  if (U_FAILURE(status) != 0) return too_hard(status);
  matcher->setTimeLimit(most_time, status);
  std::vector<PointRange> found;
  while (matcher->find(status) != 0) {
    const auto begin = static_cast<std::size_t>(matcher->start(status));
    const auto end = static_cast<std::size_t>(matcher->end(status));
    if (end > begin) found.push_back({utf16.points[begin], utf16.points[end]});
  }
  if (U_FAILURE(status) != 0) return too_hard(status);
  return found;
}

std::vector<PointRange> Pattern::find_string(std::u32string_view text) const {
  std::vector<PointRange> found;
  for (std::size_t at = text.find(string_); at != std::u32string_view::npos;
       at = text.find(string_, at + string_.size()))
    found.push_back({at, at + string_.size()});
  return found;
}

}  // namespace cairn::tools
