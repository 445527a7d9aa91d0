#pragma once
// Core: an open database. It owns the store, the published state, the writer lock and the background threads. Every public
// handle, snapshot and transaction shares its ownership.
//
// A reader copies the pointer to the published state under a short lock, and then reads without locks. A commit makes a new
// state and replaces the pointer.

#include "engine/commit/committer.hpp"
#include "engine/commit/vector_index_manager.hpp"
#include "engine/database/extension.hpp"
#include "engine/database/held_snapshots.hpp"
#include "engine/files/file_root.hpp"
#include "engine/graph/state.hpp"
#include "engine/index/posting_cache.hpp"
#include "engine/segment/segment_builder.hpp"
#include "engine/segment/segment_files.hpp"
#include "engine/store/lock_file.hpp"
#include "engine/store/notes.hpp"
#include "engine/store/rocks_store.hpp"
#include "engine/system/process.hpp"
#include "engine/system/worker_pool.hpp"
#include "engine/telemetry/statement_observer.hpp"
#include "engine/telemetry/statement_register.hpp"
#include "engine/telemetry/telemetry.hpp"
#include "engine/transaction/writer_lock.hpp"
#include "engine/write/id_allocator.hpp"

#include <cairn/database.hpp>
#include <cairn/options.hpp>
#include <cairn/result.hpp>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace cairn::engine {

class BackupWriter;
class Home;

/// A precondition for writing a note: its key must be absent, must be present, or may be either.
enum class NoteBefore : std::uint8_t { any, absent, present };

class Core {
 public:
  /// Opens or creates a database. `file_system` replaces the file system under RocksDB in tests; nullptr is the real one.
  [[nodiscard]] static Result<std::shared_ptr<Core>> open(
      const std::filesystem::path& directory, const Options& options,
      std::shared_ptr<rocksdb::FileSystem> file_system = nullptr);
  /// Opens the state that `store` sees, a handle of RocksStore::fixed(). Its directory is in `directory`, and the
  /// options demand OpenMode::read_only. Errors: as open(). Cost: reads the catalog and the vector files; opens no
  /// table.
  [[nodiscard]] static Result<std::shared_ptr<Core>> open_fixed(
      const std::filesystem::path& directory, const Options& options,
      std::unique_ptr<RocksStore> store);
  Core(const Core&) = delete;
  Core& operator=(const Core&) = delete;

  /// Returns the newest published state. Cost: one lock, which is held only to copy a pointer.
  [[nodiscard]] StatePtr state() const;
  [[nodiscard]] RocksStore& store() noexcept { return *store_; }
  [[nodiscard]] PostingCache& cache() noexcept { return cache_; }
  [[nodiscard]] IdAllocator& ids() noexcept { return ids_; }
  [[nodiscard]] WriterLock& turn() noexcept { return turn_; }
  [[nodiscard]] const Options& options() const noexcept { return options_; }
  [[nodiscard]] const std::vector<std::string>& warnings() const noexcept { return warnings_; }
  /// True if the database has a home, and this process still may commit to it, as far as it knows.
  [[nodiscard]] bool owns_home() const;
  /// The id of the database: 32 hexadecimal digits.
  [[nodiscard]] const std::string& database_id() const noexcept { return database_id_; }
  /// The directory in which statements may read and write files.
  [[nodiscard]] const FileRoot& files() const noexcept { return files_; }
  /// The process that opened the database. A forked child can only read through existing snapshots.
  [[nodiscard]] const Process& process() const noexcept { return process_; }

  /// Commits the changes of a transaction and publishes them. Requires the writer lock.
  /// Errors: those of the store. After resource_limit because of a full disk nothing is changed. After a failure of the log
  /// all later commits fail too.
  [[nodiscard]] Status commit(const GraphView& view, const WriteSet& write_set,
                              const CatalogEditor& catalog,
                              TextFolding folding = TextFolding::when_full);

  /// Builds the vector segments that are due, saves the vector indexes, flushes the store, and raises the bound in the file
  /// COMMIT.
  /// Errors: also cancelled, if a stop is requested before it begins to save.
  [[nodiscard]] Status checkpoint(const std::stop_token& cancel = {});
  /// Writes a backup of the newest commit, see Database::backup(), and notes it in the store.
  [[nodiscard]] Result<BackupReport> backup(const FilePlace& place, const std::stop_token& cancel);
  /// Returns a lock that prevents backups and other scrubs.
  [[nodiscard]] std::unique_lock<std::mutex> lock_backups() {
    return std::unique_lock(backup_mutex_);
  }
  /// Returns the number of the newest snapshot of the store (see HeldSnapshots).
  [[nodiscard]] std::uint64_t newest_snapshot() const;
  /// Returns the snapshots with a lower number that readers still hold, oldest first.
  [[nodiscard]] std::vector<HeldSnapshot> held_before(std::uint64_t snapshot);
  /// Rebuilds the vector segments that still have erased or replaced vectors, saves them, and erases vector files that
  /// belong to no index. Returns the number of rebuilt segments. Errors: also cancelled.
  [[nodiscard]] Result<std::uint64_t> scrub_vectors(const std::stop_token& cancel);
  /// Drops the segments of properties and relationships, and erases their files.
  [[nodiscard]] Status scrub_segments();
  /// Erases those of the given posting keys whose value is empty. `family` is index or text. Commits wait meanwhile.
  [[nodiscard]] Status erase_emptied(Family family, const std::vector<std::string>& keys);
  [[nodiscard]] const std::filesystem::path& directory() const noexcept { return directory_; }
  /// Writes a note into family `meta`, or erases it if `value` is nullopt. A note is not part of a commit, and is on disk
  /// when this returns. Returns false and writes nothing if the key does not meet the precondition. Errors: those of the
  /// store.
  [[nodiscard]] Result<bool> write_note(std::string_view key,
                                        const std::optional<std::string>& value,
                                        NoteBefore before = NoteBefore::any);
  /// Erases notes that are no longer needed. Does not wait for the disk. Errors: those of the store.
  [[nodiscard]] Status erase_notes(const std::vector<std::string>& keys);
  /// As erase_notes(), but keeps a note whose value has changed since it was read.
  [[nodiscard]] Status erase_unchanged_notes(const std::vector<Note>& notes);
  /// Returns the notes whose keys have this prefix, sorted by key.
  [[nodiscard]] Result<std::vector<Note>> notes(std::string_view prefix) const;
  /// Returns the value of the note with this key, or nullopt.
  [[nodiscard]] Result<std::optional<std::string>> note(std::string_view key) const;
  /// Like notes(), but calls `visit` for each note, for notes that are too many or too large to hold together.
  [[nodiscard]] Status visit_notes(
      std::string_view prefix,
      const std::function<void(std::string_view key, std::string_view value)>& visit) const;
  /// Stops the background threads, and makes a checkpoint or ends the bulk load. After a bulk load, open transactions cannot
  /// commit any more. The store itself is closed when the last owner of the core releases it.
  [[nodiscard]] Status close();
  /// Like close(), without the checkpoint: another process waits for the lock, and will open the store as it is.
  void close_for_successor();
  /// Publishes this database, which has no home, as the first state of a new home, see Home::publish_first(). The store
  /// must already have the home's id and the position first_place.
  [[nodiscard]] Status begin_home(Home& home);
  [[nodiscard]] DatabaseStatistics statistics() const;
  /// See Database::check(). Checks the published state.
  [[nodiscard]] Result<std::vector<Finding>> check(std::size_t limit);

  [[nodiscard]] Telemetry& telemetry() noexcept { return *telemetry_; }
  [[nodiscard]] Messages& messages() noexcept { return messages_; }
  [[nodiscard]] StatementObserver& statements() noexcept { return statements_; }
  [[nodiscard]] StatementRegister& running_statements() noexcept { return running_statements_; }
  /// Threads that take part in statements.
  [[nodiscard]] WorkerPool& workers() noexcept { return workers_; }
  /// A place for data of the query folder: the functions that statements may call.
  [[nodiscard]] ExtensionPlace& calls() noexcept { return calls_; }
  /// Returns all counters since the database was opened, and gauges of its current size.
  [[nodiscard]] Metrics metrics();

 private:
  struct Opening;  // state of an open before the core exists, see opening.hpp
  Core(const Options& options, Opening opening);
  ~Core();
  /// The deleter. Does not destroy the core in a forked child, which would wait for threads that only the parent has.
  static void let_go(Core* core);

  // Opening, see core_open.cpp.

  /// Like open(), without the advice that open() adds to errors of a repair.
  [[nodiscard]] static Result<std::shared_ptr<Core>> open_as_it_is(
      const std::filesystem::path& directory, const Options& options,
      std::shared_ptr<rocksdb::FileSystem> file_system);
  [[nodiscard]] static Result<Opening> prepare(const std::filesystem::path& directory,
                                               const Options& options);
  /// Opens the home (the database in an object store, Options::home), and makes the directory a copy of it: its store is
  /// then open and has all commits of the home.
  [[nodiscard]] static Status attach_home(Opening& opening, const Options& options,
                                          const StoreOptions& settings);
  struct HeldCheckpoint;  // see core_home.cpp
  /// Makes a checkpoint and holds its files, so that they can be uploaded to a home.
  [[nodiscard]] Result<HeldCheckpoint> hold_checkpoint();
  /// If there is a home, uploads a checkpoint to it, so that another node has fewer commits to replay. Does nothing if this
  /// process is not the owner of the home any more.
  [[nodiscard]] Status ship_checkpoint();
  /// Uploads the remaining changes and releases the home, so that the next owner can start at once.
  [[nodiscard]] Status leave_home();
  /// Completes the open once `opening` has a store.
  [[nodiscard]] static Result<std::shared_ptr<Core>> open_with(Opening opening,
                                                               const Options& options);
  /// Runs all steps after the store is open.
  [[nodiscard]] Status start();
  /// Starts the maintenance thread. The last step of an open, as the thread uses all members. Errors: resource_limit.
  [[nodiscard]] Status start_maintenance();
  /// Checks that the store is the one that the file COMMIT describes, and lacks no commit.
  [[nodiscard]] Status check_identity();
  /// Rebuilds derived families if they are outdated, or if the database is opened for repair.
  [[nodiscard]] Status repair_derived();
  /// Writes the metadata of a new database.
  [[nodiscard]] Status initialize();
  /// Loads everything that the store holds, and publishes the first state.
  [[nodiscard]] Status load_state();
  [[nodiscard]] Status begin_bulk_load() const;
  [[nodiscard]] Status end_bulk_load();
  /// Writes the file COMMIT: the number of a commit that is on disk for sure.
  [[nodiscard]] Status write_commit_file(std::uint64_t commit) const;

  // Commits, see core.cpp.

  /// Like write_note(); the caller holds commit_mutex_.
  [[nodiscard]] Result<bool> put_note(std::string_view key,
                                      const std::optional<std::string>& value);
  /// Like commit(), without metrics and messages.
  [[nodiscard]] Status commit_now(const GraphView& view, const WriteSet& write_set,
                                  const CatalogEditor& catalog, TextFolding folding);
  [[nodiscard]] Status write_and_publish(const GraphView& view, const WriteSet& write_set,
                                         const CatalogEditor& catalog, TextFolding folding);
  /// Errors: resource_limit if a commit failed after it changed the vector indexes and before it was published. The indexes
  /// are then newer than the published state. The caller holds the lock of vectors_.
  [[nodiscard]] Status check_published() const;
  /// Refuses all further commits, and returns the error for that. Called if memory ran out during a commit: the store may
  /// have the commit, though it is not published.
  [[nodiscard]] Error end_commits();
  /// Runs the steps of a checkpoint.
  [[nodiscard]] Status save_all(const std::stop_token& cancel);
  /// Saves the segments of properties and relationships. A failure is only reported, as it costs no more than time.
  void save_segments();
  /// Builds a vector segment, with log messages.
  [[nodiscard]] Status build(VectorIndexManager::Sealing& sealing, const BuildThreads& workers);
  /// Returns the memory of caches, write buffers and indexes of a state.
  [[nodiscard]] std::uint64_t memory_bytes(const State& now) const;

  // Parts of a backup, see core_backup.cpp.

  [[nodiscard]] Result<BackupReport> write_backup(BackupWriter& backup,
                                                  const std::stop_token& cancel);
  [[nodiscard]] Status add_vector_files(BackupWriter& backup) const;
  [[nodiscard]] Result<std::uint64_t> add_store_files(BackupWriter& backup);
  [[nodiscard]] Status note_backup(const std::filesystem::path& place, const BackupReport& report);

  /// Makes `next` the published state.
  void publish(std::shared_ptr<State> next);
  /// Writes a batch that is not a commit, and publishes a state of the same commit with a new store snapshot, so that later
  /// readers see the changes. The caller holds commit_mutex_.
  [[nodiscard]] Status write_between_commits(StoreBatch& batch, WriteMode mode);
  /// Publishes the current states of the vector indexes; the rest of the state stays the same. The caller holds the lock of
  /// vectors_.
  void republish_vectors();
  /// Adjusts the size of the block cache to the memory that other parts use. The caller holds the lock of vectors_ or
  /// commit_mutex_, as only commits add and remove indexes.
  void share_memory();
  /// Builds vector segments until none is due. Checks for a stop between the steps; a stop is not an error.
  [[nodiscard]] Status seal(const BuildThreads& workers);
  /// Saves the vector indexes. Returns a commit up to which they are complete on disk.
  [[nodiscard]] Result<std::uint64_t> save_vectors();

  // The maintenance thread, see core_maintenance.cpp.

  /// The function of the thread.
  void run_maintenance(const std::stop_token& stop);
  void stop_threads();
  /// Builds and saves the segments that are due after commits.
  [[nodiscard]] Status maintain(const std::stop_token& stop);
  /// Waits for a commit with work, for `due`, or for a stop. Returns true if there is work, false if `due` has passed, and
  /// nullopt if the thread must end.
  [[nodiscard]] std::optional<bool> wait_for_work(
      const std::stop_token& stop, std::optional<std::chrono::steady_clock::time_point> due);
  [[nodiscard]] bool is_read_only() const noexcept { return options_.mode == OpenMode::read_only; }

  [[nodiscard]] bool repairs() const noexcept { return options_.repair && !is_read_only(); }

  Process process_;  // the process that opened the database
  Options options_;
  std::shared_ptr<Telemetry> telemetry_;  // owners: this, its states and observers
  Messages messages_;
  StatementObserver statements_;
  StatementRegister running_statements_;
  ExtensionPlace calls_;
  FileRoot files_;
  // Members are destroyed from the last to the first, so those that read the store come after it.
  std::filesystem::path directory_;
  LockFile lock_;
  std::string database_id_;
  // From the file COMMIT: the store must have at least this commit.
  std::uint64_t commit_bound_ = 0;
  std::vector<std::string> warnings_;
  std::unique_ptr<Home> home_;  // nullptr without a home; the store sends its changes there
  std::unique_ptr<RocksStore> store_;
  PostingCache cache_;
  IdAllocator ids_;
  WriterLock turn_;
  Committer committer_;
  VectorIndexManager vectors_;
  SegmentFiles segment_files_;

  std::mutex backup_mutex_;       // one backup or scrub at a time
  std::mutex commit_mutex_;       // one commit at a time, and none while a bulk load ends
  std::optional<Error> failure_;  // why commits are refused; guarded by commit_mutex_
  // True while vectors_ has a commit that is not published yet. Guarded by the lock of vectors_.
  bool is_following_ = false;
  // The error for running out of memory. Made in advance, as making it takes memory.
  Error no_memory_{
      ErrorCode::resource_limit,
      "the process ran out of memory while it wrote a commit; the commit may be on the "
      "disk but is not visible; the database takes no more commits until it is opened again",
      {}};

  mutable std::mutex publish_mutex_;  // guards state_ and held_
  HeldSnapshots held_;
  StatePtr state_;

  std::atomic<int> hurried_ = 0;  // checkpoints and scrubs that wait for a background build
  std::mutex checkpoint_mutex_;   // one checkpoint at a time; before sealing_mutex_
  std::mutex maintenance_mutex_;  // guards work_; no other lock is taken while it is held
  std::condition_variable_any work_arrived_;
  bool work_ = false;  // a commit left work for the maintenance thread
  // One build or save of vector segments at a time; before the lock of vectors_.
  std::mutex sealing_mutex_;
  SegmentBuilder segment_builder_;
  WorkerPool workers_;
  // The last member, so that the thread ends before other members are destroyed.
  std::jthread maintenance_;
};

}  // namespace cairn::engine
