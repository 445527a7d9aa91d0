#pragma once
// Access: the one way from a public handle to what is behind it, for the query room.

#include <cairn/database.hpp>
#include <cairn/snapshot.hpp>
#include <cairn/transaction.hpp>

#include <memory>
#include <optional>

namespace cairn::engine {
class ExtensionPlace;
class FileRoot;
class StatementObserver;
struct FilePlace;
class View;
class Writer;
}  // namespace cairn::engine

namespace cairn {

struct Access {
  /// A view of the snapshot; shares ownership of what it reads.
  [[nodiscard]] static std::shared_ptr<const engine::View> view(const Snapshot& snapshot);
  /// The same view with the softly deleted entities in it.
  [[nodiscard]] static std::shared_ptr<const engine::View> view_with_deleted(
      const Snapshot& snapshot);
  /// The transaction's writer, or null for a reading transaction; valid while the transaction is.
  [[nodiscard]] static engine::Writer* writer(Transaction& transaction);
  /// For a statement, which may read for long between its changes: while what it returns lives, the
  /// turn is not taken away for idleness, and nothing else can be done with the transaction. It must not outlive the
  /// transaction. Errors: conflict, where that has ended or another statement runs in it.
  [[nodiscard]] static Result<std::shared_ptr<const void>> enter_statement(
      Transaction& transaction);
  /// A writing transaction, where the turn is free at once.
  [[nodiscard]] static std::optional<Transaction> begin_if_free(Database& database);
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
                                                   const engine::FilePlace& place);

  /// Where the query room keeps the functions and procedures of the program; valid while the database is open.
  [[nodiscard]] static engine::ExtensionPlace& extension(const Database& database);

  /// What is behind a handle of a database, wherever that is moved; it expires when the database is closed.
  [[nodiscard]] static std::weak_ptr<Database::Impl> implementation(const Database& database);
  /// A second handle of a database. Its end does not close the database.
  [[nodiscard]] static std::shared_ptr<Database> share(std::shared_ptr<Database::Impl> impl);

  /// Handles around what is behind them, for Database.
  [[nodiscard]] static Snapshot handle(std::shared_ptr<const Snapshot::Impl> impl);
  [[nodiscard]] static Transaction handle(std::unique_ptr<Transaction::Impl> impl);
};

}  // namespace cairn
