#pragma once
// Database: a handle of an open database, which provides snapshots and transactions.
//
//     CAIRN_ASSIGN(Database database, Database::open("memory.cairn"));
//     for (const std::string& warning : database.warnings()) std::cerr << warning << "\n";
//     CAIRN_ASSIGN(Transaction transaction, database.begin());
//     CAIRN_TRY(transaction.create_node({{"Person"}, {{"name", "Ada"}}}));
//     CAIRN_TRY(transaction.commit());
//     CAIRN_ASSIGN(const Snapshot snapshot, database.snapshot());
//     CAIRN_TRY(database.close());   // or let the destructor close it, which reports no errors

#include <cairn/functions.hpp>
#include <cairn/options.hpp>
#include <cairn/result.hpp>
#include <cairn/snapshot.hpp>
#include <cairn/transaction.hpp>
#include <cairn/visibility.hpp>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace cairn {

/// One finding of an integrity check: two things that disagree. In a damaged database the first
/// findings are often the cause of later ones.
struct Finding {
  std::string place;    ///< the record, index or file, for example "node 42"
  std::string problem;  ///< what is wrong with it
};

/// Size and memory use of a database.
///
/// Counts include all namespaces and hidden records (soft-deleted or expired), but no erased ones.
struct DatabaseStatistics {
  std::uint64_t nodes = 0;
  std::uint64_t relationships = 0;
  /// Vector properties of nodes and relationships, indexed or not.
  std::uint64_t vectors = 0;
  std::uint64_t commits = 0;  ///< the commit number of the newest commit
  /// Size of all files in the directory, including logs that will be deleted later.
  std::uint64_t disk_bytes = 0;
  std::uint64_t memory_bytes = 0;  ///< current size of caches, write buffers and vector indexes
  /// The format that this program writes. open() refuses formats that it cannot read.
  std::uint32_t format_version = 0;
  std::string database_id;  ///< 32 hexadecimal digits
};

/// Which process is the host of a database, and which processes are attached to it.
struct DatabaseRole {
  bool is_host = true;    ///< this process is the host; otherwise it is attached to the host
  std::int64_t host = 0;  ///< process id of the host
  std::vector<std::int64_t> attached = {};  ///< ids of the attached processes, ascending
};

struct BackupReport;  // backup.hpp
struct Metrics;       // metrics.hpp
struct ScrubOptions;  // scrub.hpp
struct ScrubReceipt;  // scrub.hpp

/// An open database: one directory, used by any number of threads, and by any number of processes
/// of one user (Options::share).
///
/// The first process that opens it is the host. Processes that open it later are attached to the
/// host. Attached processes have the same calls; each call costs a message and its answer, about 20
/// us. Statements of an attached process cannot call functions that this process registered: such
/// statements fail with unsupported, and the error names the host.
///
/// Lifetime: close or destroy it before main() returns. A static Database would outlive static
/// objects of the store.
///
/// Processes: a child process that was forked while the database was open can only close it and
/// read older snapshots; all other calls are unsupported.
///
/// Threads: any number of threads at once, except that no call may run during a move or close().
/// Durability: see Durability. A commit that fails because the disk is full changes nothing, and
/// later commits may succeed. After a commit whose log write failed, no commit is accepted until
/// the database is opened again; reads continue to work.
class CAIRN_EXPORT Database {
 public:
  /// Opens the database in the directory `path`, and creates it if it does not exist.
  ///
  /// A relative path is resolved by the current working directory. A new database is only created
  /// in a directory that is empty or does not exist. Errors: busy if the database is open in this
  /// process already, or in another process and one of the two does not share it (the message has
  /// the process id); not_found if the database does not exist and may not be created;
  /// invalid_argument for a directory with other files and for a limit that the format does not
  /// support; format_too_new; conflict after a bulk load that did not finish; corruption, naming
  /// the damaged file (Options::repair repairs a log); unsupported if read_only is set and an index
  /// has an older layout (opening for writing rebuilds it); io_error; resource_limit if disk or
  /// memory is full. The disk also counts as full at a quota or a limit on file sizes
  /// (RLIMIT_FSIZE). A program with such a limit must ignore the signal SIGXFSZ, which would end
  /// it. Cost: milliseconds, plus the changes since the vector indexes were last saved.
  [[nodiscard]] static Result<Database> open(const std::filesystem::path& path,
                                             const Options& options = {});

  /// Moving into an open database closes that database first, as its destructor would.
  Database(Database&&) noexcept;
  Database& operator=(Database&&) noexcept;
  ~Database();  ///< closes the database; call close() to see errors

  /// Returns a stable view of everything committed so far.
  ///
  /// Later commits are not visible in it. Vector indexes and text indexes are of the same commit.
  /// Lifetime: keeps the database's store alive. Cost: microseconds. Threads: any.
  [[nodiscard]] Result<Snapshot> snapshot() const;

  /// Begins a transaction. A writing transaction waits for the writer lock, which is granted in
  /// order of arrival.
  ///
  /// Errors: busy after Options::writer_timeout, naming the holder of the writer lock; unsupported
  /// for a writing transaction if the database is open read-only. An idle transaction keeps the
  /// lock for at least Options::writer_idle_limit, so begin late and commit soon. Threads: any. If
  /// a thread has a writing transaction open, a second one fails with busy immediately, and so does
  /// a writing statement outside of the transaction.
  [[nodiscard]] Result<Transaction> begin(TransactionMode mode = TransactionMode::write);

  /// Runs `work` in a writing transaction and commits it. If the host ends before anything is
  /// written, `work` runs again, but not after a commit that may have been made. So `work` must
  /// tolerate repetition, or have effects only through its transaction. It must not commit the
  /// transaction.
  ///
  ///     CAIRN_TRY(database.write([](Transaction& transaction) -> Status {
  ///       CAIRN_TRY(transaction.create_node({{"Person"}, {{"name", "Ada"}}}));
  ///       return {};
  ///     }));
  ///
  /// Errors: that of `work`, after a rollback; those of begin() and Transaction::commit(); conflict if
  /// eight hosts ended during the work, which may itself be the reason.
  [[nodiscard]] Status write(const std::function<Status(Transaction&)>& work);
  /// Runs `work` on a snapshot. If the host ends meanwhile, `work` runs again on a new snapshot, so
  /// it must tolerate repetition. Errors: that of `work`; those of snapshot(); conflict if eight
  /// hosts ended during the work.
  [[nodiscard]] Status read(const std::function<Status(const Snapshot&)>& work) const;

  /// Saves the vector indexes and flushes the store, so that the next open has nothing to catch up.
  ///
  /// Afterwards everything committed is on disk, whatever the durability. Does nothing for a
  /// read-only database. Errors: io_error, resource_limit; commits are not lost by a failure. Cost:
  /// builds the vector segments that are due, then writes them and the store's write buffers.
  /// Threads: any, one at a time; commits and reads continue meanwhile.
  [[nodiscard]] Status checkpoint();

  /// Compares index entries with records, adjacency in both directions, vectors and counters. The
  /// result is empty if all agree. Stops after `limit` findings. Cost: reads the whole database.
  ///
  /// Checks the newest commit, including text indexes; commits continue meanwhile. The check
  /// repairs nothing; Options::repair does. Errors: io_error of the store. Damage is a finding if
  /// the check can continue after it.
  [[nodiscard]] Result<std::vector<Finding>> check(std::size_t limit = 1'000) const;

  /// Returns the current size and memory use.
  /// Cost: checks the size of every file in the directory. Threads: any.
  [[nodiscard]] Result<DatabaseStatistics> statistics() const;

  /// Writes a backup of everything committed so far into `directory`. A later backup into the same
  /// directory only copies what is new. Needs <cairn/backup.hpp>, which also verifies and restores
  /// backups.
  ///
  /// Immutable files are hard-linked if the file system supports it; other files are copied.
  /// Readers and writers continue. Errors: invalid_argument for a directory that has other files,
  /// has a backup of another database, or is inside this database; not_found if the parent
  /// directory does not exist; unsupported if read_only; conflict in mode bulk_load, and if the
  /// directory has a backup of a later commit; busy while another process writes or reads the
  /// backup; io_error; resource_limit if the disk is full; cancelled once a stop of `cancel` is
  /// requested. After any error the previous backup in the directory remains valid. Cost: a
  /// checkpoint, then the copies. Threads: any, one at a time.
  [[nodiscard]] Result<BackupReport> backup(const std::filesystem::path& directory,
                                            const std::stop_token& cancel = {});

  /// Removes erased and replaced data from the files: values, index keys, words, vectors, and
  /// property names that no record has. Needs <cairn/scrub.hpp>.
  ///
  /// Readers no longer see an erased record, but its bytes stay in tables and logs until these are
  /// rewritten. This call rewrites the tables and vector segments with erased data, and begins a
  /// new log and a new manifest. Readers and writers continue; what they erase meanwhile is left
  /// for the next scrub. Hidden (soft-deleted) records are not erased and stay. Only success
  /// returns a receipt; after an error or a crash, run the scrub again. Backups are not changed;
  /// the receipt lists the backups that this database made. Errors: busy if an older snapshot or
  /// transaction is open for longer than ScrubOptions::wait_for_readers (with its commit and age),
  /// or if a replaced file is still being read; unsupported if read_only; conflict in mode
  /// bulk_load, and if a repair or power loss has set files aside, which it names; io_error;
  /// resource_limit; cancelled once a stop of `cancel` is requested. Cost: one commit; reading and
  /// writing the affected tables; a vector index with an erased vector is rebuilt. Threads: any,
  /// one at a time, and not during a backup.
  [[nodiscard]] Result<ScrubReceipt> scrub(const ScrubOptions& options,
                                           const std::stop_token& cancel = {});
  [[nodiscard]] Result<ScrubReceipt> scrub();

  /// Returns whether this process is the host, and which processes are attached. Errors: those of a
  /// request to the host. Cost: a message, if attached.
  [[nodiscard]] Result<DatabaseRole> role() const;

  /// Returns counters and latency histograms since this open. Needs <cairn/metrics.hpp>.
  /// Cost: microseconds. Threads: any.
  [[nodiscard]] Metrics metrics() const;

  /// Erases records whose expiry is past, in all namespaces, at most `limit` in one commit; returns
  /// their number.
  ///
  /// Relationships of erased nodes are erased too. If the result is less than `limit`, no expired
  /// record is left. Errors: those of begin() and Transaction::commit().
  [[nodiscard]] Result<std::size_t> erase_expired(std::size_t limit = 1'000);

  /// Makes a C++ function available to statements. Registering a name again replaces the function,
  /// but statements that are already parsed keep the earlier one. Statement::parse() finds the
  /// function only if the database is passed to it.
  ///
  ///     CAIRN_TRY(database.register_function("app.half(number :: INTEGER) :: FLOAT",
  ///                                          [](std::span<const Value> arguments) -> Result<Value> {
  ///                                            return double(arguments[0].as_integer()) / 2;
  ///                                          }));
  ///
  /// Errors: invalid_argument for an invalid signature, with the position of the mistake
  /// (functions.hpp has the grammar), and for an empty body; already_exists for a name of the
  /// language. Threads: any.
  [[nodiscard]] Status register_function(std::string_view signature, FunctionBody body,
                                         const CallOptions& options = {});
  /// Makes a C++ procedure available to CALL. Errors: those of register_function().
  ///
  ///     CAIRN_TRY(database.register_procedure(
  ///         "app.digits(number :: INTEGER) :: (digit :: INTEGER)",
  ///         [](std::span<const Value> arguments, ProcedureRows& rows) -> Status {
  ///           for (std::int64_t rest = arguments[0].as_integer(); rest > 0; rest /= 10)
  ///             CAIRN_TRY(rows.add({rest % 10}));
  ///           return {};
  ///         }));
  [[nodiscard]] Status register_procedure(std::string_view signature, ProcedureBody body,
                                          const CallOptions& options = {});
  /// Removes a function or procedure; returns whether it was registered. Statements that are
  /// already parsed keep it.
  bool unregister_function(std::string_view name);
  bool unregister_procedure(std::string_view name);

  /// What was repaired at open, in sentences: a torn log with the number of dropped bytes, a
  /// rebuilt index. Lifetime: until close().
  [[nodiscard]] const std::vector<std::string>& warnings() const noexcept;

  /// Saves, flushes and releases the directory. Open snapshots and transactions keep the store
  /// alive until they end. Other calls on a closed database are precondition violations, except a
  /// second close(). In mode bulk_load, the load is only valid if close() succeeds. Errors: those
  /// of checkpoint(). The directory can be opened again after the last snapshot and transaction
  /// have ended.
  [[nodiscard]] Status close();

  class Impl;

 private:
  friend struct Access;
  explicit Database(std::shared_ptr<Impl> impl);
  std::shared_ptr<Impl> impl_;  // owners: this handle and its snapshots and transactions
};

/// A weak reference to an open database, for code that uses it besides its owner. The reference
/// stays valid if the handle is moved.
///
///     const DatabaseReference reference(database);
///     CAIRN_ASSIGN(const auto open, reference.lock());
///     CAIRN_ASSIGN(const Snapshot snapshot, open->snapshot());
///
/// Threads: any number at once.
class CAIRN_EXPORT DatabaseReference {
 public:
  explicit DatabaseReference(const Database& database);

  /// Returns the database for use by the caller. Destroying the result does not close the database,
  /// and the owner's close() does not wait for it. Errors: conflict if the database was closed.
  [[nodiscard]] Result<std::shared_ptr<Database>> lock() const;

 private:
  std::weak_ptr<Database::Impl> impl_;
};

}  // namespace cairn
