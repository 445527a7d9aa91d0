#pragma once
// RocksStore: opens and owns the RocksDB database. Code outside of this folder does not see slices, statuses or
// column family handles of RocksDB.

#include "codec/home_head.hpp"
#include "engine/store/column_family.hpp"
#include "engine/store/cursor.hpp"
#include "engine/store/damaged_file.hpp"
#include "engine/store/held_files.hpp"
#include "engine/store/sorted_file.hpp"
#include "engine/store/store_batch.hpp"
#include "engine/store/store_options.hpp"

#include <cairn/result.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::engine {

/// An immutable state of the store. It must be destroyed before the store is closed.
class StoreSnapshot {
 public:
  struct Impl;
  explicit StoreSnapshot(std::unique_ptr<Impl> impl);
  ~StoreSnapshot();
  StoreSnapshot(const StoreSnapshot&) = delete;
  StoreSnapshot& operator=(const StoreSnapshot&) = delete;
  [[nodiscard]] const Impl& impl() const noexcept { return *impl_; }

 private:
  std::unique_ptr<Impl> impl_;
};

using SnapshotPtr = std::shared_ptr<const StoreSnapshot>;  // owners: published states, transactions

/// How far a batch has got when the write returns.
enum class WriteMode : std::uint8_t {
  sync,      ///< written to the log, and synced
  async,     ///< written to the log, but not synced
  unlogged,  ///< not written to the log; only for bulk loads
};

struct DamagedEnd;

/// The progress of a scrub.
struct ScrubbedTables {
  std::uint64_t tables = 0;  ///< tables that were replaced
  std::uint64_t bytes = 0;   ///< their size
};
/// Called before each step of a scrub. An error ends the scrub.
using ScrubStep = std::function<Status(const ScrubbedTables&)>;

/// Ships changes to a home before they are written here: see RocksStore::ship_with(). `changes` has the format of a
/// commit record. `commit` is the commit number, or 0 if the changes are not a commit. Returns the place of the
/// changes in the home.
using ShipChanges =
    std::function<Result<codec::HomePlace>(std::string changes, std::uint64_t commit)>;

/// The store. Threads: all calls from any thread, except clear(), end_repair() and ship_with().
class RocksStore {
 public:
  using Value = std::optional<std::string>;

  /// Opens the store. For reading only, and for a repair, it also opens if the only damage is table files that cannot
  /// be opened. Then it adds a warning, and reads of these files return errors.
  /// Errors: corruption, which names the file; not_found; io_error; resource_limit if a thread cannot be started.
  [[nodiscard]] static Result<std::unique_ptr<RocksStore>> open(
      const std::filesystem::path& directory, const StoreOptions& options);
  /// Opens the store for reading only, in spite of any damage of the log and the table files, to find out what a
  /// repair would have to do. Writes nothing. Families may be missing. Only damaged_files(), newer_files() and get()
  /// may be called. Errors: errors of reading the manifest.
  [[nodiscard]] static Result<std::unique_ptr<RocksStore>> open_to_inspect(
      const std::filesystem::path& directory, const StoreOptions& options);
  /// Returns a second handle of this open store. It sees only what was written before this call, even if a later call
  /// passes no snapshot, and it refuses to write. The database is closed with its last handle. Cost: that of a
  /// snapshot.
  [[nodiscard]] std::unique_ptr<RocksStore> fixed() const;
  ~RocksStore();
  RocksStore(const RocksStore&) = delete;
  RocksStore& operator=(const RocksStore&) = delete;

  /// Returns the newest state. Cost: about a microsecond. While the snapshot lives, compactions do not drop what it
  /// sees.
  [[nodiscard]] SnapshotPtr snapshot() const;
  /// Returns the value of a key as of `snapshot`, or the newest one if `snapshot` is nullptr. A missing key is not an
  /// error.
  [[nodiscard]] Result<Value> get(Family family, std::string_view key,
                                  const StoreSnapshot* snapshot) const;
  /// Returns the values of many keys, in the order of the keys. Cost: one batched read.
  [[nodiscard]] Result<std::vector<Value>> multi_get(Family family,
                                                     std::span<const std::string> keys,
                                                     const StoreSnapshot* snapshot) const;
  /// Iterates over a range. The store and the snapshot must outlive the cursor.
  [[nodiscard]] Cursor scan(Family family, const KeyRange& range,
                            const StoreSnapshot* snapshot) const;
  /// Iterates over all keys of one posting list, or of the adjacency of one node. Reads no block if none exist.
  [[nodiscard]] Cursor scan_prefix(Family family, std::string_view prefix,
                                   const StoreSnapshot* snapshot) const;
  /// Returns a cursor without a position. After a seek, it visits at most the keys that have the same prefix (as the
  /// family defines it) as the sought key. Many seeks of one cursor cost less than many cursors.
  [[nodiscard]] Cursor seek_prefixes(Family family, const StoreSnapshot* snapshot = nullptr) const;

  /// Writes a batch atomically: after a crash, all of it or nothing is there. If the disk is full, nothing is
  /// written, and a later write may succeed. After any other error the outcome is unknown. Then has_failed() is true,
  /// and later calls of write() and sync_log() return the same error.
  [[nodiscard]] Status write(StoreBatch& batch, WriteMode mode);
  /// Writes a batch that concerns only this copy of a database, and is not shipped to a home.
  [[nodiscard]] Status write_local(StoreBatch& batch, WriteMode mode);
  /// True if a write failed and the content of the log is unknown. The store refuses all writes then.
  [[nodiscard]] bool has_failed() const;
  /// Ingests a finished file atomically and durably. No other thread may write meanwhile. If the content of the file
  /// refers to `async` writes, sync_log() must precede the call. Errors: as write(). But if the disk is full, the
  /// file may appear in the store after a crash.
  [[nodiscard]] Status take_in(SortedFile file);
  /// From now on calls `ship` before each write. If `ship` fails, nothing is written here and has_failed() is true,
  /// because the outcome in the home is unknown. An empty function ends the shipping. A batch that is too large for a
  /// record is refused before it is shipped.
  void ship_with(ShipChanges ship);
  /// Writes the changes of a record from the home, which was shipped to `place`. Errors: as write(); corruption.
  [[nodiscard]] Status apply(std::string_view changes, const codec::HomePlace& place);
  /// Returns the place in the home up to which this copy has all changes; {0, 0} if it has none. Errors: read errors;
  /// corruption.
  [[nodiscard]] Result<codec::HomePlace> applied_place() const;
  /// Syncs the log, so that `async` writes become as durable as `sync` ones. After an error has_failed() is true.
  [[nodiscard]] Status sync_log();
  /// Writes everything written so far, logged or not, to synced table files. After an error the call may be repeated.
  [[nodiscard]] Status flush();
  /// Flushes, and lists the files that contain everything written so far. No other thread may write meanwhile. Not
  /// for a store opened for reading only. Errors: io_error; resource_limit; as write() if the log has failed before.
  [[nodiscard]] Result<HeldFiles> hold_files();
  /// The visitor of visit_reduced(), called with some keys at a time.
  using VisitKeys = std::function<Status(const std::vector<std::string>& keys)>;
  /// Flushes, and visits in batches of at most 1,000 the keys of postings (family `index` or `text`) that may be empty:
  /// a table above the last level only removes ids from them. Cost: reads the tables that remove ids.
  /// Errors: any error of `visit`; read errors.
  [[nodiscard]] Status visit_reduced(Family family, const VisitKeys& visit);
  /// Flushes, and rewrites all tables that contain what was erased or replaced before this call, without that content
  /// and the erased keys. Other tables remain as they are. Readers and writers continue. Content that an older snapshot
  /// can see remains too, so no such snapshot should exist. Not for a store opened for reading only. One call at a
  /// time. After an error the call may be repeated.
  /// Errors: any error of `step`; errors of reading and writing tables.
  [[nodiscard]] Result<ScrubbedTables> scrub_tables(const ScrubStep& step);
  /// Makes RocksDB begin a new manifest, because the old one contains the first and last keys of deleted tables.
  /// Errors: as write() and flush().
  [[nodiscard]] Status renew_manifest();
  /// Returns the number of the current log.
  [[nodiscard]] Result<std::uint64_t> current_log() const;
  /// Makes RocksDB delete obsolete files with old content, and returns the names of those that still exist: tables
  /// that readers use, manifests except the newest, logs up to `log`, and logs that an opening set aside. Errors:
  /// io_error.
  [[nodiscard]] Result<std::vector<std::string>> erase_replaced_files(std::uint64_t log);
  /// Erases all keys of a family by deleting its files. It does not read them, so they may be damaged. After a crash
  /// the family is either empty or unchanged.
  [[nodiscard]] Status clear(Family family);
  /// Erases all keys of a range.
  [[nodiscard]] Status erase_range(Family family, const KeyRange& range, WriteMode mode);

  /// Returns the table files that cannot be read completely. Compares each block with its checksum. Errors:
  /// resource_limit. Cost: reads all table files.
  [[nodiscard]] Result<std::vector<DamagedFile>> damaged_files() const;
  /// Returns undamaged table files that the manifest does not list and that are newer than all others, if they
  /// contain a commit that the store lacks. In this case the manifest has lost its end, and the next opening for
  /// writing deletes these files. Cost: reads the files.
  [[nodiscard]] Result<std::vector<std::string>> newer_files() const;
  /// Closes the store and opens it again without the option `repair`. No snapshot or cursor of it may exist.
  [[nodiscard]] Status end_repair();

  /// Estimates the size of the keys and values of a range, including write buffers.
  [[nodiscard]] std::uint64_t approximate_bytes(Family family, const KeyRange& range) const;
  /// The current size of the block cache and the write buffers.
  [[nodiscard]] std::uint64_t memory_bytes() const;
  /// Limits the block cache to `bytes` from now on.
  void limit_cache(std::size_t bytes);
  /// What the opening had to repair, in sentences for a user.
  [[nodiscard]] const std::vector<std::string>& warnings() const noexcept { return warnings_; }

 private:
  friend class SortedFile;
  friend class StoreBatch;
  struct Impl;
  RocksStore();
  RocksStore(std::shared_ptr<Impl> impl, SnapshotPtr fixed);
  /// The snapshot that a call with the argument `snapshot` reads.
  [[nodiscard]] const StoreSnapshot* seen(const StoreSnapshot* snapshot) const noexcept {
    return snapshot == nullptr ? fixed_.get() : snapshot;
  }
  /// Clears the families of tables with damaged ends, so that they are rebuilt, and opens the store again normally.
  [[nodiscard]] Status rebuild(const std::vector<DamagedEnd>& ends);
  /// Ships the batch, and adds its place in the home to it.
  [[nodiscard]] Status ship_batch(StoreBatch& batch);
  /// take_in() for a store with a home: writes the operands of the file in batches, because the file itself has no
  /// meaning for other copies.
  [[nodiscard]] Status merge_file(const SortedFile& file);
  [[nodiscard]] Result<std::vector<Value>> multi_get_batch(Family family,
                                                           std::span<const std::string> keys,
                                                           const StoreSnapshot* snapshot) const;

  std::shared_ptr<Impl> impl_;  // owners: the handles of the store
  SnapshotPtr fixed_;           // of a handle of fixed(), else nullptr; destroyed before impl_
  std::vector<std::string> warnings_;
};

}  // namespace cairn::engine
