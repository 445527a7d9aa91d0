#pragma once
// The private parts of RocksStore, StoreSnapshot and StoreBatch, and TailNote. Private to this folder.

#include "codec/commit_note.hpp"
#include "engine/store/full_disk.hpp"
#include "engine/store/log_filter.hpp"
#include "engine/store/log_latch.hpp"
#include "engine/store/log_room.hpp"
#include "engine/store/rocks_status.hpp"
#include "engine/store/rocks_store.hpp"
#include "engine/store/store_batch.hpp"
#include "engine/store/tuning.hpp"
#include "engine/system/process.hpp"
#include "engine/system/regular_file.hpp"
#include "engine/system/within_memory.hpp"

#include <rocksdb/db.h>
#include <rocksdb/env.h>
#include <rocksdb/snapshot.h>
#include <rocksdb/wal_filter.h>
#include <rocksdb/write_batch.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cairn::engine {

class LogCheck;
struct LogPromise;

/// A table whose end is damaged. The end contains what is needed to read the rest.
struct DamagedEnd {
  Family family;
  std::string name;
  std::string problem;
};

/// The suffix of files that do not belong to the store yet. An opening for writing deletes them.
inline constexpr std::string_view unfinished_suffix = ".unfinished";

/// The metadata file TAIL of an open store: notes acknowledged commits. If a note cannot be written, it is skipped:
/// the previous one is a lower bound too. Threads: all calls from any thread, except begin().
class TailNote {
 public:
  /// Writes a new file, durably, because a note of an earlier writer must not reappear after a power cut.
  [[nodiscard]] Status begin(const std::filesystem::path& file, codec::TailFile first);
  [[nodiscard]] bool has_begun() const noexcept { return file_.is_open(); }
  /// Notes that `commit` is acknowledged. Does nothing before begin(). Cost: a microsecond.
  void note(std::uint64_t commit);
  /// The newest commit that was noted.
  [[nodiscard]] std::uint64_t commit() const;
  /// Notes that table files contain all commits up to `commit`, so that they need no log. Does nothing if a later
  /// commit was noted meanwhile.
  void note_in_files(std::uint64_t commit);

 private:
  void write() const;

  FileDescriptor file_;
  mutable std::mutex mutex_;  // guards what follows
  codec::TailFile tail_;
};

/// The members are destroyed in reverse order: handles, database, memory, environment. The environment must outlive
/// the database.
struct RocksStore::Impl {
  Process process;
  LogLatchPtr log_latch;
  LogRoomPtr log_room;
  std::shared_ptr<FullDisk> full_disk;  // owners: this and RocksDB
  std::unique_ptr<rocksdb::Env> env;
  StoreMemory memory;
  std::string directory;
  StoreOptions options;
  std::unique_ptr<rocksdb::DB> database;
  std::array<rocksdb::ColumnFamilyHandle*, family_count> handles{};
  // Decides which log records are replayed; RocksDB holds a pointer to it.
  std::unique_ptr<rocksdb::WalFilter> log_filter;
  // Damaged tables are tolerated, while the store is opened to clear their families.
  bool leaves_tables = false;
  bool is_new = false;   // the database has no id yet
  std::mutex log_mutex;  // guards log_failure and every append to the log
  std::optional<Error> log_failure;
  std::uint64_t log_database = 0;  // checksum of the database id, for notes in the log; 0: unknown
  std::atomic<std::uint64_t> logged = 0;  // the newest commit in the log
  TailNote tail;
  std::atomic<std::uint64_t> sorted_files = 0;  // number of files that were begun
  // Held while changes are shipped and written, so that both have the same order. Lock order: ship_mutex before
  // log_mutex.
  std::mutex ship_mutex;
  ShipChanges ship;  // empty if the store has no home
  // Guards gathers, and the order in which the option is set; never held with another mutex.
  std::mutex gather_mutex;
  std::array<bool, family_count> gathers{};  // the state set by SortedFile::let_gather()

  ~Impl();
  [[nodiscard]] rocksdb::ColumnFamilyHandle* handle(Family family) const {
    return handles[position(family)];
  }
  /// How to treat a table file that is missing or cannot be opened.
  enum class BadFiles : std::uint8_t {
    refuse,
    /// Reads of the file fail. RocksDB ignores damage of a log in this mode too, so the logs must have been checked
    /// before.
    leave,
  };
  /// Sets up all members that an opening needs. Errors: resource_limit if a thread cannot be started.
  [[nodiscard]] Status prepare(const std::filesystem::path& place, const StoreOptions& wanted);
  /// How much of the logs to replay, and how to treat tables.
  struct Recovery {
    rocksdb::WALRecoveryMode mode = rocksdb::WALRecoveryMode::kAbsoluteConsistency;
    BadFiles files = BadFiles::refuse;
    std::optional<LogEnd> end;  ///< nullopt: all records in order
  };
  /// Opens the database. May be called again after an error.
  [[nodiscard]] rocksdb::Status open(const Recovery& recovery);
  [[nodiscard]] rocksdb::Status open(const Recovery& recovery, const std::vector<Family>& families);
  void close();
  /// Finds the tables of derived families with a damaged end, before the opening. Errors: corruption, which names the
  /// table, if the table belongs to another family; read errors.
  [[nodiscard]] Result<std::vector<DamagedEnd>> find_damaged_ends() const;
  /// The id of the database; empty if it has none yet.
  [[nodiscard]] std::string database_id() const;
  /// Opens the store in the recovery mode that the logs permit, and adds warnings about dropped content.
  [[nodiscard]] Status open_as_promised(LogCheck& logs, std::vector<std::string>& warnings);
  /// The newest commit in the store; nullopt if it cannot be read.
  [[nodiscard]] std::optional<std::uint64_t> commit() const;
  /// The error of the first read that failed during the opening.
  [[nodiscard]] Status check_reads() const;
  /// begin_notes() for the store that was opened, if it is the promised one.
  [[nodiscard]] Status resume_notes(const LogPromise& promise);
  /// From now on records of the log contain the id of the database, and TAIL notes commits.
  [[nodiscard]] Status begin_notes(const std::string& database_id, std::uint64_t commit);
  /// Calls `call`, which writes the log. After an error the content of the log is unknown, so later calls return the
  /// same error without running `call`.
  template <class Call>
  [[nodiscard]] Status log(std::string_view what, const Call& call) {
    CAIRN_TRY(process.check());
    const std::lock_guard lock(log_mutex);
    return log_locked(what, call);
  }
  /// Calls `call`, a write that takes at most `bytes` in the log. If the disk is full, nothing is written, and a
  /// later write may succeed.
  template <class Call>
  [[nodiscard]] Status change(std::string_view what, std::uint64_t bytes, const Call& call) {
    CAIRN_TRY(process.check());
    const std::lock_guard lock(log_mutex);
    rocksdb::Status refusal;
    // Tries twice: RocksDB may have stopped before disk space was released.
    for (int i = 0; i < 2; ++i) {
      refusal = rocksdb::Status::OK();
      const Status done = log_locked(what, [&] { return try_change(bytes, call, refusal); });
      log_room->release();
      if (!done || refusal.ok()) return done;
    }
    return refused(refusal, what);
  }
  /// Makes RocksDB resume writing if it has stopped because of a full disk. Cost: flushes the write buffers if it had
  /// stopped and there is space. Errors: NoSpace.
  [[nodiscard]] rocksdb::Status resume();
  /// Flushes all families. Errors: NoSpace, also if only some families were flushed.
  [[nodiscard]] rocksdb::Status flush_all();
  /// scrub_tables() for one family. The family must be flushed.
  [[nodiscard]] Status scrub(Family family, const ScrubStep& step, ScrubbedTables& done);
  /// Makes the store refuse all writes from now on. Returns the error that it reports.
  [[nodiscard]] Error end_writes(Error why);
  /// Syncs the logs. Succeeds when the logs are on disk, even if the manifest has no space for the note about it.
  [[nodiscard]] rocksdb::Status sync_logs();

 private:
  /// Runs `call` and stores its error. The latch is checked too, because RocksDB does not learn of a failing log. The
  /// caller holds log_mutex.
  template <class Call>
  [[nodiscard]] Status log_locked(std::string_view what, const Call& call) {
    if (!log_failure) {
      rocksdb::Status status = log_latch->failure();
      if (status.ok()) status = unless_memory_ends(call);
      if (status.ok()) status = log_latch->failure();
      if (status.ok()) return {};
      log_failure = to_error(status, what);
    }
    return *log_failure;
  }
  /// Converts an exception for lack of memory to an error. Such an exception leaves RocksDB's queue of writers
  /// broken, so it also sets the latch: no write may follow.
  template <class Call>
  [[nodiscard]] rocksdb::Status unless_memory_ends(const Call& call) {
    return within_memory(call, [&] {
      const auto failed = rocksdb::IOStatus::IOError("the process has no more memory");
      log_latch->fail(failed);
      return rocksdb::Status(failed);
    });
  }
  /// Reserves space and runs `call`. If either was refused because the disk is full, and nothing was written, sets
  /// `refusal`.
  template <class Call>
  [[nodiscard]] rocksdb::Status try_change(std::uint64_t bytes, const Call& call,
                                           rocksdb::Status& refusal) {
    const std::uint64_t before = log_room->appended();
    if (refusal = make_room(bytes); !refusal.ok()) return rocksdb::Status::OK();
    rocksdb::Status status = call();
    if (!is_for_want_of_room(status) || log_room->appended() != before) return status;
    refusal = std::move(status);
    return rocksdb::Status::OK();
  }
  /// Checks that the disk has space for a flush. Errors: NoSpace.
  [[nodiscard]] rocksdb::Status try_room_for_flush();
  /// resume() for a caller that holds log_mutex.
  [[nodiscard]] rocksdb::Status resume_locked();
  /// Reserves space for `bytes` in the log, after resuming if necessary.
  [[nodiscard]] rocksdb::Status make_room(std::uint64_t bytes);
  /// True if the status means that the disk is full.
  [[nodiscard]] bool is_for_want_of_room(const rocksdb::Status& status) const;
  /// The error of a write that was refused because the disk is full.
  [[nodiscard]] static Error refused(const rocksdb::Status& status, std::string_view what);
};

struct StoreSnapshot::Impl {
  Process process;
  rocksdb::DB* database = nullptr;
  const rocksdb::Snapshot* snapshot = nullptr;
};

struct StoreBatch::Impl {
  const std::array<rocksdb::ColumnFamilyHandle*, family_count>* handles = nullptr;
  std::optional<std::uint64_t> commit;  // the commit number, if the batch is a commit
  rocksdb::WriteBatch batch{4'096};     // enough for a small commit without reallocation
};

/// Appends a merge to the changes of a commit record, in the format of RocksStore::apply().
void append_merge(std::string& changes, Family family, std::string_view key,
                  std::string_view operand);

[[nodiscard]] inline rocksdb::Slice slice(std::string_view bytes) {
  return {bytes.data(), bytes.size()};
}

}  // namespace cairn::engine
