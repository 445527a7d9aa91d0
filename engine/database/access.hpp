#pragma once
// Access: the only way from a public handle to its implementation. The query folder uses it to add functions to the public
// API.

#include <cairn/database.hpp>
#include <cairn/snapshot.hpp>
#include <cairn/statement.hpp>
#include <cairn/transaction.hpp>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace cairn::engine {
class Core;
class ExtensionPlace;
class FileRoot;
class Forwarding;
class GraphView;
class Hosting;
class StatementObserver;
class TransactionWriter;
class View;
class Writer;
struct FilePlace;
}  // namespace cairn::engine

namespace cairn {

/// Views, writers and cores exist only for local handles, whose database is open in this process. A handle may be attached
/// instead: then another process has the database open, and calls are forwarded to it. So check forwarding() first.
struct Access {
  /// Returns the connection of an attached handle to the host process; nullptr for a local handle.
  [[nodiscard]] static engine::Forwarding* forwarding(const Database& database) noexcept;
  [[nodiscard]] static engine::Forwarding* forwarding(const Snapshot& snapshot) noexcept;
  [[nodiscard]] static engine::Forwarding* forwarding(const Transaction& transaction) noexcept;

  /// True if the host process of the handle ended, so that the caller must repeat its work with a new handle.
  [[nodiscard]] static bool is_lost(const Snapshot& snapshot) noexcept;
  [[nodiscard]] static bool is_lost(const Transaction& transaction) noexcept;

  /// Opens a database in this process. Errors: as Database::open().
  [[nodiscard]] static Result<Database> open_local(const std::filesystem::path& path,
                                                   const Options& options);
  /// Gives a local database the server for attached processes. `hosting` is closed with the database.
  static void serve_by(Database& database, std::unique_ptr<engine::Hosting> hosting);
  /// Returns the core of a local database.
  [[nodiscard]] static std::shared_ptr<engine::Core> core(const Database& database);
  /// Returns the core of an open local handle. It is valid as long as the handle.
  [[nodiscard]] static engine::Core* core(const Snapshot& snapshot) noexcept;
  [[nodiscard]] static engine::Core* core(const Transaction& transaction) noexcept;
  /// Returns a database handle for calls that a running statement makes. The handle reads the view of the statement and
  /// writes into its transaction. `writer` is nullptr if the statement only reads. All arguments must outlive the handle and
  /// everything obtained from it.
  [[nodiscard]] static Database join(engine::Core& core, const engine::View& view,
                                     engine::Writer* writer);

  /// True for a handle of join(), whose transactions are parts of another one.
  [[nodiscard]] static bool is_joined(const Database& database) noexcept;

  /// Returns the view of a snapshot, and shared ownership of what it reads.
  [[nodiscard]] static std::shared_ptr<const engine::View> view(const Snapshot& snapshot);
  /// The same for code of the engine, which also reads stored bytes and hidden records.
  [[nodiscard]] static std::shared_ptr<const engine::GraphView> graph_view(
      const Snapshot& snapshot);
  [[nodiscard]] static const engine::GraphView& graph_view(const Transaction& transaction);
  /// True if a full-text index can be searched in the snapshot. False if the index is not committed yet.
  [[nodiscard]] static bool can_search_text(const Snapshot& snapshot, std::uint32_t index) noexcept;
  /// Returns the writer of a transaction; nullptr for a reading transaction. It is valid as long as the transaction.
  [[nodiscard]] static engine::Writer* writer(Transaction& transaction);
  /// The same for code of the engine.
  [[nodiscard]] static engine::TransactionWriter* transaction_writer(Transaction& transaction);
  /// Reserves a transaction for a statement, as long as the returned object lives. Meanwhile the transaction does not lose
  /// the writer lock for idleness, as a statement may read for long between changes, and other calls of the transaction
  /// fail. The object must not outlive the transaction. Errors: conflict if the transaction has ended or another statement
  /// runs in it.
  [[nodiscard]] static Result<std::shared_ptr<const void>> enter_statement(
      Transaction& transaction);
  /// Checks the constraints for all records that changed since the last check. commit() does this too.
  /// Errors: as engine::Writer::check_constraints(); those of calling the host.
  [[nodiscard]] static Status check_constraints(Transaction& transaction);
  /// Adds a note in family `meta` to the commit of a local writing transaction.
  static void note_with_commit(Transaction& transaction, std::string key, std::string value);
  /// Returns the view of a transaction.
  [[nodiscard]] static const engine::View& view(const Transaction& transaction);

  /// Returns the observer to which finished statements are reported. It is valid as long as the database is open.
  [[nodiscard]] static engine::StatementObserver* observer(const Snapshot& snapshot);
  [[nodiscard]] static engine::StatementObserver* observer(const Transaction& transaction);

  /// Returns the directory in which statements may read and write files. It is valid as long as the handle.
  [[nodiscard]] static const engine::FileRoot& files(const Snapshot& snapshot);
  [[nodiscard]] static const engine::FileRoot& files(const Transaction& transaction);
  /// Like Database::backup(), into a place whose path was resolved already.
  [[nodiscard]] static Result<BackupReport> backup(Database& database,
                                                   const engine::FilePlace& place,
                                                   const std::stop_token& cancel);

  /// Returns the place where the query folder stores the functions and procedures that the program registered. It is valid
  /// as long as the database is open.
  [[nodiscard]] static engine::ExtensionPlace& extension(const Database& database);

  /// As Database::begin(). `cancel` ends the wait for the writer lock if the lock is in this process; the error is then
  /// cancelled.
  [[nodiscard]] static Result<Transaction> begin_writing(
      Database& database, const std::stop_token& cancel,
      TransactionMode mode = TransactionMode::write);

  /// Returns the implementation of a database handle. It expires when the database is closed, even if the handle was moved.
  [[nodiscard]] static std::weak_ptr<Database::Impl> implementation(const Database& database);
  /// Returns another handle of a database. Destroying it does not close the database.
  [[nodiscard]] static std::shared_ptr<Database> share(std::shared_ptr<Database::Impl> impl);

  /// Returns all rows if they were made in advance and none was read; otherwise nullptr.
  [[nodiscard]] static const std::vector<List>* made(const Rows& rows) noexcept;

  // Make a public handle from its implementation, or take the implementation out of a handle.

  [[nodiscard]] static Database handle(std::shared_ptr<Database::Impl> impl);
  [[nodiscard]] static Rows handle(std::unique_ptr<Rows::Impl> impl);
  [[nodiscard]] static std::unique_ptr<Rows::Impl> take(Rows rows);
  [[nodiscard]] static Snapshot handle(std::shared_ptr<const Snapshot::Impl> impl);
  [[nodiscard]] static Transaction handle(std::unique_ptr<Transaction::Impl> impl);
};

}  // namespace cairn
