// The normalizer of BERT.
#include "tools/embedders/tokenizer/normalizer.hpp"
#include "tools/embedders/tokenizer/point_kinds.hpp"
#include "tools/embedders/tokenizer/settings.hpp"
#include "tools/embedders/tokenizer/unicode_forms.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace cairn::tools {
namespace {

struct BertSettings {
  bool cleans = true;
  bool parts_ideographs = true;
  bool lowers = true;
  bool strips_accents = true;
};

bool is_unclean(char32_t point) noexcept {
  return point == 0 || point == 0xFFFD || is_control(point);
}

void clean(AlignedText& text) {
  remove_points(text, is_unclean);
  std::ranges::replace_if(text.points, is_blank, U' ');
}

// Puts a blank on both sides of each ideograph, so that each becomes a word of its own.
void part_ideographs(AlignedText& text) {
  if (std::ranges::none_of(text.points, is_ideograph)) return;
  AlignedText parted;
  parted.reserve(text.size() * 2);
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_word = is_ideograph(text.points[i]);
    if (is_word) parted.append(U' ', text.origins[i]);
    parted.append(text.points[i], text.origins[i]);
    if (is_word) parted.append(U' ', text.origins[i]);
  }
  text = std::move(parted);
}

bool is_ascii(const AlignedText& text) {
  return std::ranges::all_of(text.points, [](char32_t point) { return point < 0x80; });
}

Status strip_accents(AlignedText& text) {
  if (is_ascii(text)) return {};
  CAIRN_TRY(normalise(text, UnicodeForm::nfd));
  remove_points(text, is_nonspacing_mark);
  return {};
}

Status apply(AlignedText& text, const BertSettings& settings) {
  if (settings.cleans) clean(text);
  if (settings.parts_ideographs) part_ideographs(text);
  if (settings.lowers) lower_case(text);
  return settings.strips_accents ? strip_accents(text) : Status();
}

}  // namespace

void remove_points(AlignedText& text, bool (*is_removed)(char32_t) noexcept) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (is_removed(text.points[i])) continue;
    text.points[kept] = text.points[i];
    text.origins[kept++] = text.origins[i];
  }
  text.points.resize(kept);
  text.origins.resize(kept);
}

Result<Normalizer> read_bert_normalizer(const Settings& settings) {
  CAIRN_TRY(
      settings.check_names({"clean_text", "handle_chinese_chars", "strip_accents", "lowercase"}));
  BertSettings read;
  CAIRN_ASSIGN(read.cleans, settings.flag("clean_text", true));
  CAIRN_ASSIGN(read.parts_ideographs, settings.flag("handle_chinese_chars", true));
  CAIRN_ASSIGN(read.lowers, settings.flag("lowercase", true));
  CAIRN_ASSIGN(read.strips_accents, settings.flag("strip_accents", read.lowers));
  return Normalizer([read](AlignedText& text) { return apply(text, read); });
}

}  // namespace cairn::tools
