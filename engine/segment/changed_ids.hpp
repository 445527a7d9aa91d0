#pragma once
// ChangedIds: which ids commits changed since a segment was built.

#include "codec/bitmap.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace cairn::engine {

/// Threads: one at a time; the sets that it hands out do not change.
class ChangedIds {
 public:
  using Set = std::shared_ptr<const codec::Bitmap>;

  /// Commits come in ascending order.
  void add(std::uint64_t commit, std::span<const std::uint64_t> ids);
  /// What commits up to this one changed; null for nothing. Cost: what came since the last call.
  [[nodiscard]] Set as_of(std::uint64_t commit);
  /// At most as many ids as were changed; one that was changed twice may count twice.
  [[nodiscard]] std::size_t size() const noexcept { return count_; }
  [[nodiscard]] std::size_t memory_bytes() const noexcept;
  void clear();

 private:
  struct Change {
    std::uint64_t commit = 0;
    std::vector<std::uint64_t> ids;
  };
  /// The ids of these changes.
  [[nodiscard]] static codec::Bitmap united(std::span<const Change> changes);

  std::vector<Change> changes_;  // ascending by commit
  std::size_t count_ = 0;
  Set newest_;  // of the first `joined_` changes
  std::size_t joined_ = 0;
};

}  // namespace cairn::engine
