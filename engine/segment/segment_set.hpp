#pragma once
// SegmentSet: the segments of one database. One is built when what was spent for want of it has cost as much as building
// it: at once by a statement that has spent so much alone, and beside the statements where many have. It follows the
// commits by noting what they change, and goes when that is too much or others need its memory.

#include "codec/bitmap.hpp"
#include "codec/entity_kind.hpp"
#include "engine/segment/segment.hpp"
#include "engine/segment/segment_builder.hpp"
#include "engine/store/rocks_store.hpp"
#include "engine/transaction/write_set.hpp"
#include "engine/view/segment_view.hpp"

#include <cairn/options.hpp>
#include <cairn/result.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

namespace cairn::engine {

/// What a reader wants a segment for.
struct SegmentWish {
  const StoreSnapshot& snapshot;
  std::uint64_t commit = 0;  ///< of the snapshot
  const SegmentNeed& need;
  std::uint64_t records = 0;  ///< that building it reads
  std::shared_ptr<const void> owner =
      nullptr;  ///< of the snapshot, who is held while it is built beside; may be null
};

/// A segment as people see it.
struct SegmentDescription {
  bool is_of_lists = false;  ///< of relationships; else of a property
  bool outgoing = false;     ///< where it is of lists
  codec::EntityKind kind = codec::EntityKind::node;
  std::uint32_t property = 0;  ///< where it is of one
  std::size_t ids = 0;         ///< that have something in it
  std::size_t changed = 0;     ///< ids that commits changed since it was built, some perhaps twice
  std::size_t bytes = 0;
};

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

/// Threads: all calls from any.
class SegmentSet {
 public:
  /// Runs a job on another thread; false where there is none.
  using Beside = std::function<bool(SegmentBuilder::Job)>;

  /// `on_built` is called without any lock of the set when there is a segment more. Without `beside` statements build
  /// for themselves alone. The set must live until all jobs have ended.
  SegmentSet(const RocksStore& store, Segments policy, std::size_t memory_bytes,
             std::function<void()> on_built, Beside beside = nullptr)
      : store_(store),
        policy_(policy),
        most_bytes_(memory_bytes),
        on_built_(std::move(on_built)),
        beside_(std::move(beside)) {}

  /// Empty where there is none for this commit. Cost: that of building it, where the wish has paid for it or the policy
  /// is to build always.
  [[nodiscard]] AdjacencyView adjacency(bool outgoing, const SegmentWish& wish);
  [[nodiscard]] ColumnView column(codec::EntityKind kind, std::uint32_t key,
                                  const SegmentWish& wish);

  /// A commit is in the store and not yet published: note what it changed. Commits come in ascending order.
  void follow(std::uint64_t commit, const WriteSet& write_set);
  /// Where the set begins: no commit up to this one has to be followed.
  void begin(std::uint64_t commit) { followed_ = commit; }

  [[nodiscard]] std::size_t memory_bytes() const;
  [[nodiscard]] std::vector<SegmentDescription> describe() const;

 private:
  using SegmentPtr = std::shared_ptr<const Segment>;
  /// What a segment is of: the family that it is made from and, of records, the property.
  struct Key {
    Family family = Family::nodes;
    std::uint32_t property = 0;
    friend auto operator<=>(const Key&, const Key&) = default;
  };
  struct Entry {
    SegmentPtr segment;        // null: none, or none yet
    std::uint64_t commit = 0;  // that it was or is built as of
    ChangedIds changed;        // since then
    bool is_building = false;
    bool is_void = false;  // what is being built must not be kept
    double spent = 0;
    std::uint64_t used = 0;  // the last use, by use_

    /// The segment goes, or is not kept once it is built.
    void drop() noexcept;
    /// Note what a commit changed. Drops the segment where that is too much.
    void note(std::uint64_t commit, std::span<const std::uint64_t> ids);
    /// Whether commits have to be noted.
    [[nodiscard]] bool follows() const noexcept {
      return segment != nullptr || (is_building && !is_void);
    }
  };
  struct Found {
    SegmentPtr segment;
    ChangedIds::Set changed;
  };
  using Build = std::function<Result<SegmentPtr>(const StoreSnapshot&, const SegmentBounds&)>;
  enum class When : std::uint8_t { never, now, beside };

  [[nodiscard]] Found find(const Key& key, const SegmentWish& wish, double cost,
                           const Build& build);
  /// With the mutex held: whether a segment that is not there is built, and by whom.
  [[nodiscard]] When when_to_build(Entry& entry, const SegmentWish& wish, double cost) const;
  [[nodiscard]] SegmentPtr build_and_keep(const Key& key, double cost,
                                          const std::function<Result<SegmentPtr>()>& build);
  void build_beside(const Key& key, const SegmentWish& wish, double cost, const Build& build);
  void keep(const Key& key, const SegmentPtr& built, double cost);
  /// The least recently used ones go until all take no more than they may.
  void make_room();
  [[nodiscard]] std::size_t bytes() const;

  const RocksStore& store_;
  const Segments policy_;
  const std::size_t most_bytes_;
  const std::function<void()> on_built_;
  const Beside beside_;
  std::atomic<std::uint64_t> followed_ = 0;

  mutable std::mutex mutex_;  // guards what follows
  std::map<Key, Entry> entries_;
  std::uint64_t use_ = 0;
};

}  // namespace cairn::engine
