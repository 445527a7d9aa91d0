#pragma once
// The implementation classes of the public handles. Each has two subclasses: a local one, for a database that this process
// has open (local_handles.hpp), and an attached one, which sends messages to the process that has the database open
// (query/attach).
//
// Functions without a comment do what the public headers say about the functions of the same name.
//
// Free functions of the public API, such as search_vectors() and recall(), use `view()` and `core()` of a local handle. For
// an attached handle both are nullptr, and the functions call `forwarding()`.

#include "codec/entity_kind.hpp"
#include "engine/database/extension.hpp"

#include <cairn/backup.hpp>
#include <cairn/database.hpp>
#include <cairn/metrics.hpp>
#include <cairn/scrub.hpp>
#include <cairn/snapshot.hpp>
#include <cairn/statement.hpp>
#include <cairn/transaction.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cairn {
class Embedder;
namespace engine {
class Core;
class Forwarding;
class GraphView;
class TransactionWriter;

/// Serves the processes that are attached to a local database. It is closed before the store.
class Hosting {
 public:
  virtual ~Hosting() = default;
  /// Returns the process ids of the attached processes.
  [[nodiscard]] virtual std::vector<std::int64_t> attached() const = 0;
  virtual void close() = 0;
};
}  // namespace engine

/// Threads: as Database.
class Database::Impl {
 public:
  Impl() = default;
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;
  virtual ~Impl() = default;

  [[nodiscard]] virtual Result<Snapshot> snapshot() = 0;
  /// `cancel` ends the wait for the writer lock if the lock is in this process.
  [[nodiscard]] virtual Result<Transaction> begin(TransactionMode mode,
                                                  const std::stop_token& cancel) = 0;
  [[nodiscard]] virtual Status checkpoint() = 0;
  [[nodiscard]] virtual Result<std::vector<Finding>> check(std::size_t limit) = 0;
  [[nodiscard]] virtual Result<DatabaseStatistics> statistics() = 0;
  [[nodiscard]] virtual Result<std::size_t> erase_expired(std::size_t limit) = 0;
  [[nodiscard]] virtual Result<BackupReport> backup(const std::filesystem::path& directory,
                                                    const std::stop_token& cancel) = 0;
  [[nodiscard]] virtual Result<ScrubReceipt> scrub(const ScrubOptions& options,
                                                   const std::stop_token& cancel) = 0;
  [[nodiscard]] virtual Result<DatabaseRole> role() = 0;
  [[nodiscard]] virtual Metrics metrics() = 0;
  [[nodiscard]] virtual const std::vector<std::string>& warnings() const noexcept = 0;
  [[nodiscard]] virtual Status close() = 0;

  /// nullptr if attached.
  [[nodiscard]] virtual std::shared_ptr<engine::Core> core() const { return nullptr; }
  /// nullptr if local.
  [[nodiscard]] virtual engine::Forwarding* forwarding() noexcept { return nullptr; }
  /// Keeps the embedder of an attached process for the time when it becomes the host. Returns false if it is not attached.
  virtual bool keep_embedder(std::shared_ptr<const Embedder> /*embedder*/, std::string /*spec*/) {
    return false;
  }

  engine::ExtensionPlace extension;  ///< functions and procedures that the program registered
};

/// Threads: any.
class Snapshot::Impl {
 public:
  Impl() = default;
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;
  virtual ~Impl() = default;

  [[nodiscard]] virtual std::uint64_t commit_number() const noexcept = 0;
  [[nodiscard]] virtual Result<std::optional<Node>> find_node(NodeId node) const = 0;
  [[nodiscard]] virtual Result<std::optional<Node>> find_node(
      std::string_view external_id) const = 0;
  [[nodiscard]] virtual Result<std::optional<Relationship>> find_relationship(
      RelationshipId id) const = 0;
  [[nodiscard]] virtual Result<std::vector<IndexDescription>> indexes() const = 0;
  [[nodiscard]] virtual Result<std::vector<NameCount>> labels() const = 0;
  [[nodiscard]] virtual Result<std::vector<NameCount>> relationship_types() const = 0;
  [[nodiscard]] virtual Result<std::vector<NameCount>> properties() const = 0;
  /// Returns a snapshot that includes softly deleted records.
  [[nodiscard]] virtual std::shared_ptr<const Impl> with_deleted() const = 0;
  /// True if the host process ended, so that the handle cannot be used any more.
  [[nodiscard]] virtual bool is_lost() const noexcept { return false; }

  [[nodiscard]] virtual engine::Core* core() const noexcept { return nullptr; }
  [[nodiscard]] virtual const engine::GraphView* view() const noexcept { return nullptr; }
  [[nodiscard]] virtual engine::Forwarding* forwarding() const noexcept { return nullptr; }
};

/// Threads: one at a time.
class Transaction::Impl {
 public:
  Impl() = default;
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;
  virtual ~Impl() = default;

  [[nodiscard]] virtual Result<NodeId> create_node(const NewNode& node) = 0;
  [[nodiscard]] virtual Result<PutNode> put_node(const NewNode& node) = 0;
  [[nodiscard]] virtual Result<RelationshipId> create_relationship(
      const NewRelationship& relationship) = 0;
  // `id` is of a node or of a relationship, as `kind` says.

  [[nodiscard]] virtual Status set_property(codec::EntityKind kind, std::uint64_t id,
                                            std::string_view name, const Value& value) = 0;
  [[nodiscard]] virtual Status set_properties(codec::EntityKind kind, std::uint64_t id,
                                              const Properties& properties) = 0;
  [[nodiscard]] virtual Status set_expiry(codec::EntityKind kind, std::uint64_t id,
                                          std::optional<std::int64_t> expires_at) = 0;
  [[nodiscard]] virtual Status add_label(NodeId node, std::string_view label) = 0;
  [[nodiscard]] virtual Status remove_label(NodeId node, std::string_view label) = 0;
  [[nodiscard]] virtual Status erase_node(NodeId node) = 0;
  [[nodiscard]] virtual Status erase_node_and_relationships(NodeId node) = 0;
  [[nodiscard]] virtual Status erase_relationship(RelationshipId relationship) = 0;
  [[nodiscard]] virtual Result<std::optional<Node>> find_node(NodeId node) const = 0;
  [[nodiscard]] virtual Result<std::optional<Node>> find_node(
      std::string_view external_id) const = 0;
  [[nodiscard]] virtual Status commit() = 0;
  virtual void rollback() noexcept = 0;
  [[nodiscard]] virtual bool is_open() const noexcept = 0;
  /// See Snapshot::Impl.
  [[nodiscard]] virtual bool is_lost() const noexcept { return false; }

  /// nullptr for a reading transaction, and after the end of a transaction.
  [[nodiscard]] virtual engine::TransactionWriter* writer() const noexcept { return nullptr; }
  /// nullptr if attached. Precondition of core() and view(): is_open().
  [[nodiscard]] virtual engine::Core* core() const noexcept { return nullptr; }
  [[nodiscard]] virtual const engine::GraphView* view() const noexcept { return nullptr; }
  /// nullptr if local.
  [[nodiscard]] virtual engine::Forwarding* forwarding() const noexcept { return nullptr; }
};

/// The rows of a running statement. Each row costs one virtual call.
class Rows::Impl {
 public:
  Impl() = default;
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;
  virtual ~Impl() = default;

  [[nodiscard]] virtual const std::vector<std::string>& columns() const noexcept = 0;
  /// Returns the next row, or nullopt after the last one. The row is valid until the next call.
  [[nodiscard]] virtual Result<std::optional<std::span<const Value>>> next() = 0;
  [[nodiscard]] virtual const Changes& changes() const noexcept = 0;
  [[nodiscard]] virtual const std::vector<std::string>& warnings() const = 0;
  [[nodiscard]] virtual std::string plan() const = 0;
  /// All rows if they were made in advance and none was read; otherwise nullptr.
  [[nodiscard]] virtual const std::vector<List>* made() const noexcept { return nullptr; }
};

namespace engine {

/// A statement that is sent to the host.
struct ForwardedStatement {
  std::string_view text;
  bool is_writing = false;
  const Parameters& parameters;
  const StatementOptions& options;
  bool sees_deleted = false;   ///< softly deleted records are visible
  bool calls_program = false;  ///< it calls functions or procedures that this program registered
};

/// The connection of an attached handle (a database, transaction or snapshot) to the host process.
class Forwarding {
 public:
  virtual ~Forwarding() = default;
  /// Runs a statement in the host. Errors: also unsupported if the statement calls functions that this program registered,
  /// as the host cannot call them.
  [[nodiscard]] virtual Result<std::unique_ptr<Rows::Impl>> run(
      const ForwardedStatement& statement) = 0;
  /// Calls a function of the library in the host, by its name (query/attach/procedures.cpp). call_values.hpp converts
  /// arguments and results.
  [[nodiscard]] virtual Result<Value> call(std::string_view name, Map arguments,
                                           const StatementOptions& options = {}) = 0;
};

}  // namespace engine
}  // namespace cairn
