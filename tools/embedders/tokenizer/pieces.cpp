#include "tools/embedders/tokenizer/pieces.hpp"

#include "tools/text/shown_text.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

namespace cairn::tools {
namespace {

struct Part {
  PointRange range;
  bool is_match = false;
};

/// Returns the matches and the ranges between them.
std::vector<Part> parts_of(PointRange range, std::span<const PointRange> matches, bool inverts) {
  std::vector<Part> parts;
  std::size_t at = range.begin;
  for (const PointRange& match : matches) {
    if (match.begin > at) parts.push_back({{at, match.begin}, inverts});
    parts.push_back({match, !inverts});
    at = match.end;
  }
  if (at < range.end) parts.push_back({{at, range.end}, inverts});
  return parts;
}

using Ranges = std::vector<PointRange>;

void append_contiguous(std::span<const Part> parts, Ranges& pieces) {
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const bool goes_on = i > 0 && parts[i].is_match == parts[i - 1].is_match;
    if (goes_on) pieces.back().end = parts[i].range.end;
    if (!goes_on) pieces.push_back(parts[i].range);
  }
}

/// Each of two adjacent matches is a piece.
void append_merged_with_previous(std::span<const Part> parts, Ranges& pieces) {
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const bool merges = i > 0 && parts[i].is_match && !parts[i - 1].is_match;
    if (merges) pieces.back().end = parts[i].range.end;
    if (!merges) pieces.push_back(parts[i].range);
  }
}

/// A match that another match follows is a piece of its own.
void append_merged_with_next(std::span<const Part> parts, Ranges& pieces) {
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const bool merges = i > 0 && parts[i - 1].is_match && !parts[i].is_match;
    if (merges) pieces.back().end = parts[i].range.end;
    if (!merges) pieces.push_back(parts[i].range);
  }
}

void append_each(std::span<const Part> parts, bool keeps_matches, Ranges& pieces) {
  for (const Part& part : parts)
    if (keeps_matches || !part.is_match) pieces.push_back(part.range);
}

}  // namespace

Result<SplitBehavior> read_behavior(const Settings& settings, SplitBehavior otherwise) {
  constexpr std::array<std::string_view, 5> names = {"Removed", "Isolated", "MergedWithPrevious",
                                                     "MergedWithNext", "Contiguous"};
  CAIRN_ASSIGN(const auto name, settings.optional_text("behavior"));
  if (!name) return otherwise;
  const auto found = std::ranges::find(names, *name);
  if (found != names.end()) return static_cast<SplitBehavior>(found - names.begin());
  return unknown_part(settings.name() + " has the behavior " + shown_text(*name) +
                      ", which Cairn does not know");
}

void split_range(PointRange range, std::span<const PointRange> matches, SplitRule rule,
                 Ranges& pieces) {
  const std::vector<Part> parts = parts_of(range, matches, rule.inverts);
  switch (rule.behavior) {
    case SplitBehavior::contiguous:
      return append_contiguous(parts, pieces);
    case SplitBehavior::merged_with_previous:
      return append_merged_with_previous(parts, pieces);
    case SplitBehavior::merged_with_next:
      return append_merged_with_next(parts, pieces);
    case SplitBehavior::isolated:
      return append_each(parts, true, pieces);
    case SplitBehavior::removed:
      return append_each(parts, false, pieces);
  }
}

void split_at_points(Pieces& pieces, const std::function<bool(char32_t)>& is_match,
                     SplitBehavior behavior) {
  Ranges split;
  split.reserve(pieces.ranges.size() * 2);
  Ranges matches;
  for (const PointRange& range : pieces.ranges) {
    matches.clear();
    for (std::size_t i = range.begin; i < range.end; ++i)
      if (is_match(pieces.text.points[i])) matches.push_back({i, i + 1});
    split_range(range, matches, {behavior, false}, split);
  }
  pieces.ranges = std::move(split);
}

Status split_at_pattern(Pieces& pieces, const Pattern& pattern, SplitRule rule) {
  Ranges split;
  split.reserve(pieces.ranges.size() * 2);
  const std::u32string_view points = pieces.text.points;
  for (const PointRange& range : pieces.ranges) {
    CAIRN_ASSIGN(auto matches, pattern.find(points.substr(range.begin, range.end - range.begin)));
    for (PointRange& match : matches) match = {match.begin + range.begin, match.end + range.begin};
    split_range(range, matches, rule, split);
  }
  pieces.ranges = std::move(split);
  return {};
}

}  // namespace cairn::tools
