// Two forms of the exact scan. The plain one compares every vector. The bounded one reads the code
// of every vector, and the vector only if the lower bound of its distance does not exceed the
// farthest candidate of the heap. That candidate only gets nearer, so a vector that was excluded
// would not have stayed in the heap. Ties are not excluded: their order is decided by the heap.
#include "engine/vector/exact_scan.hpp"

#include "engine/vector/exact_codes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace cairn::engine {
namespace {

// Vectors that are compared at once. Their codes stay in the cache for the next query of a batch.
constexpr std::size_t block = 256;
// OrdinalSelection::for_each_block() passes up to twice as many.
constexpr std::size_t most_at_once = 2 * block;
// If the bounds of a block exclude less than half of it, so many blocks at most are compared without
// bounds, before another one is tried.
constexpr std::size_t most_skipped = 16;

/// A bounded probe of a scan.
class BoundedProbe {
 public:
  BoundedProbe(const ExactScan& scan, const ExactCodes& codes, const RowProbe& probe)
      : scan_(scan), codes_(codes), probe_(probe), query_(codes.prepare(probe.query)) {}

  void compare(std::span<const std::uint32_t> slots) {
    std::array<std::uint32_t, most_at_once> near;
    if (const float worst = probe_.top->worst(); is_bounding(worst)) {
      const std::size_t count = list_near(slots, double{worst}, near.data());
      learn(count, slots.size());
      slots = std::span(near).first(count);
    }
    compare_in_full(slots);
  }

 private:
  // Nothing is farther than a heap that is not full, unless the search has a cut.
  [[nodiscard]] bool is_bounding(float worst) {
    if (std::isinf(worst)) return false;
    if (skipped_ == 0) return true;
    --skipped_;
    return false;
  }

  // If there are many near duplicates or very long vectors, bounds exclude little: then they should
  // cost little.
  void learn(std::size_t passed, std::size_t tested) {
    next_skip_ = 2 * passed > tested ? std::clamp<std::size_t>(2 * next_skip_, 1, most_skipped) : 0;
    skipped_ = next_skip_;
  }

  // Written so that a bound that is not a number excludes nothing.
  std::size_t list_near(std::span<const std::uint32_t> slots, double worst, std::uint32_t* near) {
    std::array<double, most_at_once> least;
    codes_.least_distances(query_, slots, least.data());
    std::size_t count = 0;
    for (std::size_t i = 0; i < slots.size(); ++i) {
      near[count] = slots[i];  // without a branch, which would be mispredicted often
      count += least[i] > worst ? 0 : 1;
    }
    return count;
  }

  void compare_in_full(std::span<const std::uint32_t> slots) {
    RowScanner scanner(scan_.measure, probe_.query, *probe_.top);
    for (const std::uint32_t slot : slots)
      scanner.add(scan_.segment.slots().entity(slot), scan_.segment.row(slot));
  }

  const ExactScan& scan_;
  const ExactCodes& codes_;
  const RowProbe& probe_;
  BoundedQuery query_;
  std::size_t next_skip_ = 0;
  std::size_t skipped_ = 0;
};

/// Calls visit(slots) with the slots that are selected and visible, at most `most_at_once` at a time.
template <class Visit>
void for_each_block(const ExactScan& scan, Visit&& visit) {
  const InternalIds& map = scan.segment.slots();
  std::array<std::uint32_t, most_at_once> slots;
  scan.selection.for_each_block<block>([&](std::span<const std::uint32_t> ranks) {
    std::size_t count = 0;
    for (const std::uint32_t rank : ranks) {
      slots[count] = map.slot_at(rank);
      count += scan.live.is_hidden(slots[count]) ? 0 : 1;
    }
    visit(std::span<const std::uint32_t>(slots.data(), count));
  });
}

void scan_plainly(const ExactScan& scan, std::span<const RowProbe> probes) {
  if (probes.empty()) return;
  const InternalIds& map = scan.segment.slots();
  RowScanner scanner(scan.measure, probes);
  for_each_block(scan, [&](std::span<const std::uint32_t> slots) {
    for (const std::uint32_t slot : slots) scanner.add(map.entity(slot), scan.segment.row(slot));
  });
}

void scan_by_bounds(const ExactScan& scan, const ExactCodes& codes,
                    std::span<const RowProbe> probes) {
  std::vector<BoundedProbe> bounded;
  bounded.reserve(probes.size());
  for (const RowProbe& probe : probes) bounded.emplace_back(scan, codes, probe);
  for_each_block(scan, [&](std::span<const std::uint32_t> slots) {
    for (BoundedProbe& probe : bounded) probe.compare(slots);
  });
}

}  // namespace

void scan_exactly(const ExactScan& scan, std::span<const RowProbe> probes) {
  std::vector<RowProbe> plain(probes.begin(), probes.end());
  const auto bounded = std::ranges::partition(plain, std::logical_not(), &RowProbe::is_bounded);
  const ExactCodes* codes =
      bounded.empty() ? nullptr : scan.segment.exact_codes(bounded.size() * scan.selection.count());
  if (codes == nullptr) return scan_plainly(scan, plain);
  scan_plainly(scan, std::span(plain).first(plain.size() - bounded.size()));
  scan_by_bounds(scan, *codes, bounded);
}

}  // namespace cairn::engine
