#include "tools/embedders/tokenizer/normalizer.hpp"

#include "tools/embedders/tokenizer/pattern.hpp"
#include "tools/embedders/tokenizer/point_kinds.hpp"
#include "tools/embedders/tokenizer/settings.hpp"
#include "tools/embedders/tokenizer/step_sequence.hpp"
#include "tools/embedders/tokenizer/unicode_forms.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace cairn::tools {
namespace {

using Read = Result<Normalizer>;
using Steps = std::vector<Normalizer>;

Status strip_accents(AlignedText& text) {
  remove_points(text, is_mark);
  return {};
}

Status lower(AlignedText& text) {
  lower_case(text);
  return {};
}

AlignedText part_of(const AlignedText& text, std::size_t begin, std::size_t end) {
  AlignedText part;
  part.append(text, begin, end);
  return part;
}

Read read_strip(const Settings& settings) {
  CAIRN_TRY(settings.check_names({"strip_left", "strip_right"}));
  CAIRN_ASSIGN(const bool left, settings.flag("strip_left", false));
  CAIRN_ASSIGN(const bool right, settings.flag("strip_right", false));
  return Normalizer([left, right](AlignedText& text) -> Status {
    std::size_t begin = 0;
    std::size_t end = text.size();
    while (left && begin < end && is_blank(text.points[begin])) ++begin;
    while (right && end > begin && is_blank(text.points[end - 1])) --end;
    text = part_of(text, begin, end);
    return {};
  });
}

// Reads a step that prepends a prefix. The prefix has an empty origin at the beginning of the text.
// An empty text stays empty.
Read read_prepend(const Settings& settings) {
  CAIRN_TRY(settings.check_names({"prepend"}));
  CAIRN_ASSIGN(const std::string prefix, settings.text("prepend"));
  return Normalizer([points = to_points(prefix)](AlignedText& text) -> Status {
    if (text.empty()) return {};
    AlignedText longer;
    longer.append(points, {text.origins.front().begin, text.origins.front().begin});
    longer.append(text, 0, text.size());
    text = std::move(longer);
    return {};
  });
}

/// A text of n code points may grow to n * most_growth + free_growth: NFKD alone makes up to 18
/// code points of one.
constexpr std::size_t most_growth = 32;
constexpr std::size_t free_growth = 1'024;

/// Limits the growth of a text, because each replacement step may multiply its length.
Status check_growth(std::size_t before, std::size_t after) {
  if (after <= before * most_growth + free_growth) return {};
  return Error{ErrorCode::resource_limit,
               "the normalizers of the tokenizer make " + std::to_string(after) +
                   " characters of a text of " + std::to_string(before) +
                   "; shorten the content of its Replace normalizers",
               {}};
}

Status replace(AlignedText& text, const Pattern& pattern, const std::u32string& content) {
  CAIRN_ASSIGN(const auto matches, pattern.find(text.points));
  if (matches.empty()) return {};
  CAIRN_TRY(check_growth(text.size(), matches.size() * content.size()));
  AlignedText replaced;
  replaced.reserve(text.size());
  std::size_t at = 0;
  for (const PointRange& match : matches) {
    replaced.append(text, at, match.begin);
    replaced.append(content, text.origin_of(match.begin, match.end));
    at = match.end;
  }
  replaced.append(text, at, text.size());
  text = std::move(replaced);
  return {};
}

Read read_replace(const Settings& settings) {
  CAIRN_TRY(settings.check_names({"pattern", "content"}));
  CAIRN_ASSIGN(const Pattern pattern, Pattern::of(settings.member("pattern")));
  CAIRN_ASSIGN(const std::string content, settings.text("content"));
  return Normalizer([pattern, content = to_points(content)](AlignedText& text) {
    return replace(text, pattern, content);
  });
}

template <UnicodeForm form>
Read read_form(const Settings& settings) {
  CAIRN_TRY(settings.check_names({}));
  return Normalizer([](AlignedText& text) { return normalise(text, form); });
}

template <Status (*step)(AlignedText&)>
Read read_plain(const Settings& settings) {
  CAIRN_TRY(settings.check_names({}));
  return Normalizer(step);
}

using Kind = StepKinds<Normalizer>::Kind;

constexpr std::array kinds = {
    Kind{"BertNormalizer", read_bert_normalizer},
    Kind{"Lowercase", read_plain<lower>},
    Kind{"NFC", read_form<UnicodeForm::nfc>},
    Kind{"NFD", read_form<UnicodeForm::nfd>},
    Kind{"NFKC", read_form<UnicodeForm::nfkc>},
    Kind{"NFKD", read_form<UnicodeForm::nfkd>},
    Kind{"Precompiled", read_precompiled},
    Kind{"Prepend", read_prepend},
    Kind{"Replace", read_replace},
    Kind{"Strip", read_strip},
    Kind{"StripAccents", read_plain<strip_accents>},
};

}  // namespace

Result<Steps> read_normalizers(const Value& value) {
  Steps steps;
  const StepKinds<Normalizer> known{"normalizer", "normalizers", kinds};
  CAIRN_TRY(known.read_into(value, steps));
  return steps;
}

Status normalise(AlignedText& text, const Steps& normalizers) {
  const std::size_t given = text.size();
  for (const Normalizer& step : normalizers) {
    CAIRN_TRY(step(text));
    CAIRN_TRY(check_growth(given, text.size()));
  }
  return {};
}

}  // namespace cairn::tools
