#pragma once
// ChangedIds: the ids that commits changed, in one kind of records or of lists.

#include "codec/bitmap.hpp"
#include "codec/segment_file.hpp"
#include "engine/transaction/write_set.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace cairn::engine {

/// The ids at the beginning of the keys of a source that a transaction changed, each once, in ascending order.
[[nodiscard]] std::vector<std::uint64_t> changed_ids(const WriteSet& write_set,
                                                     codec::SegmentSource source);

/// The ids that commits have changed since a segment was built. Threads: one at a time. The sets that it returns are
/// immutable.
class ChangedIds {
 public:
  using Set = std::shared_ptr<const codec::Bitmap>;

  /// Notes the ids that a commit changed. Commits must come in ascending order.
  void add(std::uint64_t commit, std::span<const std::uint64_t> ids);
  /// Notes ids that an older commit than all others changed.
  void add_first(std::uint64_t commit, std::span<const std::uint64_t> ids);
  /// Returns the ids that commits up to `commit` changed, or nullptr if they changed none. Cost: proportional to the
  /// changes since the last call.
  [[nodiscard]] Set as_of(std::uint64_t commit);
  /// An upper bound of the number of changed ids: an id that was changed twice may count twice.
  [[nodiscard]] std::size_t size() const noexcept { return count_; }
  [[nodiscard]] std::size_t memory_bytes() const noexcept;
  void clear();

 private:
  struct Change {
    std::uint64_t commit = 0;
    std::vector<std::uint64_t> ids;
  };
  /// The union of the ids of these changes.
  [[nodiscard]] static codec::Bitmap united(std::span<const Change> changes);

  std::vector<Change> changes_;  // in ascending order of commit
  std::size_t count_ = 0;
  Set newest_;  // the union of the first `joined_` changes
  std::size_t joined_ = 0;
};

}  // namespace cairn::engine
