#pragma once
// Database: the open handle, from which snapshots and transactions come.

#include <cairn/export.hpp>
#include <cairn/options.hpp>
#include <cairn/result.hpp>
#include <cairn/snapshot.hpp>
#include <cairn/transaction.hpp>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace cairn {

/// One finding of an integrity check: what disagrees with what.
struct Finding {
  std::string place;    ///< the record, index or file, for instance "node 42"
  std::string problem;  ///< what is wrong with it
};

/// What the store holds and costs.
struct DatabaseStatistics {
  std::uint64_t nodes = 0;
  std::uint64_t relationships = 0;
  std::uint64_t vectors = 0;
  std::uint64_t commits = 0;  ///< the commit number of the newest commit
  std::uint64_t disk_bytes = 0;
  std::uint64_t memory_bytes = 0;  ///< caches, write buffers and vector states now
  std::uint32_t format_version = 0;
  std::string database_id;  ///< 32 hexadecimal digits
};

/// An open database: one directory, one process, any number of threads.
///
/// Lifetime: it must be closed, or destroyed, before main() returns. One among the static objects
/// would outlive what the store itself keeps in static objects.
class CAIRN_EXPORT Database {
 public:
  /// Open the database in the directory `path`, making it where there is none.
  ///
  /// Errors: busy (another process has it; the message names its process id), not_found,
  /// format_too_new, corruption (a damaged file, named), invalid_argument, io_error.
  /// Cost: milliseconds, plus the changes since the vector indexes were last saved.
  [[nodiscard]] static Result<Database> open(const std::filesystem::path& path,
                                             const Options& options = {});

  Database(Database&&) noexcept;
  Database& operator=(Database&&) noexcept;
  ~Database();  ///< closes; errors of closing are only seen through close()

  /// A stable view of everything committed so far.
  ///
  /// Lifetime: keeps the database's store alive. Cost: microseconds. Threads: any.
  [[nodiscard]] Result<Snapshot> snapshot() const;

  /// Begin a transaction. A writing one waits for its turn: one writer at a time, first come first.
  ///
  /// Errors: busy after Options::writer_timeout, naming what holds the turn; unsupported when the
  /// database was opened read-only and the transaction is a writing one.
  [[nodiscard]] Result<Transaction> begin(TransactionMode mode = TransactionMode::write);

  /// Save the vector indexes and flush the store, so that the next open has nothing to catch up.
  [[nodiscard]] Status checkpoint();

  /// Compare every index entry with its record and the reverse, adjacency both ways, vectors and
  /// counters. Empty where all agree. Cost: reads the whole database. Stops after `limit` findings.
  [[nodiscard]] Result<std::vector<Finding>> check(std::size_t limit = 1'000) const;

  [[nodiscard]] Result<DatabaseStatistics> statistics() const;

  /// What opening had to mend, in sentences: a torn log with the bytes dropped, an index made anew.
  /// Lifetime: until close().
  [[nodiscard]] const std::vector<std::string>& warnings() const noexcept;

  /// Save, flush and release the directory. Open snapshots and transactions keep the store alive
  /// until they end. Calls on a closed database are broken preconditions, but for a second close.
  [[nodiscard]] Status close();

  class Impl;

 private:
  friend struct Access;
  explicit Database(std::shared_ptr<Impl> impl);
  std::shared_ptr<Impl> impl_;  // owners: this handle and the snapshots and transactions it gave
};

}  // namespace cairn
