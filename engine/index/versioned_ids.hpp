#pragma once
// VersionedIds: a set of ids that follows commits and remembers what the last commits changed.

#include "codec/bitmap.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <vector>

namespace cairn::engine {

/// A set of ids as of the newest commit, and as of the commits before it as far back as few ids
/// changed. Threads: one.
class VersionedIds {
 public:
  /// `ids` are those as of `commit`, which is the oldest version.
  VersionedIds(codec::Bitmap ids, std::uint64_t commit)
      : newest_(std::move(ids)), oldest_(commit) {}

  /// The ids as of a commit that has been followed; nullopt if that version was dropped. Cost:
  /// copies a bitmap, and undoes the changes of later commits.
  [[nodiscard]] std::optional<codec::Bitmap> at(std::uint64_t commit) const;
  [[nodiscard]] const codec::Bitmap& newest() const noexcept { return newest_; }
  [[nodiscard]] std::uint64_t oldest_commit() const noexcept { return oldest_; }

  /// Makes the version of `commit`, which is newer than all others. Both lists ascend, and no id is
  /// in both. Ids that are added and present, or removed and absent, change nothing. If memory runs
  /// out, nothing has changed. Cost: copies the containers of the changed ids.
  void follow(std::uint64_t commit, std::span<const std::uint64_t> added,
              std::span<const std::uint64_t> removed);

  [[nodiscard]] std::size_t memory_bytes() const noexcept {
    return bytes_ + steps_.size() * sizeof(Step);
  }

 private:
  /// What one commit changed.
  struct Step {
    std::uint64_t commit = 0;
    std::vector<std::uint64_t> added;
    std::vector<std::uint64_t> removed;
    [[nodiscard]] std::size_t size() const noexcept { return added.size() + removed.size(); }
  };

  void forget_oldest();

  codec::Bitmap newest_;
  std::deque<Step> steps_;  // oldest first
  std::uint64_t oldest_;    // the version before steps_[0]
  std::size_t step_ids_ = 0;
  std::size_t bytes_ = newest_.memory_bytes();
};

}  // namespace cairn::engine
