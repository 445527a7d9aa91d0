#pragma once
// Database: the open handle, from which snapshots and transactions come.
//
//     CAIRN_ASSIGN(Database database, Database::open("memory.cairn"));
//     for (const std::string& warning : database.warnings()) std::cerr << warning << "\n";
//     CAIRN_ASSIGN(Transaction transaction, database.begin());
//     CAIRN_TRY(transaction.create_node({{"Person"}, {{"name", "Ada"}}}));
//     CAIRN_TRY(transaction.commit());
//     CAIRN_ASSIGN(const Snapshot snapshot, database.snapshot());
//     CAIRN_TRY(database.close());   // or leave it to the destructor, and do not hear of errors

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

/// One finding of an integrity check: what disagrees with what.
/// Each stands alone; the first ones of a damaged database are often the cause of the others.
struct Finding {
  std::string place;    ///< the record, index or file, for instance "node 42"
  std::string problem;  ///< what is wrong with it
};

/// What the store holds and costs.
///
/// Counts are of all namespaces, with records that are hidden (softly deleted or expired) and not
/// erased.
struct DatabaseStatistics {
  std::uint64_t nodes = 0;
  std::uint64_t relationships = 0;
  /// Properties that are vectors, of nodes and relationships, indexed or not.
  std::uint64_t vectors = 0;
  std::uint64_t commits = 0;  ///< the commit number of the newest commit
  /// Of all files in the directory, logs that the store will drop later among them.
  std::uint64_t disk_bytes = 0;
  std::uint64_t memory_bytes = 0;  ///< caches, write buffers and vector states now
  /// What this program writes; what it cannot read, open() refuses.
  std::uint32_t format_version = 0;
  std::string database_id;  ///< 32 hexadecimal digits
};

/// Which process holds the store, and who else uses it.
struct DatabaseRole {
  bool is_host = true;  ///< this process holds the store; else it is attached to the one that does
  std::int64_t host = 0;  ///< the process id of the one that holds it
  std::vector<std::int64_t> attached =
      {};  ///< process ids of those that use it through the host, ascending
};

struct BackupReport;  // backup.hpp
struct Metrics;       // metrics.hpp
struct ScrubOptions;  // scrub.hpp
struct ScrubReceipt;  // scrub.hpp

/// An open database: one directory, any number of threads, and any number of processes of one user (Options::share).
///
/// The first process that opens it is the host. Those that open it later are attached to it and have the same calls; each
/// costs a message and its answer, some 20 us. Statements there cannot call what the attached program registered: such
/// are unsupported, and the error names the host.
///
/// Lifetime: it must be closed, or destroyed, before main() returns. One among the static objects
/// would outlive what the store itself keeps in static objects.
///
/// Processes: a child that was forked while it was open can only close it and read older snapshots; all else gives
/// unsupported.
///
/// Threads: all calls but the moves and close(), which no other call may run beside.
/// Durability: see Durability. A commit for which the disk has no room changes nothing, and later ones go on.
/// After one whose log failed no further commit is taken until the database is opened again; reading goes on.
class CAIRN_EXPORT Database {
 public:
  /// Open the database in the directory `path`, and make it if it does not exist.
  ///
  /// A relative path is resolved by the working directory of this moment. A new database is made
  /// only in a directory that is empty or not there.
  /// Errors: busy (open twice in this process, or in another one where either does not share it; the message names the
  /// process id); not_found if it does not exist and may not be made; invalid_argument for a directory of other files and
  /// for a limit that the format cannot hold; format_too_new; conflict after a bulk load
  /// that did not end; corruption (a damaged file, named; Options::repair repairs a log); unsupported
  /// when read_only and an index has the layout of an older version, which one open for writing
  /// repairs; io_error; resource_limit where disk or memory is full. Beyond a quota or a limit of the size of files
  /// (RLIMIT_FSIZE) the disk counts as full; a program with such a limit ignores the signal SIGXFSZ, which would end it.
  /// Cost: milliseconds, plus the changes since the vector indexes were last saved.
  [[nodiscard]] static Result<Database> open(const std::filesystem::path& path,
                                             const Options& options = {});

  /// Moving into an open database closes that one first, as its destructor would.
  Database(Database&&) noexcept;
  Database& operator=(Database&&) noexcept;
  ~Database();  ///< closes; errors of closing are only seen through close()

  /// A stable view of everything committed so far.
  ///
  /// What is committed later is not in it; its vector indexes and text indexes are those of the
  /// same commit.
  /// Lifetime: keeps the database's store alive. Cost: microseconds. Threads: any.
  [[nodiscard]] Result<Snapshot> snapshot() const;

  /// Begin a transaction. A writing one waits for its turn: one writer at a time, first come first.
  ///
  /// Errors: busy after Options::writer_timeout, naming what holds the turn; unsupported when the
  /// database was opened read-only and the transaction is a writing one.
  /// An idle one keeps its turn, at least for Options::writer_idle_limit: begin late, commit soon.
  /// Threads: any. A second writing transaction of a thread that has one open is busy at once, as is a
  /// statement that writes without a transaction.
  [[nodiscard]] Result<Transaction> begin(TransactionMode mode = TransactionMode::write);

  /// Run `work` in a writing transaction and commit it; `work` runs again where the host ended meanwhile, and nothing of
  /// it was written. So it changes nothing but through its transaction, or does so again. It must not commit itself.
  ///
  ///     CAIRN_TRY(database.write([](Transaction& transaction) -> Status {
  ///       CAIRN_TRY(transaction.create_node({{"Person"}, {{"name", "Ada"}}}));
  ///       return {};
  ///     }));
  ///
  /// Errors: the one that `work` gives, after a rollback; as of begin() and Transaction::commit().
  [[nodiscard]] Status write(const std::function<Status(Transaction&)>& work);
  /// The same on a snapshot. Errors: the one that `work` gives; as of snapshot().
  [[nodiscard]] Status read(const std::function<Status(const Snapshot&)>& work) const;

  /// Save the vector indexes and flush the store, so that the next open has nothing to catch up.
  ///
  /// After it everything committed is on disk, whatever the durability. Nothing for a read-only
  /// database.
  /// Errors: io_error, resource_limit; what was committed stays so.
  /// Cost: builds the vector segments that are due, then writes them and what the store has in
  /// memory. Threads: any, one at a time; commits and reading go on.
  [[nodiscard]] Status checkpoint();

  /// Compare every index entry with its record and the reverse, adjacency both ways, vectors and
  /// counters. Empty where all agree. Cost: reads the whole database. Stops after `limit` findings.
  ///
  /// Checks the newest commit, texts too; commits go on beside it. It repairs nothing:
  /// Options::repair does.
  /// Errors: those of reading the store (io_error); what is damaged is a finding where it can be
  /// read past.
  [[nodiscard]] Result<std::vector<Finding>> check(std::size_t limit = 1'000) const;

  /// What the store holds and costs now.
  /// Cost: a look at every file of the directory. Threads: any.
  [[nodiscard]] Result<DatabaseStatistics> statistics() const;

  /// Write a backup of everything committed so far into `directory`; a second one into the same directory
  /// copies only what is new. Needs <cairn/backup.hpp>, which also verifies and restores.
  ///
  /// Files that never change are linked where the file system can, else copied; the rest is copied.
  /// Readers and writers go on.
  /// Errors: invalid_argument for a directory of other files or of another database, and for one inside of
  /// this database; not_found where the directory above it is missing; unsupported when read_only; conflict in
  /// mode bulk_load; busy while another process writes or reads the backup; io_error; resource_limit where the
  /// disk is full; cancelled once a stop of `cancel` is requested. The backup
  /// that was in the directory before stays good after any of them.
  /// Cost: a checkpoint, then what is copied. Threads: any, one at a time.
  [[nodiscard]] Result<BackupReport> backup(const std::filesystem::path& directory,
                                            const std::stop_token& cancel = {});

  /// Erase from the files what was erased or replaced before: values, index keys, words, vectors, names of properties that
  /// no record has. Needs <cairn/scrub.hpp>.
  ///
  /// Erasing a record takes it from every reader at once, but its bytes stay in tables and logs until these are rewritten.
  /// This rewrites the tables and vector segments that overlap what was erased, and begins a new log and a new manifest.
  /// Readers and writers go on; what they erase meanwhile is for the next scrub. Records that are hidden (softly deleted)
  /// are not erased and stay. The receipt comes only when it is done; after an error or a crash run it again.
  /// Backups keep what they have: the receipt names those made by this database.
  /// Errors: busy while an older snapshot or transaction is held for longer than ScrubOptions::wait_for_readers, naming its
  /// commit and age, or while a file that was replaced is still read; unsupported when read_only; conflict in mode
  /// bulk_load, and where a repair or power cut has set files aside, which it names; io_error; resource_limit; cancelled
  /// once a stop of `cancel` is requested.
  /// Cost: a commit; reading and writing the tables concerned; a vector index with an erased vector is built afresh.
  /// Threads: any, one at a time, and no backup meanwhile.
  [[nodiscard]] Result<ScrubReceipt> scrub(const ScrubOptions& options,
                                           const std::stop_token& cancel = {});
  [[nodiscard]] Result<ScrubReceipt> scrub();

  /// Whether this process is the host, and who is attached. Errors: those of asking the host. Cost: a message, where attached.
  [[nodiscard]] Result<DatabaseRole> role() const;

  /// Counters and histograms of latencies since this open. Needs <cairn/metrics.hpp>.
  /// Cost: microseconds. Threads: any.
  [[nodiscard]] Metrics metrics() const;

  /// Erase records whose expiry is past, of all namespaces, at most `limit` in one commit, and say how many.
  ///
  /// Nodes go with their relationships. Fewer than `limit` means that none is left.
  /// Errors: as of begin() and Transaction::commit().
  [[nodiscard]] Result<std::size_t> erase_expired(std::size_t limit = 1'000);

  /// Let statements call a function of the program. A name that was registered before gets the new body;
  /// statements that are parsed already keep theirs. Statement::parse() needs the database to know it.
  ///
  ///     CAIRN_TRY(database.register_function("app.half(number :: INTEGER) :: FLOAT",
  ///                                          [](std::span<const Value> arguments) -> Result<Value> {
  ///                                            return double(arguments[0].as_integer()) / 2;
  ///                                          }));
  ///
  /// Errors: invalid_argument for a signature that cannot be read, with the place in it (functions.hpp has the
  /// grammar), and without a body; already_exists for a name of the language. Threads: any.
  [[nodiscard]] Status register_function(std::string_view signature, FunctionBody body,
                                         const CallOptions& options = {});
  /// The same for a procedure, which CALL runs. Errors: as register_function().
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
  /// Take a function or a procedure back; whether there was one. Statements that are parsed already keep it.
  bool unregister_function(std::string_view name);
  bool unregister_procedure(std::string_view name);

  /// What opening had to repair, in sentences: a torn log with the bytes dropped, an index rebuilt.
  /// Lifetime: until close().
  [[nodiscard]] const std::vector<std::string>& warnings() const noexcept;

  /// Save, flush and release the directory. Open snapshots and transactions keep the store alive
  /// until they end. Calls on a closed database are broken preconditions, but for a second close.
  /// In mode bulk_load its success is what makes the load valid.
  /// Errors: as of checkpoint(). The directory can be opened again once the last snapshot and
  /// transaction have ended.
  [[nodiscard]] Status close();

  class Impl;

 private:
  friend struct Access;
  explicit Database(std::shared_ptr<Impl> impl);
  std::shared_ptr<Impl> impl_;  // owners: this handle and the snapshots and transactions it gave
};

/// A reference to an open database that does not keep it open, for code that works on it beside its owner. It finds
/// the database wherever its handle is moved to.
///
///     const DatabaseReference reference(database);
///     CAIRN_ASSIGN(const auto open, reference.lock());
///     CAIRN_ASSIGN(const Snapshot snapshot, open->snapshot());
///
/// Threads: any number at once.
class CAIRN_EXPORT DatabaseReference {
 public:
  explicit DatabaseReference(const Database& database);

  /// The database as long as the caller works with it. The end of what it gives does not close the database, and close()
  /// of its owner does not wait for it. Errors: conflict where it was closed.
  [[nodiscard]] Result<std::shared_ptr<Database>> lock() const;

 private:
  std::weak_ptr<Database::Impl> impl_;
};

}  // namespace cairn
