#pragma once
// Core: the open database behind the public handles. Owns the store, the published state and the
// writer's turn. Kept alive by every handle, snapshot and transaction.
//
// A reader copies the pointer to the published state under one lock and reads without any other. The
// writer makes the next state beside it and exchanges the pointer.

#include "engine/commit/committer.hpp"
#include "engine/commit/vector_index_manager.hpp"
#include "engine/database/extension.hpp"
#include "engine/database/held_snapshots.hpp"
#include "engine/files/file_root.hpp"
#include "engine/graph/state.hpp"
#include "engine/index/posting_cache.hpp"
#include "engine/segment/segment_builder.hpp"
#include "engine/store/lock_file.hpp"
#include "engine/store/notes.hpp"
#include "engine/store/rocks_store.hpp"
#include "engine/system/process.hpp"
#include "engine/telemetry/statement_observer.hpp"
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

/// Whether a note must be there before it is written.
enum class NoteBefore : std::uint8_t { any, absent, present };

class Core {
 public:
  /// `file_system` lies under RocksDB's, for tests; null is the real one.
  [[nodiscard]] static Result<std::shared_ptr<Core>> open(
      const std::filesystem::path& directory, const Options& options,
      std::shared_ptr<rocksdb::FileSystem> file_system = nullptr);
  Core(const Core&) = delete;
  Core& operator=(const Core&) = delete;

  /// The newest published state. Cost: one uncontended lock.
  [[nodiscard]] StatePtr state() const;
  [[nodiscard]] RocksStore& store() noexcept { return *store_; }
  [[nodiscard]] PostingCache& cache() noexcept { return cache_; }
  [[nodiscard]] IdAllocator& ids() noexcept { return ids_; }
  [[nodiscard]] WriterLock& turn() noexcept { return turn_; }
  [[nodiscard]] const Options& options() const noexcept { return options_; }
  [[nodiscard]] const std::vector<std::string>& warnings() const noexcept { return warnings_; }
  /// 32 hexadecimal digits.
  [[nodiscard]] const std::string& database_id() const noexcept { return database_id_; }
  /// Where statements read and write files.
  [[nodiscard]] const FileRoot& files() const noexcept { return files_; }
  /// The one that opened it. In a forked child only what reads through an older snapshot works.
  [[nodiscard]] const Process& process() const noexcept { return process_; }

  /// Within the writer's turn: make a transaction's changes true and publish them.
  /// Errors: those of the store. resource_limit for want of room leaves all as it was; where the log failed all
  /// later commits report it too.
  [[nodiscard]] Status commit(const GraphView& view, const WriteSet& write_set,
                              const CatalogEditor& catalog,
                              TextFolding folding = TextFolding::when_full);

  /// Seal what wants to be sealed, save the vector indexes, flush the store, raise the lower bound.
  /// Errors: also cancelled, where a stop is requested before the saving begins.
  [[nodiscard]] Status checkpoint(const std::stop_token& cancel = {});
  /// A backup of the newest commit, see Database::backup(), which is then noted in the store.
  [[nodiscard]] Result<BackupReport> backup(const FilePlace& place, const std::stop_token& cancel);
  /// Hold off backups and other scrubs.
  [[nodiscard]] std::unique_lock<std::mutex> lock_backups() {
    return std::unique_lock(backup_mutex_);
  }
  /// The number of the published snapshot of the store, and those that are held of lower ones, oldest first.
  [[nodiscard]] std::uint64_t newest_snapshot() const;
  [[nodiscard]] std::vector<HeldSnapshot> held_before(std::uint64_t snapshot);
  /// Build the vector segments again that have vectors which were erased or replaced, save them, and erase files of no
  /// index. How many were built. Errors: also cancelled.
  [[nodiscard]] Result<std::uint64_t> scrub_vectors(const std::stop_token& cancel);
  /// Erase those of these keys of postings, of `index` or `text`, of which nothing is left. Commits wait.
  [[nodiscard]] Status erase_emptied(Family family, const std::vector<std::string>& keys);
  [[nodiscard]] const std::filesystem::path& directory() const noexcept { return directory_; }
  /// Write a note about the database into family `meta`, or erase it where there is no value. It does not belong to a commit, and is
  /// on disk when this returns. False, and nothing is written, where the key is not as `before` wants it.
  /// Errors: those of the store.
  [[nodiscard]] Result<bool> write_note(std::string_view key,
                                        const std::optional<std::string>& value,
                                        NoteBefore before = NoteBefore::any);
  /// Erase notes that are no longer needed; on disk some time later. Errors: those of the store.
  [[nodiscard]] Status erase_notes(const std::vector<std::string>& keys);
  /// The notes whose keys start with these bytes, by key.
  [[nodiscard]] Result<std::vector<Note>> notes(std::string_view prefix) const;
  /// Checkpoint, and end a bulk load: transactions that are still open cannot commit then. The store itself closes with the last owner.
  [[nodiscard]] Status close();
  /// The same without the checkpoint, where another process waits for the lock, which opens the store as it is.
  void close_for_successor();
  [[nodiscard]] DatabaseStatistics statistics() const;
  /// Database::check() of the published state.
  [[nodiscard]] Result<std::vector<Finding>> check(std::size_t limit);

  [[nodiscard]] Telemetry& telemetry() noexcept { return *telemetry_; }
  [[nodiscard]] Messages& messages() noexcept { return messages_; }
  [[nodiscard]] StatementObserver& statements() noexcept { return statements_; }
  /// Where a higher layer keeps what statements call and lower layers cannot know.
  [[nodiscard]] ExtensionPlace& calls() noexcept { return calls_; }
  /// What was counted since the opening, and what there is now.
  [[nodiscard]] Metrics metrics();

 private:
  struct Opening;  // what is known before the store is open
  Core(const Options& options, Opening opening);
  ~Core();
  /// Destroys it, but in a forked child, where that would wait for threads which only the parent has.
  static void let_go(Core* core);

  /// open() but for what an error of a repair says besides.
  [[nodiscard]] static Result<std::shared_ptr<Core>> open_as_it_is(
      const std::filesystem::path& directory, const Options& options,
      std::shared_ptr<rocksdb::FileSystem> file_system);
  [[nodiscard]] static Result<Opening> prepare(const std::filesystem::path& directory,
                                               const Options& options);
  /// The directory as a copy of the home of the options: its store, open and with all commits of the home.
  [[nodiscard]] static Status attach_home(Opening& opening, const Options& options,
                                          const StoreOptions& settings);
  /// Where there is a home, bring to it all that another node would otherwise have to replay. Not an owner any more: does
  /// nothing.
  [[nodiscard]] Status ship_checkpoint();
  /// The same and leave it, so that the next owner need not wait for anything.
  [[nodiscard]] Status leave_home();
  /// The rest, once it has a store.
  [[nodiscard]] static Result<std::shared_ptr<Core>> open_with(Opening opening,
                                                               const Options& options);
  /// Everything after the store is open.
  [[nodiscard]] Status start();
  /// The last step, as the thread uses everything. Errors: resource_limit.
  [[nodiscard]] Status start_maintenance();
  [[nodiscard]] Status check_identity();
  [[nodiscard]] Status repair_derived();
  [[nodiscard]] Status initialize();
  /// The first published state.
  [[nodiscard]] Status load_state();
  [[nodiscard]] Status begin_bulk_load() const;
  [[nodiscard]] Status end_bulk_load();
  [[nodiscard]] Status write_commit_file(std::uint64_t commit) const;

  /// write_note() with the lock of commits held.
  [[nodiscard]] Result<bool> put_note(std::string_view key,
                                      const std::optional<std::string>& value);
  /// commit() without the measuring and the messages.
  [[nodiscard]] Status commit_now(const GraphView& view, const WriteSet& write_set,
                                  const CatalogEditor& catalog, TextFolding folding);
  [[nodiscard]] Status write_and_publish(const GraphView& view, const WriteSet& write_set,
                                         const CatalogEditor& catalog, TextFolding folding);
  /// Errors: resource_limit, where a commit ended between these two: vectors are of it, and the state is not. The caller
  /// holds the lock of the vector set.
  [[nodiscard]] Status check_published() const;
  /// Memory ran out when the store may have a commit that is not visible yet.
  [[nodiscard]] Error end_commits();
  /// A checkpoint's steps.
  [[nodiscard]] Status save_all(const std::stop_token& cancel);
  [[nodiscard]] Status build(VectorIndexManager::Sealing& sealing, const BuildThreads& workers);
  /// The size of everything in memory.
  [[nodiscard]] std::uint64_t memory_bytes(const State& now) const;
  /// The parts of a backup.
  [[nodiscard]] Result<BackupReport> write_backup(BackupWriter& backup,
                                                  const std::stop_token& cancel);
  [[nodiscard]] Status add_vector_files(BackupWriter& backup) const;
  [[nodiscard]] Result<std::uint64_t> add_store_files(BackupWriter& backup);
  [[nodiscard]] Status note_backup(const std::filesystem::path& place, const BackupReport& report);

  void publish(std::shared_ptr<State> next);
  /// The rest of the published state stays as it is.
  void republish_vectors();
  void share_memory();
  /// `stop` is asked between the steps; stopping is not an error.
  [[nodiscard]] Status seal(const BuildThreads& workers);
  [[nodiscard]] Result<std::uint64_t> save_vectors();
  /// The background thread: sleeps until a commit says that there is work.
  void run_maintenance(const std::stop_token& stop);
  void stop_threads();
  /// What it does for a commit: segments are built and saved.
  [[nodiscard]] Status maintain(const std::stop_token& stop);
  /// What there was to do when it woke; nothing where it is to end.
  [[nodiscard]] std::optional<bool> wait_for_work(
      const std::stop_token& stop, std::optional<std::chrono::steady_clock::time_point> due);
  [[nodiscard]] bool is_read_only() const noexcept { return options_.mode == OpenMode::read_only; }

  [[nodiscard]] bool repairs() const noexcept { return options_.repair && !is_read_only(); }

  Process process_;
  Options options_;
  std::shared_ptr<Telemetry> telemetry_;  // owners: this, its states and observers
  Messages messages_;
  StatementObserver statements_;
  ExtensionPlace calls_;
  FileRoot files_;
  // Destroyed from the last to the first: whatever reads the store goes before it.
  std::filesystem::path directory_;
  LockFile lock_;
  std::string database_id_;
  std::uint64_t commit_bound_ = 0;  // what the metadata file promised
  std::vector<std::string> warnings_;
  std::unique_ptr<Home> home_;  // null without one; the store ships to it
  std::unique_ptr<RocksStore> store_;
  PostingCache cache_;
  IdAllocator ids_;
  WriterLock turn_;
  Committer committer_;
  VectorIndexManager vectors_;

  std::mutex backup_mutex_;       // one backup at a time
  std::mutex commit_mutex_;       // one commit at a time, and none while a bulk load ends
  std::optional<Error> failure_;  // why there are no more commits; guarded by commit_mutex_
  bool is_following_ = false;  // vectors have a commit that is not published; guarded by their lock
  // Made before it is needed, when there is memory.
  Error no_memory_{
      ErrorCode::resource_limit,
      "the process ran out of memory while it wrote a commit; the commit may be on the "
      "disk but is not visible; the database takes no more commits until it is opened again",
      {}};

  mutable std::mutex publish_mutex_;  // guards state_ and held_
  HeldSnapshots held_;
  StatePtr state_;

  std::atomic<int> hurried_ = 0;  // checkpoints that wait for what is sealed at leisure
  std::mutex checkpoint_mutex_;   // one checkpoint at a time; before sealing_mutex_
  std::mutex maintenance_mutex_;  // guards work_; taken alone
  std::condition_variable_any work_arrived_;
  bool work_ = false;
  std::mutex sealing_mutex_;  // one sealing or saving at a time; before the lock of the vector set
  SegmentBuilder segment_builder_;
  std::jthread maintenance_;  // ends first, as the threads of the last members
};

}  // namespace cairn::engine
