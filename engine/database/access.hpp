#pragma once
// Access: gives the query folder the implementation of a public handle.

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

namespace cairn::engine {
class Core;
class ExtensionPlace;
class FileRoot;
class Forwarding;
class Hosting;
class StatementObserver;
struct FilePlace;
class View;
class Writer;
}  // namespace cairn::engine

namespace cairn {

/// What reads or writes through a view, a writer or a core is of local handles alone: ask forwarding() first.
struct Access {
  /// The way to the host, of an attached handle; null of a local one.
  [[nodiscard]] static engine::Forwarding* forwarding(const Database& database) noexcept;
  [[nodiscard]] static engine::Forwarding* forwarding(const Snapshot& snapshot) noexcept;
  [[nodiscard]] static engine::Forwarding* forwarding(const Transaction& transaction) noexcept;

  /// Whether the host of the handle ended, so that what it stood for is to be run again.
  [[nodiscard]] static bool is_lost(const Snapshot& snapshot) noexcept;
  [[nodiscard]] static bool is_lost(const Transaction& transaction) noexcept;

  /// Open the store in this process. Errors: as of Database::open().
  [[nodiscard]] static Result<Database> open_local(const std::filesystem::path& path,
                                                   const Options& options);
  /// Serve other processes from now on; `hosting` ends with the database, which must be local.
  static void serve_by(Database& database, std::unique_ptr<engine::Hosting> hosting);
  /// The core of a local database.
  [[nodiscard]] static std::shared_ptr<engine::Core> core(const Database& database);
  /// The core behind an open local handle; valid while that is.
  [[nodiscard]] static engine::Core* core(const Snapshot& snapshot) noexcept;
  [[nodiscard]] static engine::Core* core(const Transaction& transaction) noexcept;
  /// A handle for calls that a running statement makes: it reads the statement's view, and writes into the statement's
  /// transaction. `writer` is null where the statement reads. All must outlive the handle and what it gives.
  [[nodiscard]] static Database join(engine::Core& core, const engine::View& view,
                                     engine::Writer* writer);

  /// A view of the snapshot; shares ownership of what it reads.
  [[nodiscard]] static std::shared_ptr<const engine::View> view(const Snapshot& snapshot);
  /// Whether a full-text index can be searched there: one that a transaction makes can be after its commit.
  [[nodiscard]] static bool can_search_text(const Snapshot& snapshot, std::uint32_t index) noexcept;
  /// The transaction's writer, or null for a reading transaction; valid while the transaction is.
  [[nodiscard]] static engine::Writer* writer(Transaction& transaction);
  /// For a statement, which may read for long between its changes: while what it returns lives, the
  /// turn is not taken away for idleness, and nothing else can be done with the transaction. It must not outlive the
  /// transaction. Errors: conflict, where that has ended or another statement runs in it.
  [[nodiscard]] static Result<std::shared_ptr<const void>> enter_statement(
      Transaction& transaction);
  /// Whether what changed since the last such look keeps to the constraints; commit() asks for the rest.
  /// Errors: as of engine::Writer::check_constraints(); those of asking the host.
  [[nodiscard]] static Status check_constraints(Transaction& transaction);
  /// Write a note into family `meta` with the commit of a local writing transaction.
  static void note_with_commit(Transaction& transaction, std::string key, std::string value);
  /// The transaction's view: of its writer, or of its snapshot.
  [[nodiscard]] static const engine::View& view(const Transaction& transaction);

  /// The observer of statements that end; valid while what the handle reads is.
  [[nodiscard]] static engine::StatementObserver* observer(const Snapshot& snapshot);
  [[nodiscard]] static engine::StatementObserver* observer(const Transaction& transaction);

  /// Where statements read and write files; valid while the handle is.
  [[nodiscard]] static const engine::FileRoot& files(const Snapshot& snapshot);
  [[nodiscard]] static const engine::FileRoot& files(const Transaction& transaction);
  /// Database::backup() into a place that was found already.
  [[nodiscard]] static Result<BackupReport> backup(Database& database,
                                                   const engine::FilePlace& place,
                                                   const std::stop_token& cancel);

  /// Where the query folder keeps the functions and procedures of the program; valid while the database is open.
  [[nodiscard]] static engine::ExtensionPlace& extension(const Database& database);

  /// What is behind a handle of a database, wherever that is moved; it expires when the database is closed.
  [[nodiscard]] static std::weak_ptr<Database::Impl> implementation(const Database& database);
  /// A second handle of a database. Its end does not close the database.
  [[nodiscard]] static std::shared_ptr<Database> share(std::shared_ptr<Database::Impl> impl);

  /// Handles around what is behind them.
  [[nodiscard]] static Database handle(std::shared_ptr<Database::Impl> impl);
  [[nodiscard]] static Rows handle(std::unique_ptr<Rows::Impl> impl);
  [[nodiscard]] static std::unique_ptr<Rows::Impl> take(Rows rows);
  [[nodiscard]] static Snapshot handle(std::shared_ptr<const Snapshot::Impl> impl);
  [[nodiscard]] static Transaction handle(std::unique_ptr<Transaction::Impl> impl);
};

}  // namespace cairn
