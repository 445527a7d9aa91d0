#pragma once
// Writer: the changes of one transaction. Each change is validated at once, and visible in the view of the
// transaction from then on.

#include "codec/entity_kind.hpp"
#include "engine/write/erased_records.hpp"

#include <cairn/graph.hpp>
#include <cairn/options.hpp>
#include <cairn/result.hpp>
#include <cairn/transaction.hpp>
#include <cairn/value.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace cairn::engine {

struct ConstraintRequest;
struct IndexRequest;
class View;

/// The namespace and the author of the writes of a statement.
struct WritePlace {
  std::string_view name_space = {};             ///< the namespace of new records
  std::span<const std::string> read_only = {};  ///< namespaces whose records must not be changed
  std::string_view author = {};                 ///< the author of new records
};

/// The interface of the writing operators of statements. Not copyable; one thread.
/// The property value null removes the property. A list of numbers becomes a vector if a vector index of its length
/// covers the property. Ids in calls must belong to existing entities; otherwise the error is not_found.
class Writer {
 public:
  virtual ~Writer() = default;

  /// The state of the transaction: the newest commit at its begin, and all its changes so far.
  [[nodiscard]] virtual const View& view() const = 0;

  /// Creates a node. An empty external id means that the node has none.
  [[nodiscard]] virtual Result<std::uint64_t> create_node(std::span<const std::string> labels,
                                                          const Properties& properties,
                                                          std::string_view external_id) = 0;
  [[nodiscard]] virtual Result<std::uint64_t> create_relationship(std::uint64_t source,
                                                                  std::string_view type,
                                                                  std::uint64_t target,
                                                                  const Properties& properties) = 0;
  /// Returns the value of a property in the form in which a node with all of these labels, or a relationship of this
  /// type, stores it: a list of numbers may become a vector. Errors: invalid_argument if a vector index refuses it.
  [[nodiscard]] virtual Result<Value> stored_form(codec::EntityKind kind,
                                                  std::span<const std::string> labels_or_type,
                                                  std::string_view name, const Value& value) = 0;
  [[nodiscard]] virtual Status set_property(codec::EntityKind kind, std::uint64_t id,
                                            std::string_view name, const Value& value) = 0;
  /// Replaces all properties.
  [[nodiscard]] virtual Status set_properties(codec::EntityKind kind, std::uint64_t id,
                                              const Properties& properties) = 0;
  /// Returns true if the label was absent before (remove_label(): present).
  [[nodiscard]] virtual Result<bool> add_label(std::uint64_t node, std::string_view label) = 0;
  [[nodiscard]] virtual Result<bool> remove_label(std::uint64_t node, std::string_view label) = 0;
  /// Erases a node. Errors: conflict if it has relationships.
  [[nodiscard]] virtual Status erase_node(std::uint64_t node) = 0;
  [[nodiscard]] virtual Status erase_relationship(std::uint64_t relationship) = 0;
  /// Erases a relationship of a node that is erased next. It may be in a read-only namespace.
  [[nodiscard]] virtual Status erase_attached(std::uint64_t relationship) = 0;

  /// Sets a system field: the time of a soft deletion, or of the expiry. nullopt clears it.
  [[nodiscard]] virtual Status set_deleted(codec::EntityKind kind, std::uint64_t id,
                                           std::optional<std::int64_t> at) = 0;
  [[nodiscard]] virtual Status set_expiry(codec::EntityKind kind, std::uint64_t id,
                                          std::optional<std::int64_t> at) = 0;
  /// Sets the namespace and the author of entities that are created from now on.
  [[nodiscard]] virtual Status use_place(const WritePlace& place) = 0;

  /// Creates an index, and adds the existing records to it; the commit adds the texts of a full-text index. Calls
  /// `pulse` after each record, unless it is empty; an error of `pulse` ends the work.
  /// Errors: already_exists, which names the index; invalid_argument, also for a vector that does not fit the index; any
  /// error of `pulse`.
  [[nodiscard]] virtual Status create_index(const IndexRequest& request,
                                            const std::function<Status()>& pulse = {}) = 0;
  /// Drops the index `name`. Errors: not_found, which proposes the nearest name.
  [[nodiscard]] virtual Status drop_index(std::string_view name) = 0;

  /// Creates a constraint, after a check of each record of the label or type. Calls `pulse` after each record; an
  /// error of `pulse` ends the check.
  /// Errors: already_exists if the name or an equal constraint exists, or two records are equal; invalid_argument if
  /// a record lacks a property; any error of `pulse`. After an error nothing has changed.
  [[nodiscard]] virtual Status create_constraint(const ConstraintRequest& request,
                                                 const std::function<Status()>& pulse) = 0;
  /// Drops the constraint `name`. Errors: not_found, which proposes the nearest name.
  [[nodiscard]] virtual Status drop_constraint(std::string_view name) = 0;
  /// Checks the constraints for all records that changed since the last call. Each statement calls it at its end, and
  /// commit() for the remaining records. Calls `pulse` after each record; an error of `pulse` ends the check. The
  /// changes remain after an error.
  /// Errors: already_exists or invalid_argument, which name the records and the constraint; any error of `pulse`.
  [[nodiscard]] virtual Status check_constraints(const std::function<Status()>& pulse) = 0;

  // Ends the transaction: commit() makes its changes visible to others, rollback() discards them.
  [[nodiscard]] virtual Status commit() = 0;
  /// Names the statement that commits. A commit that fills a new full-text index may take long: the commit is listed
  /// with this text (otherwise as COMMIT). It ends early if a stop of the options' token is requested, or if their
  /// timeout, counted from `begun`, is over and is not the default. Without `begun` it may take any time. Text and
  /// options must live until commit() was called.
  virtual void commit_for(std::string_view text, const StatementOptions& options,
                          std::optional<std::chrono::steady_clock::time_point> begun) = 0;
  virtual void rollback() noexcept = 0;
  /// True until commit() or rollback().
  [[nodiscard]] virtual bool is_open() const noexcept = 0;
  /// Permits only a rollback from now on. Later calls report `reason`.
  virtual void fail(const Error& reason) = 0;
  /// True if commit() would make a commit. Without changes it just ends the transaction.
  [[nodiscard]] virtual bool has_changes() const noexcept = 0;
  /// The approximate memory of the changes so far.
  [[nodiscard]] virtual std::size_t memory_bytes() const noexcept = 0;

  /// Creates an entity, optionally with an expiry. An expired node with the same external id is erased, together with
  /// its relationships.
  [[nodiscard]] virtual Result<std::uint64_t> create_node(const NewNode& node) = 0;
  [[nodiscard]] virtual Result<std::uint64_t> create_relationship(
      const NewRelationship& relationship) = 0;
  /// Creates the node, or makes the existing node with the same external id equal to it. Errors: as create_node().
  [[nodiscard]] virtual Result<PutNode> put_node(const NewNode& node) = 0;
  /// Sets or removes the properties of the map. Reads and writes the record once.
  [[nodiscard]] virtual Status update_properties(codec::EntityKind kind, std::uint64_t id,
                                                 const Properties& properties) = 0;
  /// Erases at most `limit` records of all namespaces that have expired by `now`. Returns how many. A node is
  /// erased with its relationships, which count too. Fewer than `limit` means that no expired record is left.
  [[nodiscard]] virtual Result<ErasedRecords> erase_expired(std::int64_t now,
                                                            std::size_t limit) = 0;
  /// Sets the time that decides whether a node with a wanted external id has expired. nullopt: the system clock.
  virtual void use_time(std::optional<std::int64_t> now) noexcept = 0;
};

}  // namespace cairn::engine
