#pragma once
// The seam: what is behind each public handle. Of each there are two: one over the store of this process
// (local_handles.hpp), and one that asks the process which has the store (query/attach).
//
// A call that is not a member of a handle (search_vectors(), recall() and the like) reads through `view()` and `core()`
// where the handle is local. Where it is attached both are null, and the call goes through `forwarding()`.

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
namespace engine {
class Core;
class Forwarding;
class GraphView;
class TransactionWriter;

/// Serves the processes that are attached to a local database. It ends before the store does.
class Hosting {
 public:
  virtual ~Hosting() = default;
  /// Process ids.
  [[nodiscard]] virtual std::vector<std::int64_t> attached() const = 0;
  virtual void close() = 0;
};
}  // namespace engine

/// Threads: as of the handle.
class Database::Impl {
 public:
  Impl() = default;
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;
  virtual ~Impl() = default;

  [[nodiscard]] virtual Result<Snapshot> snapshot() = 0;
  [[nodiscard]] virtual Result<Transaction> begin(TransactionMode mode) = 0;
  /// A writing one; nothing where the turn is not free at once.
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

  [[nodiscard]] virtual std::shared_ptr<engine::Core> core() const { return nullptr; }
  [[nodiscard]] virtual engine::Forwarding* forwarding() noexcept { return nullptr; }

  engine::ExtensionPlace extension;
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
  /// The same with what is softly deleted.
  [[nodiscard]] virtual std::shared_ptr<const Impl> with_deleted() const = 0;
  /// Whether the host ended, so that this is of no use any more.
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
  /// A node's where `kind` is node, else a relationship's; also below.
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
  /// The same as in Snapshot::Impl.
  [[nodiscard]] virtual bool is_lost() const noexcept { return false; }

  /// Null of a reading transaction, and of one that has ended.
  [[nodiscard]] virtual engine::TransactionWriter* writer() const noexcept { return nullptr; }
  /// The core of an open local handle, else null.
  [[nodiscard]] virtual engine::Core* core() const noexcept { return nullptr; }
  [[nodiscard]] virtual const engine::GraphView* view() const noexcept { return nullptr; }
  [[nodiscard]] virtual engine::Forwarding* forwarding() const noexcept { return nullptr; }
};

/// One virtual call a row.
class Rows::Impl {
 public:
  Impl() = default;
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;
  virtual ~Impl() = default;

  [[nodiscard]] virtual const std::vector<std::string>& columns() const noexcept = 0;
  /// Valid until the next call; nothing behind the last row.
  [[nodiscard]] virtual Result<std::optional<std::span<const Value>>> next() = 0;
  [[nodiscard]] virtual const Changes& changes() const noexcept = 0;
  [[nodiscard]] virtual const std::vector<std::string>& warnings() const = 0;
  [[nodiscard]] virtual std::string plan() const = 0;
};

namespace engine {

/// A statement that runs elsewhere.
struct ForwardedStatement {
  std::string_view text;
  bool is_writing = false;
  const Parameters& parameters;
  const StatementOptions& options;
  bool sees_deleted = false;   ///< of a snapshot, with what is softly deleted
  bool calls_program = false;  ///< functions or procedures that this program registered
};

/// The way from an attached handle to its host: on the database, in a transaction or on a snapshot.
class Forwarding {
 public:
  virtual ~Forwarding() = default;
  /// Errors: also unsupported, where it calls what this program registered: the host runs it, and cannot call back.
  [[nodiscard]] virtual Result<std::unique_ptr<Rows::Impl>> run(
      const ForwardedStatement& statement) = 0;
  /// A call of the library, by its name, with what it takes and gives as values (query/attach/procedures.cpp).
  [[nodiscard]] virtual Result<Value> call(std::string_view name, Map arguments,
                                           const StatementOptions& options = {}) = 0;
};

}  // namespace engine
}  // namespace cairn
