#pragma once
// The implementation of RocksStore. Private to this folder.

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

/// A table whose end, which says how to read the rest, is damaged.
struct DamagedEnd {
  Family family;
  std::string name;
  std::string problem;
};

/// Ends the names of files that are no part of the store yet.
inline constexpr std::string_view unfinished_suffix = ".unfinished";

/// Notes acknowledged commits. A note that cannot be written is left out: the one before it is a lower bound too.
/// Threads: all calls from any, but for begin().
class TailNote {
 public:
  /// Write the file again, durably: a note of an earlier writer must not come back by a power cut.
  [[nodiscard]] Status begin(const std::filesystem::path& file, codec::TailFile first);
  [[nodiscard]] bool has_begun() const noexcept { return file_.is_open(); }
  /// `commit` is acknowledged from now on. Nothing before begin(). Cost: a microsecond.
  void note(std::uint64_t commit);
  /// What was noted so far.
  [[nodiscard]] std::uint64_t commit() const;
  /// Everything up to `commit` needs no log any longer. Nothing where later ones were noted meanwhile.
  void note_in_files(std::uint64_t commit);

 private:
  void write() const;

  FileDescriptor file_;
  mutable std::mutex mutex_;  // guards what follows
  codec::TailFile tail_;
};

/// Members are destroyed from the last to the first: handles, database, memory, environment. The
/// environment must outlive the database.
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
  std::unique_ptr<rocksdb::WalFilter> log_filter;  // which records are taken: RocksDB keeps it
  bool leaves_tables = false;  // damaged ones, while the store is opened to clear their families
  bool is_new = false;         // nobody has given the database its name yet
  std::mutex log_mutex;        // guards log_failure and every append to the log
  std::optional<Error> log_failure;
  std::uint64_t log_database = 0;  // what records of the log say of the database; 0: not known
  std::atomic<std::uint64_t> logged = 0;  // the newest commit in the log
  TailNote tail;
  std::atomic<std::uint64_t> sorted_files = 0;  // that were begun
  std::mutex
      ship_mutex;  // held while changes are shipped and written, so that both have one order; before log_mutex
  ShipChanges ship;         // empty without a home
  std::mutex gather_mutex;  // guards gathers, and that options are set in their order; taken alone
  std::array<bool, family_count> gathers{};  // as SortedFile::let_gather() has set it

  ~Impl();
  [[nodiscard]] rocksdb::ColumnFamilyHandle* handle(Family family) const {
    return handles[position(family)];
  }
  /// What to do about a table file that is missing or cannot be opened.
  enum class BadFiles : std::uint8_t {
    refuse,
    leave,  ///< reads of it fail. Damage of a log is passed over so: it must have been looked for.
  };
  /// Errors: resource_limit, where a thread cannot be had.
  [[nodiscard]] Status prepare(const std::filesystem::path& place, const StoreOptions& wanted);
  /// How much of the logs to take, and of the tables.
  struct Recovery {
    rocksdb::WALRecoveryMode mode = rocksdb::WALRecoveryMode::kAbsoluteConsistency;
    BadFiles files = BadFiles::refuse;
    std::optional<LogEnd> end;  ///< empty: all records that are in order
  };
  /// May be called again after it failed.
  [[nodiscard]] rocksdb::Status open(const Recovery& recovery);
  [[nodiscard]] rocksdb::Status open(const Recovery& recovery, const std::vector<Family>& families);
  void close();
  /// Before the opening: the tables of derived families with a damaged end.
  /// Errors: corruption, with the table, where one is of no derived family; errors of reading.
  [[nodiscard]] Result<std::vector<DamagedEnd>> find_damaged_ends() const;
  /// Of which database the store is; empty where that is not known yet.
  [[nodiscard]] std::string database_id() const;
  /// Open with the way of recovery that the logs allow, and warn of what that drops.
  [[nodiscard]] Status open_as_promised(LogCheck& logs, std::vector<std::string>& warnings);
  /// The newest commit that the store has; empty where it tells none.
  [[nodiscard]] std::optional<std::uint64_t> commit() const;
  /// The error of the first read that failed while the store was opened.
  [[nodiscard]] Status check_reads() const;
  /// begin_notes() of the store that was found.
  [[nodiscard]] Status resume_notes(const LogPromise& promise);
  /// Records of the log say from now on of which database they are, and TAIL notes commits.
  [[nodiscard]] Status begin_notes(const std::string& database_id, std::uint64_t commit);
  /// Do something with the log, unless that failed before. After an error nothing is done with it any more: what
  /// it has is not known.
  template <class Call>
  [[nodiscard]] Status log(std::string_view what, const Call& call) {
    CAIRN_TRY(process.check());
    const std::lock_guard lock(log_mutex);
    return log_locked(what, call);
  }
  /// Likewise with a write of which the log takes so many bytes at most. Where the disk has no room nothing is
  /// written, and the next write may find some.
  template <class Call>
  [[nodiscard]] Status change(std::string_view what, std::uint64_t bytes, const Call& call) {
    CAIRN_TRY(process.check());
    const std::lock_guard lock(log_mutex);
    rocksdb::Status refusal;
    // A second time, as what stopped RocksDB may have begun before there was room.
    for (int i = 0; i < 2; ++i) {
      refusal = rocksdb::Status::OK();
      const Status done = log_locked(what, [&] { return try_change(bytes, call, refusal); });
      log_room->release();
      if (!done || refusal.ok()) return done;
    }
    return refused(refusal, what);
  }
  /// Let RocksDB write again that stopped for want of room. Cost: flushes what is in memory, where it had stopped and
  /// there is room for that. Errors: NoSpace.
  [[nodiscard]] rocksdb::Status resume();
  /// Errors: NoSpace, also where a family was left in memory for want of it.
  [[nodiscard]] rocksdb::Status flush_all();
  /// scrub_tables() of one family, which is flushed.
  [[nodiscard]] Status scrub(Family family, const ScrubStep& step, ScrubbedTables& done);
  /// Nothing is written after this.
  [[nodiscard]] Error end_writes(Error why);
  /// FlushWAL(), where it is done when the logs are on the disk: what the manifest says of them may wait for room.
  [[nodiscard]] rocksdb::Status sync_logs();

 private:
  /// RocksDB does not know that a log fails: the latch does.
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
  /// An exception within RocksDB leaves its queue of writers broken: no write may follow it.
  template <class Call>
  [[nodiscard]] rocksdb::Status unless_memory_ends(const Call& call) {
    return within_memory(call, [&] {
      const auto failed = rocksdb::IOStatus::IOError("the process has no more memory");
      log_latch->fail(failed);
      return rocksdb::Status(failed);
    });
  }
  /// What was refused for want of room, and nothing of it was written, goes to `refusal`.
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
  /// Room for what is in memory. Errors: NoSpace.
  [[nodiscard]] rocksdb::Status try_room_for_flush();
  [[nodiscard]] rocksdb::Status resume_locked();
  [[nodiscard]] rocksdb::Status make_room(std::uint64_t bytes);
  [[nodiscard]] bool is_for_want_of_room(const rocksdb::Status& status) const;
  [[nodiscard]] static Error refused(const rocksdb::Status& status, std::string_view what);
};

struct StoreSnapshot::Impl {
  Process process;
  rocksdb::DB* database = nullptr;
  const rocksdb::Snapshot* snapshot = nullptr;
};

struct StoreBatch::Impl {
  const std::array<rocksdb::ColumnFamilyHandle*, family_count>* handles = nullptr;
  std::optional<std::uint64_t> commit;  // where the batch is one
  rocksdb::WriteBatch batch{4'096};     // bytes of a small commit, which need not grow
};

/// Appends a merge to the changes of a commit record, in the form that apply() reads.
void append_merge(std::string& changes, Family family, std::string_view key,
                  std::string_view operand);

[[nodiscard]] inline rocksdb::Slice slice(std::string_view bytes) {
  return {bytes.data(), bytes.size()};
}

}  // namespace cairn::engine
