// RocksDB's iterator does not go past a block that it cannot read, but one that begins behind
// it works. How far it reaches is unknown, so that it is searched for: in doubling steps, then
// by halves.
#include "engine/check/damage_gap.hpp"

#include <algorithm>

namespace cairn::engine {

bool lies_in(const IdGaps& gaps, std::uint64_t id) {
  return std::ranges::any_of(gaps, [&](const IdGap& gap) { return gap.contains(id); });
}

IdGap skip_damage(Cursor& cursor, std::uint64_t from,
                  const std::function<Cursor(std::uint64_t)>& scan_from) {
  // A cursor of its own each time: one that has met damage may stay in it.
  const auto reads_at = [&](std::uint64_t id) {
    cursor = scan_from(id);
    return cursor.status().has_value();
  };
  // Only what belongs to the last id may be lost, such as its large texts.
  if (reads_at(from)) return {from, from};
  std::uint64_t fails = from;
  std::uint64_t step = 1;
  while (!reads_at(fails + step)) {
    fails += step;
    if (fails > std::numeric_limits<std::uint64_t>::max() / 4) return {from};
    step *= 2;
  }
  std::uint64_t reads = fails + step;
  while (reads - fails > 1) {
    const std::uint64_t middle = fails + (reads - fails) / 2;
    (reads_at(middle) ? reads : fails) = middle;
  }
  static_cast<void>(reads_at(reads));
  return {from, reads};
}

}  // namespace cairn::engine
