#pragma once
// Writer: the changes of one transaction, validated one by one and visible through its view at once.

#include "codec/entity_kind.hpp"

#include <cairn/graph.hpp>
#include <cairn/result.hpp>
#include <cairn/transaction.hpp>
#include <cairn/value.hpp>

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

/// Where and as whom a statement writes.
struct WritePlace {
  std::string_view name_space = {};             ///< of new records
  std::span<const std::string> read_only = {};  ///< namespaces whose records stay as they are
  std::string_view author = {};                 ///< of new records
};

/// Changes by name, as a statement's writing operators make them. Not copyable; one thread.
///
/// A null property value removes. A list of numbers in a property that has a vector index of its
/// length becomes a vector. Ids in calls must name live entities, else not_found.
class Writer {
 public:
  virtual ~Writer() = default;

  /// The transaction's own state: what was committed at its begin, and all changes so far.
  [[nodiscard]] virtual const View& view() const = 0;

  [[nodiscard]] virtual Result<std::uint64_t> create_node(std::span<const std::string> labels,
                                                          const Properties& properties,
                                                          std::string_view external_id) = 0;
  [[nodiscard]] virtual Result<std::uint64_t> create_relationship(std::uint64_t source,
                                                                  std::string_view type,
                                                                  std::uint64_t target,
                                                                  const Properties& properties) = 0;
  [[nodiscard]] virtual Status set_property(codec::EntityKind kind, std::uint64_t id,
                                            std::string_view name, const Value& value) = 0;
  /// Replace all properties at once.
  [[nodiscard]] virtual Status set_properties(codec::EntityKind kind, std::uint64_t id,
                                              const Properties& properties) = 0;
  /// True where the label was not there before (was there, for remove_label).
  [[nodiscard]] virtual Result<bool> add_label(std::uint64_t node, std::string_view label) = 0;
  [[nodiscard]] virtual Result<bool> remove_label(std::uint64_t node, std::string_view label) = 0;
  /// Errors: conflict, where the node still has relationships.
  [[nodiscard]] virtual Status erase_node(std::uint64_t node) = 0;
  [[nodiscard]] virtual Status erase_relationship(std::uint64_t relationship) = 0;

  /// System fields: hide softly, let expire; nullopt takes it back.
  [[nodiscard]] virtual Status set_deleted(codec::EntityKind kind, std::uint64_t id,
                                           std::optional<std::int64_t> at) = 0;
  [[nodiscard]] virtual Status set_expiry(codec::EntityKind kind, std::uint64_t id,
                                          std::optional<std::int64_t> at) = 0;
  /// New entities go to the namespace from now on and have the author.
  [[nodiscard]] virtual Status use_place(const WritePlace& place) = 0;

  /// Errors: already_exists (the message names the index); backfills what is there already.
  [[nodiscard]] virtual Status create_index(const IndexRequest& request) = 0;
  /// Errors: not_found with the nearest name.
  [[nodiscard]] virtual Status drop_index(std::string_view name) = 0;

  /// Looks at every record of the label or type; `pulse` is asked after each, and its error ends that.
  /// Errors: already_exists, where the name or the same constraint is there or two records are the same; those of
  /// `pulse`; invalid_argument, where a record lacks a property. Then nothing has changed.
  [[nodiscard]] virtual Status create_constraint(const ConstraintRequest& request,
                                                 const std::function<Status()>& pulse) = 0;
  /// Errors: not_found with the nearest name.
  [[nodiscard]] virtual Status drop_constraint(std::string_view name) = 0;
  /// Whether all records that changed since the last call keep to the constraints. A statement asks at its end, and
  /// commit() for what is left. Errors: already_exists, invalid_argument, naming the records and the constraint;
  /// the changes remain. `pulse` is asked after each record, and its error ends that.
  [[nodiscard]] virtual Status check_constraints(const std::function<Status()>& pulse) = 0;

  [[nodiscard]] virtual Status commit() = 0;
  virtual void rollback() noexcept = 0;
  [[nodiscard]] virtual bool is_open() const noexcept = 0;
  /// Mark as fit for rollback only, with the reason that later calls will report.
  virtual void fail(const Error& reason) = 0;
  /// What the changes so far take, about.
  [[nodiscard]] virtual std::size_t memory_bytes() const noexcept = 0;

  /// With an expiry. An expired node gives its external id up: it goes, with its relationships.
  [[nodiscard]] virtual Result<std::uint64_t> create_node(const NewNode& node) = 0;
  [[nodiscard]] virtual Result<std::uint64_t> create_relationship(
      const NewRelationship& relationship) = 0;
  /// Make the node, or make the one with its external id equal to it. Errors: as of create_node().
  [[nodiscard]] virtual Result<PutNode> put_node(const NewNode& node) = 0;
  /// Set or remove those of the map, in one reading and writing of the record.
  [[nodiscard]] virtual Status update_properties(codec::EntityKind kind, std::uint64_t id,
                                                 const Properties& properties) = 0;
  /// Erase what has expired by `now`, of all namespaces, `limit` records at most, and say how many. Nodes
  /// go with their relationships, which count; fewer than `limit` means that none is left.
  [[nodiscard]] virtual Result<std::size_t> erase_expired(std::int64_t now, std::size_t limit) = 0;
  /// By which moment a node counts as expired whose external id is wanted; nullopt: the system clock's.
  virtual void use_time(std::optional<std::int64_t> now) noexcept = 0;
};

}  // namespace cairn::engine
