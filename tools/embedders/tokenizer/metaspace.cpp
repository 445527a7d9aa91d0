// The pre-tokenizer Metaspace.
#include "tools/embedders/tokenizer/pieces.hpp"
#include "tools/embedders/tokenizer/pre_tokenizer.hpp"
#include "tools/embedders/tokenizer/settings.hpp"
#include "tools/text/shown_text.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace cairn::tools {
namespace {

/// Which pieces get a mark in front.
enum class Prepend : std::uint8_t { always, first, never };

struct MetaspaceSettings {
  char32_t mark = 0x2581;
  Prepend prepend = Prepend::always;
  bool splits = true;
};

bool needs_mark(const Pieces& pieces, PointRange range, const MetaspaceSettings& settings) {
  const char32_t first = pieces.text.points[range.begin];
  const bool has_mark = first == settings.mark || first == U' ';
  const bool is_first = pieces.text.origins[range.begin].begin == 0 && range.begin == 0;
  return !has_mark &&
         (settings.prepend == Prepend::always || (settings.prepend == Prepend::first && is_first));
}

/// Puts marks in the place of blanks and in front of pieces.
Pieces marked(const Pieces& pieces, const MetaspaceSettings& settings) {
  Pieces made;
  made.text.reserve(pieces.text.size() + pieces.ranges.size());
  for (const PointRange& range : pieces.ranges) {
    const std::size_t begin = made.text.size();
    const std::uint32_t start = pieces.text.origins[range.begin].begin;
    if (needs_mark(pieces, range, settings)) made.text.append(settings.mark, {start, start});
    for (std::size_t i = range.begin; i < range.end; ++i) {
      const char32_t point = pieces.text.points[i];
      made.text.append(point == U' ' ? settings.mark : point, pieces.text.origins[i]);
    }
    made.ranges.push_back({begin, made.text.size()});
  }
  return made;
}

/// Old files have only add_prefix_space.
Result<Prepend> read_prepend(const Settings& settings) {
  CAIRN_ASSIGN(const auto scheme, settings.optional_text("prepend_scheme"));
  CAIRN_ASSIGN(const bool has_prefix, settings.flag("add_prefix_space", true));
  if (!has_prefix) return Prepend::never;
  if (!scheme || *scheme == "always") return Prepend::always;
  if (*scheme == "first") return Prepend::first;
  if (*scheme == "never") return Prepend::never;
  return unknown_part(settings.name() + " has the prepend_scheme " + shown_text(*scheme) +
                      ", which Cairn does not know");
}

}  // namespace

Result<PreTokenizer> read_metaspace(const Settings& settings) {
  CAIRN_TRY(settings.check_names(
      {"replacement", "str_rep", "prepend_scheme", "add_prefix_space", "split"}));
  MetaspaceSettings read;
  CAIRN_ASSIGN(const auto mark, settings.optional_text("replacement"));
  const std::u32string points = mark ? to_points(*mark) : std::u32string(1, read.mark);
  if (points.size() != 1) return settings.wrong("replacement", "one character");
  read.mark = points.front();
  CAIRN_ASSIGN(read.prepend, read_prepend(settings));
  CAIRN_ASSIGN(read.splits, settings.flag("split", true));
  return PreTokenizer([read](Pieces& pieces) -> Status {
    pieces = marked(pieces, read);
    const auto is_mark = [&](char32_t point) { return point == read.mark; };
    if (read.splits) split_at_points(pieces, is_mark, SplitBehavior::merged_with_next);
    return {};
  });
}

}  // namespace cairn::tools
