#pragma once
// HeldSnapshots: the snapshots of the store that readers still hold. A scrub waits for old ones, and names them in its
// error.

#include "engine/store/rocks_store.hpp"
#include "engine/system/clock.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

namespace cairn::engine {

/// A snapshot that is still in use.
struct HeldSnapshot {
  std::uint64_t commit = 0;
  std::int64_t published_at = 0;  ///< microseconds since 1970 UTC
};

/// Threads: one at a time.
class HeldSnapshots {
 public:
  /// Notes the snapshot of a state that is about to be published. Cost: amortised constant.
  void note(const SnapshotPtr& snapshot, std::uint64_t commit) {
    if (!noted_.empty() && noted_.back().snapshot.lock() == snapshot) return;
    if (noted_.size() >= most_) forget_gone();
    noted_.push_back({snapshot, ++newest_, {commit, system_time()}});
  }

  /// Returns the number of the newest snapshot. Snapshots are numbered in ascending order.
  [[nodiscard]] std::uint64_t newest() const noexcept { return newest_; }
  /// Returns the snapshots in use whose number is lower, oldest first.
  [[nodiscard]] std::vector<HeldSnapshot> before(std::uint64_t number) {
    forget_gone();
    std::vector<HeldSnapshot> held;
    for (const Noted& noted : noted_)
      if (noted.number < number) held.push_back(noted.held);
    return held;
  }

 private:
  struct Noted {
    std::weak_ptr<const StoreSnapshot> snapshot;
    std::uint64_t number = 0;
    HeldSnapshot held;
  };
  /// Removes snapshots that nobody holds any more.
  void forget_gone() {
    constexpr std::size_t least = 64;
    std::erase_if(noted_, [](const Noted& noted) { return noted.snapshot.expired(); });
    most_ = std::max(least, 2 * noted_.size());
  }

  std::deque<Noted> noted_;
  std::uint64_t newest_ = 0;
  std::size_t most_ = 0;  // the size of noted_ at which note() calls forget_gone()
};

}  // namespace cairn::engine
