#pragma once
// RocksStore: opens and owns the RocksDB database. Nobody outside of this folder sees a slice, a
// status or a column family handle.

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

/// A state of the store that does not change. It must be gone before the store is closed.
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

enum class WriteMode : std::uint8_t {
  sync,      ///< logged and on disk
  async,     ///< logged
  unlogged,  ///< neither: bulk load only
};

struct DamagedEnd;

/// What a scrub has rewritten so far.
struct ScrubbedTables {
  std::uint64_t tables = 0;  ///< whose place others took
  std::uint64_t bytes = 0;   ///< of them
};
/// Asked before each step of a scrub. An error ends it there.
using ScrubStep = std::function<Status(const ScrubbedTables&)>;

/// Makes changes true elsewhere before they are here: see RocksStore::ship_with(). The changes are those of a commit
/// record; `commit` is 0 where they are no commit. Gives the place at which they are true now.
using ShipChanges =
    std::function<Result<codec::HomePlace>(std::string changes, std::uint64_t commit)>;

/// Threads: all calls from any, but for clear(), end_repair() and ship_with().
class RocksStore {
 public:
  using Value = std::optional<std::string>;

  /// Who only reads or repairs gets a store with table files that cannot be opened, where they are all
  /// that is damaged, with a warning: what reads of them gives an error.
  /// Errors: corruption with the file, not_found, io_error.
  [[nodiscard]] static Result<std::unique_ptr<RocksStore>> open(
      const std::filesystem::path& directory, const StoreOptions& options);
  /// For reading only, whatever is wrong with the log and the table files, to learn what a repair would meet:
  /// nothing is written, and families may be missing. Only damaged_files(), newer_files() and get() may be
  /// asked. Errors: those of a manifest that cannot be read.
  [[nodiscard]] static Result<std::unique_ptr<RocksStore>> open_to_inspect(
      const std::filesystem::path& directory, const StoreOptions& options);
  ~RocksStore();
  RocksStore(const RocksStore&) = delete;
  RocksStore& operator=(const RocksStore&) = delete;

  /// Cost: about a microsecond, and compactions keep what it can see.
  [[nodiscard]] SnapshotPtr snapshot() const;
  /// As of `snapshot`, or the newest where it is null. Absent is not an error.
  [[nodiscard]] Result<Value> get(Family family, std::string_view key,
                                  const StoreSnapshot* snapshot) const;
  /// The values of many keys, in their order. Cost: one batched read.
  [[nodiscard]] Result<std::vector<Value>> multi_get(Family family,
                                                     std::span<const std::string> keys,
                                                     const StoreSnapshot* snapshot) const;
  /// From the first key of the range on. The store and the snapshot must outlive the cursor.
  [[nodiscard]] Cursor scan(Family family, const KeyRange& range,
                            const StoreSnapshot* snapshot) const;
  /// All keys of one posting list or of one node's adjacency: reads no block if there are none of them.
  [[nodiscard]] Cursor scan_prefix(Family family, std::string_view prefix,
                                   const StoreSnapshot* snapshot) const;

  /// All of the batch or, after a crash, nothing. Where the disk has no room for it nothing is written, and a later
  /// write may find some. After any other error the outcome is unknown, and every later write and sync_log() gives
  /// the same error: has_failed() tells.
  [[nodiscard]] Status write(StoreBatch& batch, WriteMode mode);
  /// Likewise what only this copy of a database knows, and another makes for itself: it is not shipped.
  [[nodiscard]] Status write_local(StoreBatch& batch, WriteMode mode);
  /// Whether a write failed with the content of the log unknown. Then no more is written.
  [[nodiscard]] bool has_failed() const;
  /// All of a finished file, durably. Nobody else writes meanwhile. What was logged `async` before must be
  /// on disk if the file speaks of it. Errors: as write(), but where the disk has no room a crash may leave the file
  /// taken in.
  [[nodiscard]] Status take_in(SortedFile file);
  /// From now on `ship` is asked before anything is written, and nothing is written where it fails; then has_failed()
  /// is true, as what it did is not known here. An empty one ends that. Too large a batch is refused before, and
  /// nothing has happened.
  void ship_with(ShipChanges ship);
  /// Write the changes of a record that was shipped to `place`. Errors: as write(); corruption.
  [[nodiscard]] Status apply(std::string_view changes, const codec::HomePlace& place);
  /// Up to where this has what was shipped: {0, 0} where it has nothing. Errors: of reading; corruption.
  [[nodiscard]] Result<codec::HomePlace> applied_place() const;
  /// Bring the log to disk: what was written `async` is then as durable as `sync`. After an error has_failed() is
  /// true.
  [[nodiscard]] Status sync_log();
  /// Bring everything written so far to disk, logged or not. After an error it may be tried again.
  [[nodiscard]] Status flush();
  /// Flush, and list the files that hold all that was written so far. Nobody else writes meanwhile. Not of a store for
  /// reading only. Errors: io_error, resource_limit, and as write() where the log has failed before.
  [[nodiscard]] Result<HeldFiles> hold_files();
  /// Flush, and visit the keys of postings of `index` or `text` of which a table above the last level only removes, in pieces
  /// of at most 1,000: what they have left may be nothing. Cost: reads the tables that remove.
  /// Errors: those of `visit`; of reading.
  using VisitKeys = std::function<Status(const std::vector<std::string>& keys)>;
  [[nodiscard]] Status visit_reduced(Family family, const VisitKeys& visit);
  /// Flush, and rewrite the tables that hold what was erased or replaced before this call, or the key of it. Others stay
  /// as they are. Readers and writers go on. What an older snapshot can see stays too, so that there may be none.
  /// Not of a store for reading only, one at a time. After an error it may be begun again.
  /// Errors: those of `step`; of reading and writing tables.
  [[nodiscard]] Result<ScrubbedTables> scrub_tables(const ScrubStep& step);
  /// Begin a new manifest, as one names the first and last keys of tables that are gone.
  /// Errors: those of write() and flush().
  [[nodiscard]] Status renew_manifest();
  /// The number of the log that takes what is written now.
  [[nodiscard]] Result<std::uint64_t> current_log() const;
  /// Delete the files that hold what was written once and are no part of the store, and name those that are left: tables
  /// that readers still use, manifests but the newest, logs up to `log`, and logs that an opening set aside. Errors: io_error.
  [[nodiscard]] Result<std::vector<std::string>> erase_replaced_files(std::uint64_t log);
  /// Erase every key of a family with its files, which are not read: they may be damaged. A crash leaves
  /// it empty or as it was.
  [[nodiscard]] Status clear(Family family);
  /// Erase the keys of a range.
  [[nodiscard]] Status erase_range(Family family, const KeyRange& range, WriteMode mode);

  /// The table files that cannot be read whole, each block compared with its checksum.
  /// Errors: resource_limit. Cost: reads every table file.
  [[nodiscard]] Result<std::vector<DamagedFile>> damaged_files() const;
  /// Whole table files that the manifest does not name, newer than all others, where they hold a commit that the
  /// store lacks: the manifest lost its end, and the next opening for writing deletes them. Cost: reads them.
  [[nodiscard]] Result<std::vector<std::string>> newer_files() const;
  /// Close, and open as a store that is not being repaired. Nothing of it may be in use.
  [[nodiscard]] Status end_repair();

  /// About how many bytes the keys of a range take; write buffers included.
  [[nodiscard]] std::uint64_t approximate_bytes(Family family, const KeyRange& range) const;
  /// Block cache and write buffers now.
  [[nodiscard]] std::uint64_t memory_bytes() const;
  /// Leave this much of the budget to the block cache from now on.
  void limit_cache(std::size_t bytes);
  /// What the opening had to repair, in sentences.
  [[nodiscard]] const std::vector<std::string>& warnings() const noexcept { return warnings_; }

 private:
  friend class SortedFile;
  friend class StoreBatch;
  struct Impl;
  RocksStore();
  /// Clear the families of these tables, so that they are rebuilt, and open the store as it is wanted.
  [[nodiscard]] Status rebuild(const std::vector<DamagedEnd>& ends);
  /// Ship it, and note in it where that was.
  [[nodiscard]] Status ship_batch(StoreBatch& batch);
  /// What take_in() is with a home: the file's operands in batches, as its name means nothing elsewhere.
  [[nodiscard]] Status merge_file(const SortedFile& file);
  [[nodiscard]] Result<std::vector<Value>> multi_get_batch(Family family,
                                                           std::span<const std::string> keys,
                                                           const StoreSnapshot* snapshot) const;

  std::unique_ptr<Impl> impl_;
  std::vector<std::string> warnings_;
};

}  // namespace cairn::engine
