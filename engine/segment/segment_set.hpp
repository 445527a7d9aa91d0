#pragma once
// SegmentSet: the segments of one database. A segment is built as soon as statements have spent as much time without
// it as the build takes. A statement that has spent so much alone builds it at once; if many statements together
// have, a background thread builds it. The set notes the ids that commits change, and readers take these from the
// records. Once these reads have cost as much as building a newer segment, one is built, and the old segment serves
// readers meanwhile. A segment is dropped if too many ids were changed, or if other segments need its memory.
//
// A segment may have a file (segment_files.hpp), which is read as soon as statements have spent the time for that. While
// there is a file, commits write the ids that they change into a log.

#include "codec/bitmap.hpp"
#include "codec/entity_kind.hpp"
#include "codec/segment_file.hpp"
#include "engine/segment/changed_ids.hpp"
#include "engine/segment/segment.hpp"
#include "engine/segment/segment_builder.hpp"
#include "engine/store/rocks_store.hpp"
#include "engine/transaction/write_set.hpp"
#include "engine/view/segment_view.hpp"

#include <cairn/options.hpp>
#include <cairn/result.hpp>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace cairn::engine {

/// The request of a reader for a segment.
struct SegmentWish {
  const StoreSnapshot& snapshot;
  std::uint64_t commit = 0;   ///< the commit of the snapshot
  const SegmentNeed& need;    ///< what the statement has spent without the segment
  std::uint64_t records = 0;  ///< number of records that a build reads
  /// The owner of the snapshot, which a background build holds so that the snapshot stays alive. nullptr: no
  /// background build.
  std::shared_ptr<const void> owner = nullptr;
};

/// The description of a segment for users.
struct SegmentDescription {
  bool is_of_lists = false;  ///< true: relationships; false: a property
  bool outgoing = false;     ///< for relationships: the direction
  codec::EntityKind kind = codec::EntityKind::node;
  std::uint32_t property = 0;  ///< for a property: the number of its name
  std::size_t ids = 0;         ///< ids that have content in the segment
  /// Ids that commits changed since the build; repeated ids may count twice.
  std::size_t changed = 0;
  std::size_t bytes = 0;
};

/// Identifies a segment: what it is built from and, for records, the property.
struct SegmentKey {
  codec::SegmentSource source = codec::SegmentSource::nodes;
  std::uint32_t property = 0;
  friend auto operator<=>(const SegmentKey&, const SegmentKey&) = default;
};

/// A segment that was read from its file.
struct LoadedSegment {
  std::shared_ptr<const Segment> segment;  // nullptr: it takes more memory than allowed
  std::vector<std::uint64_t> changed;      ///< ids that the segment does not know
};

/// A segment to be compared with the records.
struct SegmentState {
  SegmentKey key;
  std::shared_ptr<const Segment> segment;        // nullptr if its file cannot be read
  std::shared_ptr<const codec::Bitmap> changed;  // ids that it does not know; nullptr: none
  std::string problem;                           ///< why the file cannot be read; empty if it can
};

/// A segment that has no file, and what its file would say.
struct UnsavedSegment {
  SegmentKey key;
  std::shared_ptr<const Segment> segment;
  std::uint64_t commit = 0;            ///< the newest one that `changed` covers
  std::vector<std::uint64_t> changed;  ///< ids that the segment does not know, in ascending order
};

/// Builds, caches and drops segments. Threads: all calls from any thread.
class SegmentSet {
 public:
  /// Runs a job on another thread. Returns false if it cannot.
  using Beside = std::function<bool(SegmentBuilder::Job)>;

  /// `on_built` is called after each build, without a lock of the set. Without `beside`, only statements build
  /// segments, and only for themselves. The set must outlive all jobs.
  SegmentSet(const RocksStore& store, Segments policy, std::size_t memory_bytes,
             std::function<void()> on_built, Beside beside = nullptr)
      : store_(store),
        policy_(policy),
        most_bytes_(memory_bytes),
        on_built_(std::move(on_built)),
        beside_(std::move(beside)) {}

  /// Returns the view of a segment for the commit of the wish, or an empty view without a segment. Cost: that of a
  /// build if the wish has paid for it, or the policy is to build always.
  [[nodiscard]] AdjacencyView adjacency(bool outgoing, const SegmentWish& wish);
  [[nodiscard]] ColumnView column(codec::EntityKind kind, std::uint32_t key,
                                  const SegmentWish& wish);

  /// Notes what a commit changed, after it is in the store and before it is published. Commits must come in ascending
  /// order.
  void follow(std::uint64_t commit, const WriteSet& write_set);
  /// Sets the commit at which the set begins: commits up to it need not be followed.
  void begin(std::uint64_t commit);

  // Segment files. A commit calls log() while it makes its batch, and follow() once the batch is written.

  /// Reads a file. Errors: corruption; errors of reading.
  using Load = std::function<Result<LoadedSegment>(const codec::SegmentFileEntry&)>;
  /// Adds segments that have a file. Called before the set is used, as are catch_up() and end_catching_up().
  void offer(const std::vector<codec::SegmentFileEntry>& files, Load load);
  /// Notes what a commit changed, as the log says. Commits must come in ascending order.
  void catch_up(std::uint64_t commit, const codec::SegmentChanges& changes);
  /// Drops the files that need commits up to `missing`, which the log lacks. `log_bytes` is the size of the log, nullopt
  /// if commits cannot write it.
  void end_catching_up(std::uint64_t missing, std::optional<std::size_t> log_bytes);
  /// Adds what a commit changes to its batch, if a segment has a file.
  void log(std::uint64_t commit, const WriteSet& write_set, StoreBatch& batch);
  /// Returns the segments that are worth a file and have none. From now on commits write the log, until end_saving().
  [[nodiscard]] std::vector<UnsavedSegment> unsaved();
  /// Notes the file of a segment. Returns false if the file is already out of date.
  bool note_saved(const UnsavedSegment& saved, const codec::SegmentFileEntry& file);
  /// From now on commits write the log only if there are files.
  void end_saving();
  /// Returns the files in use.
  [[nodiscard]] std::vector<codec::SegmentFileEntry> files() const;
  /// Returns all segments as of a commit, read from their files where they have one.
  [[nodiscard]] std::vector<SegmentState> states(std::uint64_t commit);
  /// Drops all segments, and those that are being built.
  void clear();

  [[nodiscard]] std::size_t memory_bytes() const;
  [[nodiscard]] std::vector<SegmentDescription> describe() const;

 private:
  using SegmentPtr = std::shared_ptr<const Segment>;
  using Key = SegmentKey;
  struct Entry {
    SegmentPtr
        segment;  // nullptr if it does not exist, also while it is being built for the first time
    std::uint64_t commit = 0;  // the commit as of which it was built
    UnknownIds unknown;        // the ids that it does not know
    // The file of the segment, also while the segment is not in memory.
    std::optional<codec::SegmentFileEntry> file;
    std::size_t updated = 0;  // ids that updates changed since a build from all records
    bool is_building = false;
    bool is_void = false;              // the segment that is being built must be discarded
    std::size_t building_updated = 0;  // `updated` of the segment that is being built
    std::uint64_t building = 0;        // the commit as of which it is being built
    ChangedIds::Set building_unknown;  // the ids that the file which is being read does not know
    // Microseconds that statements have spent without the segment, or with records of changed ids. Negative after a failed
    // build, to delay the next one.
    double spent = 0;
    std::uint64_t used = 0;  // the value of use_ at the last use

    /// Drops the segment and its file, and marks the one that is being built to be discarded.
    void drop() noexcept;
    /// Drops the segment from memory. It can be read again if it has a file.
    void unload() noexcept;
    /// Drops the segment from memory, and nothing else.
    void forget_segment() noexcept;
    /// Drops the file, and all of a segment that is not in memory.
    void forget_file() noexcept;
    /// The most changed ids that the log must have for the segment.
    [[nodiscard]] std::size_t most_changed() const noexcept;
  };
  /// A segment, and the ids in it that are out of date for the reader.
  struct Found {
    SegmentPtr segment;
    ChangedIds::Set changed;
  };
  /// Builds a segment from all records, or from an earlier one and the ids that it does not know.
  using Build = std::function<Result<SegmentPtr>(const StoreSnapshot&, const SegmentBounds&,
                                                 const Found& earlier)>;
  /// Builds a segment, or reads it from a file.
  using Make = std::function<Result<SegmentPtr>(const StoreSnapshot&, const SegmentBounds&)>;
  /// When to build a missing segment.
  enum class When : std::uint8_t { never, now, beside };

  /// Finds a segment, or builds it if that pays off. `cost` is the estimate of a build in microseconds.
  [[nodiscard]] Found find(const Key& key, const SegmentWish& wish, double cost,
                           const Build& build);
  /// Decides whether a segment that is missing or out of date is built, and on which thread. The caller holds the mutex.
  [[nodiscard]] When when_to_build(const Key& key, Entry& entry, const SegmentWish& wish,
                                   double cost) const;
  /// True if a segment of this commit would spare its readers work. The caller holds the mutex.
  [[nodiscard]] bool would_help(const Key& key, const Entry& entry, std::uint64_t commit) const;
  /// True if a reader of this commit may build the segment.
  [[nodiscard]] bool may_build(const Key& key, const Entry& entry, std::uint64_t commit) const;
  /// The number of ids that updates have changed since the last build from all records, including an update to this
  /// commit. 0: the segment should be built from all records.
  [[nodiscard]] static std::size_t updated_with(const Entry& entry, const Found& now,
                                                std::uint64_t commit);
  /// Reads a segment from its file, now or in the background. Returns what find() does.
  [[nodiscard]] Found load(const Key& key, const SegmentWish& wish, double cost, When when,
                           const codec::SegmentFileEntry& file);
  /// Reads a file, and notes which ids it does not know. Errors: those of `load_`.
  [[nodiscard]] Result<SegmentPtr> read_file(const Key& key, const codec::SegmentFileEntry& file);
  /// The segment for readers of a commit, or nothing. The caller holds the mutex.
  [[nodiscard]] Found found(const Key& key, Entry& entry, std::uint64_t commit);
  [[nodiscard]] const ChangedIds& log_of(const Key& key) const {
    return changed_[codec::position(key.source)];
  }
  /// The number of ids that have changed since a commit, or nothing if they are unknown.
  [[nodiscard]] std::optional<std::size_t> changed_since(const Key& key,
                                                         std::uint64_t commit) const;
  static constexpr std::array sources = {
      codec::SegmentSource::nodes, codec::SegmentSource::relationships,
      codec::SegmentSource::outgoing, codec::SegmentSource::incoming};
  /// The most changed ids with which a segment is useful: with more, a reader would look up most values in the records.
  [[nodiscard]] static std::size_t most_changed_of(std::size_t ids);
  /// The number of ids that the log of a source should have, 0 if no statement has asked for a segment of it.
  [[nodiscard]] std::size_t most_noted(codec::SegmentSource source) const;
  /// Notes the ids of a source that a commit changed. The caller holds the mutex.
  void note(codec::SegmentSource source, std::uint64_t commit, std::span<const std::uint64_t> ids);
  /// Drops segments and files of which too many ids have changed. The caller holds the mutex.
  void drop_outdated() noexcept;
  /// Reads a file into `state`. Returns false if there is none.
  [[nodiscard]] bool read_for_check(const codec::SegmentFileEntry& file, SegmentState& state) const;
  /// Drops all files, for instance because a commit is missing in the log. The caller holds the mutex.
  void forget_files() noexcept;
  /// Builds a segment and stores it. Returns it, or nullptr if the build failed.
  [[nodiscard]] SegmentPtr build_and_keep(const Key& key, double cost,
                                          const std::function<Result<SegmentPtr>()>& build);
  /// Queues a build for the background thread.
  void build_beside(const Key& key, const SegmentWish& wish, double cost, const Make& make);
  /// Stores a built segment, unless it was marked to be discarded. nullptr: the build failed.
  void keep(const Key& key, const SegmentPtr& built, double cost);
  /// Drops the least recently used segments until the rest fits into the memory limit.
  void make_room();
  /// The memory of all segments. The caller holds the mutex.
  [[nodiscard]] std::size_t bytes() const;

  const RocksStore& store_;
  const Segments policy_;
  const std::size_t most_bytes_;
  const std::function<void()> on_built_;
  const Beside beside_;
  // The newest commit that was followed.
  std::atomic<std::uint64_t> followed_ = 0;
  std::atomic<bool> is_logging_ = false;    // commits write the log
  std::atomic<std::uint64_t> logged_ = 0;   // the newest commit in the log
  std::atomic<std::size_t> log_bytes_ = 0;  // written since all files were new
  Load load_;                               // set before the set is used
  codec::SegmentChanges logging_;  // what log() wrote for the commit `logged_`, until follow()

  mutable std::mutex mutex_;  // guards what follows
  std::map<Key, Entry> entries_;
  std::array<ChangedIds, codec::segment_sources> changed_;  // by position(source)
  std::uint64_t use_ = 0;                                   // counts uses of segments
  std::uint64_t unlogged_ = 0;  // the newest commit that is missing in the log
};

}  // namespace cairn::engine
