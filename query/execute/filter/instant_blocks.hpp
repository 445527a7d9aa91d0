#pragma once
// An interval of time as few blocks with fixed borders, so that intervals that end now, and all that
// overlap, are put together of the same cached parts. A commit outdates only the blocks it falls in.

#include <cstdint>
#include <optional>
#include <vector>

namespace cairn::query {

/// From `first` up to but not including `last`, microseconds UTC; absent is open.
struct InstantBlock {
  std::optional<std::int64_t> first;
  std::optional<std::int64_t> last;

  friend bool operator==(const InstantBlock&, const InstantBlock&) = default;
};

/// Blocks of 1 hour times a power of 8, aligned to their length, and two ends of less than an hour.
/// About 7 a power: some 50 for years.
[[nodiscard]] std::vector<InstantBlock> instant_blocks(const InstantBlock& interval);

}  // namespace cairn::query
