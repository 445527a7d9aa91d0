#pragma once
// VectorIndexManager: the vector indexes of an open database. Feeds them with what commits changed, builds
// their segments in the background, keeps their files and the log that brings a file up to date.
//
// vector_log value := (kind:u8 entity:be64)*   entities to look at again; empty: the log before this
//                                             sequence was trimmed
//
// A file is complete up to its sequence; entities of later log entries are looked up again. A file
// that is missing, damaged, or older than the log reaches back is made from `vectors` instead.

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

/// What one commit changes in the indexes that exist already, by catalog id of the index.
using VectorCommit = std::map<std::uint32_t, std::vector<VectorChange>>;

/// Threads: every call with the lock held, but for build() and save().
class VectorIndexManager {
 public:
  /// Where the files are and whose they are.
  struct Place {
    std::filesystem::path directory;
    std::string database_id;
    std::uint32_t background_threads = 1;
    bool read_only = false;
    std::size_t memory_bytes = std::numeric_limits<std::size_t>::max();  ///< of all indexes
  };

  VectorIndexManager(RocksStore& store, PostingCache& cache, Place place)
      : store_(store), cache_(cache), place_(std::move(place)) {}

  /// Taken before the lock of the published state, never after it.
  [[nodiscard]] std::unique_lock<std::mutex> lock() const { return std::unique_lock(mutex_); }

  /// The database's id, as soon as it is known; files of another one are not read.
  void bind(std::string database_id) { place_.database_id = std::move(database_id); }
  /// Make every index of the catalog: from its file and the log, or from `vectors`.
  /// An index with a damaged vector is left out, and a warning says so.
  [[nodiscard]] Status open(const StatePtr& state, std::vector<std::string>& warnings);
  /// Apply a commit; make the indexes that are new in the catalog of `state`, drop those gone.
  /// An index that cannot be made has no state, so that searches refuse it; the next commit tries again.
  void follow(const StatePtr& state, const VectorCommit& changes);
  /// The vector states for the next published state.
  [[nodiscard]] VectorStates states() const;
  /// Of the present states; older ones live as long as their snapshots.
  [[nodiscard]] std::size_t memory_bytes() const;

  /// The slow half of sealing, which needs no lock.
  struct Sealing {
    std::uint32_t id = 0;
    std::shared_ptr<VectorIndex> index;  // owners: the set and the sealing thread
    VectorIndex::StatePtr from;
    std::shared_ptr<const void> segment{};  // owners: the sealing thread, then the index
    bool is_afresh = false;                 ///< leaves out what was forgotten
  };
  /// The next index whose delta has grown too large, if any.
  [[nodiscard]] std::optional<Sealing> next_sealing() const;
  /// Of every index whose segment has vectors that were erased or replaced, to be built afresh.
  [[nodiscard]] std::vector<Sealing> forgetful() const;
  /// Erase what is in the directory of vector files and is the file of no index. Nothing is saved meanwhile.
  [[nodiscard]] Status erase_other_files() const;
  [[nodiscard]] static Status build(Sealing& sealing, BuildThreads workers);
  /// Publish the segment, unless the index was dropped or rebuilt meanwhile.
  void adopt(const Sealing& sealing);
  /// Write every segment that is not in its file yet, map its vectors where they are not to be held, and
  /// trim the log. `commit` is one that every index has followed. Without the lock, which it takes for moments; one at a time, and nothing is adopted
  /// meanwhile.
  [[nodiscard]] Status save(std::uint64_t commit);

  /// What a commit must put into vector_log: the touched entities of every indexed space, and for an
  /// index that is not in `before` that no file of an earlier one of its number may be used.
  static void put_log(const Catalog& before, const Catalog& after, const WriteSet& write_set,
                      std::uint64_t sequence, StoreBatch& batch);

 private:
  struct Slot {
    codec::IndexEntry entry;
    std::shared_ptr<VectorIndex> index;  // owners: the set and the sealing thread
    std::uint64_t segment_sequence = 0;  ///< 0: there is no segment
    std::uint64_t saved_sequence = 0;    ///< 0: there is no file
    bool is_unsaved = false;             ///< the segment is not that of the file
  };

  /// A segment whose file is older, lacks what was made since, or is not there.
  struct Saving {
    std::uint32_t id = 0;
    std::shared_ptr<const VectorIndex> index;  // owners: the set and the saving thread
    std::uint64_t sequence = 0;                ///< of the segment
  };

  [[nodiscard]] Result<std::shared_ptr<VectorIndex>> make_index(const codec::IndexEntry& entry,
                                                                bool maps_rows) const;
  [[nodiscard]] std::filesystem::path file_of(std::uint32_t id) const;
  [[nodiscard]] Status erase_index_file(std::uint32_t id) const;
  /// A new index with all its members. Errors: those of reading them.
  [[nodiscard]] Result<Slot> make_slot(const StatePtr& state, const codec::IndexEntry& entry);
  /// The best that is there: file and log, else the vectors themselves.
  [[nodiscard]] Status load(const StatePtr& state, std::uint32_t id, Slot& slot, bool maps_rows,
                            std::vector<std::string>& warnings);
  /// Feed every member. Cost: reads all vectors of the space.
  [[nodiscard]] Status rebuild(const StatePtr& state, Slot& slot);
  /// Look again at every entity that changed after the file was complete.
  [[nodiscard]] Result<bool> catch_up(const StatePtr& state, Slot& slot, std::uint64_t from);
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
  std::set<std::uint32_t> missing_;  // that a damaged vector keeps from being made
};

}  // namespace cairn::engine
