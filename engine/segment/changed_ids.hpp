#pragma once
// ChangedIds: a log of the ids that recent commits changed, in one kind of records or of lists. All segments of this
// kind share it. So a segment serves readers of later commits and of earlier ones: what did not change between its commit
// and that of a reader is the same in both.

#include "codec/bitmap.hpp"
#include "codec/segment_file.hpp"
#include "engine/transaction/write_set.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace cairn::engine {

/// The ids at the beginning of the keys of a source that a transaction changed, each once, in ascending order.
[[nodiscard]] std::vector<std::uint64_t> changed_ids(const WriteSet& write_set,
                                                     codec::SegmentSource source);

/// The log of one kind. Threads: one at a time. The sets that it returns are immutable.
class ChangedIds {
 public:
  using Set = std::shared_ptr<const codec::Bitmap>;

  /// Forgets all changes. From now on the log has all changes after `commit`.
  void begin(std::uint64_t commit);
  /// Notes the ids that a commit changed. Commits must come in ascending order.
  void add(std::uint64_t commit, std::span<const std::uint64_t> ids);
  /// Drops the oldest changes until at most `most` ids remain, which take at most `most_bytes`.
  void trim(std::size_t most, std::size_t most_bytes);
  /// Drops the changes up to a commit.
  void drop_until(std::uint64_t commit);

  /// True if the log has all changes after `commit`.
  [[nodiscard]] bool covers(std::uint64_t commit) const noexcept { return commit >= begin_; }
  /// An upper bound of the number of ids that changed between two commits, in either order: an id that was changed twice
  /// counts twice. The log must cover both.
  [[nodiscard]] std::size_t count(std::uint64_t one, std::uint64_t other) const;
  /// The ids that commits after `first`, up to `last`, changed. The log must cover `first`.
  [[nodiscard]] codec::Bitmap between(std::uint64_t first, std::uint64_t last) const;

  [[nodiscard]] std::size_t memory_bytes() const noexcept;

 private:
  struct Change {
    std::uint64_t commit = 0;
    std::uint64_t before = 0;  // the number of ids that were ever noted before this commit
  };
  /// The number of ids that were ever noted up to a commit.
  [[nodiscard]] std::uint64_t noted_until(std::uint64_t commit) const;
  void drop_first();

  std::deque<Change> changes_;     // in ascending order of commit; each has an id
  std::deque<std::uint64_t> ids_;  // of all changes
  std::uint64_t noted_ = 0;        // the number of ids that were ever noted
  std::uint64_t begin_ = 0;        // changes up to this commit are unknown
};

/// The ids that a segment does not know, as of the commits of its readers.
class UnknownIds {
 public:
  UnknownIds() = default;
  /// `ids` are not known at any commit. May be nullptr.
  explicit UnknownIds(ChangedIds::Set ids) : ids_(std::move(ids)) {}

  /// Returns the ids that a segment of commit `segment` does not know about commit `reader`, or nullptr if it knows
  /// all. The log must cover both commits, and `segment` is the same in all calls. Cost: proportional to the changes
  /// since the last call for an older reader, or to all changes between the commits if neither of the last two sets
  /// helps.
  [[nodiscard]] ChangedIds::Set as_of(const ChangedIds& log, std::uint64_t segment,
                                      std::uint64_t reader);
  /// The number of ids that are not known at any commit.
  [[nodiscard]] std::size_t size() const noexcept { return ids_ ? ids_->cardinality() : 0; }
  [[nodiscard]] std::size_t memory_bytes() const noexcept;

 private:
  [[nodiscard]] ChangedIds::Set other(const ChangedIds& log, std::uint64_t segment,
                                      std::uint64_t reader);

  ChangedIds::Set ids_;
  // The result of as_of() for the newest commit so far. The set of a later reader extends it.
  ChangedIds::Set newest_;
  std::uint64_t newest_commit_ = 0;
  // The result of as_of() for another commit, because a snapshot may be read again and again.
  ChangedIds::Set other_;
  std::optional<std::uint64_t> other_commit_;
};

}  // namespace cairn::engine
