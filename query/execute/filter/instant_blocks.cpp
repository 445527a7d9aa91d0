// A period as a few blocks with fixed borders: hours, 8 hours, 64 hours, and so on by powers of 8,
// aligned to the epoch. "Since 7 days ago" is another period with every statement, but nearly all
// of its blocks are the same, so that their postings come from the cache and only the hour at each
// end is scanned.
#include "query/execute/filter/instant_blocks.hpp"

#include <algorithm>

namespace cairn::query {
namespace {

constexpr std::int64_t hour = 3'600'000'000;
/// 8^6 hours are 29.9 years.
constexpr std::int64_t longest = hour * 8 * 8 * 8 * 8 * 8 * 8;  // 30 years

// The last border of this length that is not behind `time`.
std::int64_t border_before(std::int64_t time, std::int64_t length) {
  const std::int64_t rest = time % length;
  return time - (rest < 0 ? rest + length : rest);
}

// The longest block that starts at `first`, or up to the next hour.
// Greedy from the left: the longest aligned block that fits. At most 14 of each length below the
// longest.
std::int64_t block_end(std::int64_t first, std::int64_t last) {
  for (std::int64_t length = longest; length >= hour; length /= 8)
    if (first % length == 0 && length <= last - first) return first + length;
  return std::min(last, border_before(first, hour) + hour);
}

// Beyond four-digit years nothing is cut: the borders would leave the range of numbers.
bool is_far(std::int64_t time) {
  constexpr std::int64_t most = std::int64_t{1} << 60;
  return time > most || time < -most;
}

}  // namespace

// Blocks are half-open, in order, without gaps; an open end stays one open block.
std::vector<InstantBlock> instant_blocks(const InstantBlock& interval) {
  std::vector<InstantBlock> blocks;
  if (interval.first && interval.last && *interval.first >= *interval.last) return blocks;
  if ((!interval.first && !interval.last) || (interval.first && is_far(*interval.first)) ||
      (interval.last && is_far(*interval.last)))
    return {interval};
  std::int64_t first = interval.first.value_or(0);
  std::int64_t last = interval.last.value_or(0);
  if (!interval.first) {
    first = border_before(last, longest);
    blocks.push_back({std::nullopt, first});
  }
  if (!interval.last) last = border_before(first, longest) + longest;
  while (first < last) {
    const std::int64_t end = block_end(first, last);
    blocks.push_back({first, end});
    first = end;
  }
  if (!interval.last) blocks.push_back({last, std::nullopt});
  return blocks;
}

}  // namespace cairn::query
