#pragma once
// Reading past damage: what a scan cannot read is reported as a gap of ids, and the scan goes on after it.

#include "engine/store/cursor.hpp"

#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

namespace cairn::engine {

/// Ids from `first` to before `end`: any of them may have existed.
struct IdGap {
  std::uint64_t first = 0;
  std::uint64_t end = std::numeric_limits<std::uint64_t>::max();

  [[nodiscard]] bool contains(std::uint64_t id) const noexcept { return first <= id && id < end; }
};

using IdGaps = std::vector<IdGap>;

[[nodiscard]] bool lies_in(const IdGaps& gaps, std::uint64_t id);

/// For a cursor over keys in the order of their ids that ended in damage: it follows the damage then, or
/// its status is still an error where nothing behind it can be read. `from` is the first id that it has not
/// met; `scan_from` gives a cursor from an id on. What is sound between two damaged blocks, and what a
/// file that cannot be opened lies over, may be counted to the gap. Cost: some forty seeks.
[[nodiscard]] IdGap skip_damage(Cursor& cursor, std::uint64_t from,
                                const std::function<Cursor(std::uint64_t)>& scan_from);

}  // namespace cairn::engine
