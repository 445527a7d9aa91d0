#pragma once
// VectorIndexManager: the vector indexes of an open database. Applies the changes of commits to them, builds and saves their
// segments, and maintains the log that brings a file up to date.
//
// vector_log value := (kind:u8 entity:be64)*   entities that changed; an empty value is a mark: the log before this sequence
//                                             was trimmed
//
// A file has all changes up to its sequence. Entities in later log entries are read again. If a file is missing, damaged, or
// older than the beginning of the log, the index is built from family `vectors` instead.

#include "engine/graph/graph_view.hpp"
#include "engine/graph/state.hpp"
#include "engine/store/rocks_store.hpp"
#include "engine/vector/vector_index.hpp"

#include <cairn/result.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace cairn::engine {

/// The changes of one commit to existing indexes, by catalog id of the index.
using VectorCommit = std::map<std::uint32_t, std::vector<VectorChange>>;

/// Threads: every call requires the lock, except for lock(), build(), save() and put_log().
class VectorIndexManager {
 public:
  /// Where the files are, which database they belong to, and settings.
  struct Place {
    std::filesystem::path directory;
    std::string database_id;
    std::uint32_t background_threads = 1;
    bool read_only = false;
    /// The memory for all indexes. Vectors beyond it are mapped from files.
    std::size_t memory_bytes = std::numeric_limits<std::size_t>::max();
  };

  VectorIndexManager(RocksStore& store, PostingCache& cache, Place place)
      : store_(store), cache_(cache), place_(std::move(place)) {}

  /// Takes the lock. Lock order: before the lock of the published state (Core::publish_mutex_).
  [[nodiscard]] std::unique_lock<std::mutex> lock() const { return std::unique_lock(mutex_); }

  /// Sets the id of the database. Call it before open(), as files of another database are not used.
  void bind(std::string database_id) { place_.database_id = std::move(database_id); }
  /// Loads every index of the catalog from its file and the log, or builds it from family `vectors`. An index with a damaged
  /// vector is left out, with a warning.
  [[nodiscard]] Status open(const StatePtr& state, std::vector<std::string>& warnings);
  /// Applies a commit: its changes, and new and dropped indexes in the catalog of `state`. An index that cannot be made has
  /// no state, so searches of it return an error. The next commit that changes vectors tries again.
  void follow(const StatePtr& state, const VectorCommit& changes);
  /// Returns the current states of all indexes, for the next published state.
  [[nodiscard]] VectorStates states() const;
  /// The memory of the current states. Older states live as long as their snapshots, and do not count.
  [[nodiscard]] std::size_t memory_bytes() const;

  /// The build of a segment from the delta of an index. next_sealing() returns it, build() runs it, adopt() publishes it.
  struct Sealing {
    std::uint32_t id = 0;
    std::shared_ptr<VectorIndex> index;  // owners: the manager and the building thread
    VectorIndex::StatePtr from;          ///< the state to build from
    // The result; owners: the building thread, then the index.
    std::shared_ptr<const void> segment{};
    bool is_afresh = false;  ///< build without the vectors that were erased or replaced
  };
  /// Returns the build of the next index whose delta is too large, if there is one.
  [[nodiscard]] std::optional<Sealing> next_sealing() const;
  /// Returns a build for every index whose segment still has vectors that were erased or replaced, for a scrub.
  [[nodiscard]] std::vector<Sealing> forgetful() const;
  /// Erases all files in the directory of vector files that belong to no index. Must not run during save().
  [[nodiscard]] Status erase_other_files() const;
  /// Builds the segment, which takes seconds to minutes. Without the lock.
  [[nodiscard]] static Status build(Sealing& sealing, BuildThreads workers);
  /// Makes the new segment part of its index, unless the index was dropped or rebuilt meanwhile.
  void adopt(const Sealing& sealing);
  /// Writes every segment that is not in its file yet, maps vectors that should not be in memory, and trims the log.
  /// `commit` must be a commit that every index has followed. Call it without the lock, which it takes for short moments.
  /// Only one call at a time, and no adopt() meanwhile.
  [[nodiscard]] Status save(std::uint64_t commit);

  /// Puts the entries of a commit into vector_log: the changed entities for every indexed space; and a mark for each index
  /// that is not in `before`, so that no file of an earlier index with the same number is used.
  static void put_log(const Catalog& before, const Catalog& after, const WriteSet& write_set,
                      std::uint64_t sequence, StoreBatch& batch);

 private:
  struct Slot {
    codec::IndexEntry entry;
    std::shared_ptr<VectorIndex> index;  // owners: the manager and the building thread
    /// Commit up to which the segment is complete; 0: no segment.
    std::uint64_t segment_sequence = 0;
    std::uint64_t saved_sequence = 0;  ///< commit up to which the file is complete; 0: no file
    bool is_unsaved = false;           ///< the file does not have the current segment
  };

  /// A segment to save.
  struct Saving {
    std::uint32_t id = 0;
    std::shared_ptr<const VectorIndex> index;  // owners: the manager and the saving thread
    std::uint64_t sequence = 0;                ///< commit up to which the segment is complete
  };

  /// Makes an empty index. `maps_rows`: load() maps the vectors from the file instead of reading them into memory.
  [[nodiscard]] Result<std::shared_ptr<VectorIndex>> make_index(const codec::IndexEntry& entry,
                                                                bool maps_rows) const;
  [[nodiscard]] std::filesystem::path file_of(std::uint32_t id) const;
  [[nodiscard]] Status erase_index_file(std::uint32_t id) const;
  /// Makes an index with all its members. Errors: those of reading them.
  [[nodiscard]] Result<Slot> make_slot(const StatePtr& state, const codec::IndexEntry& entry);
  /// Loads an index from its file and the log, or else from the vectors.
  [[nodiscard]] Status load(const StatePtr& state, std::uint32_t id, Slot& slot, bool maps_rows,
                            std::vector<std::string>& warnings);
  /// Adds every member to an empty index. Cost: reads all vectors of the space.
  [[nodiscard]] Status rebuild(const StatePtr& state, Slot& slot);
  /// Applies all changes after the commit `from` to an index that was loaded from its file.
  [[nodiscard]] Result<bool> catch_up(const StatePtr& state, Slot& slot, std::uint64_t from);
  /// Returns the entities that the log lists after the commit `from`, or nullopt if the log is damaged or incomplete.
  [[nodiscard]] Result<std::optional<std::vector<std::uint64_t>>> logged_since(
      const State& state, const Slot& slot, std::uint64_t from) const;
  [[nodiscard]] std::vector<Saving> unsaved() const;
  [[nodiscard]] Status note_saved(const Saving& saving);
  [[nodiscard]] bool has_room_for(std::uint32_t id) const;
  [[nodiscard]] static bool wants_mapping(const Slot& slot);
  void map_rows(const Saving& saving);
  [[nodiscard]] std::optional<Saving> over_memory(const std::set<std::uint32_t>& tried) const;
  [[nodiscard]] std::map<std::uint32_t, std::uint64_t> needed_logs(std::uint64_t commit) const;
  [[nodiscard]] Status trim_log(std::uint32_t space, std::uint64_t keep_after);

  RocksStore& store_;
  PostingCache& cache_;
  Place place_;
  mutable std::mutex mutex_;  // guards slots_ and the writing side of every index
  std::map<std::uint32_t, Slot> slots_;
  std::set<std::uint32_t> missing_;  // indexes without a slot, because of a damaged vector
};

}  // namespace cairn::engine
