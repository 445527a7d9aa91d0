#pragma once
// GraphEditor: changes of nodes and relationships. Translates each change into the keys that it affects, and puts
// these into the write_set: records, adjacency, external ids, postings and counts. A call that fails with
// invalid_argument, type_error, not_found or already_exists has changed nothing.

#include "codec/record.hpp"
#include "engine/graph/record_reader.hpp"
#include "engine/system/clock.hpp"
#include "engine/transaction/catalog_editor.hpp"
#include "engine/transaction/write_set.hpp"
#include "engine/write/id_allocator.hpp"
#include "engine/write/left_sessions.hpp"
#include "engine/write/property_editor.hpp"
#include "engine/write/writer.hpp"

#include <cairn/options.hpp>
#include <cairn/result.hpp>
#include <cairn/system_fields.hpp>
#include <cairn/transaction.hpp>
#include <cairn/value.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::engine {

/// The changes of one transaction.
class GraphEditor {
 public:
  /// All arguments must outlive the editor.
  GraphEditor(WriteSet& write_set, CatalogEditor& catalog, const RecordReader& records,
              const AdjacencyReader& adjacency, IdAllocator& ids, const Options& options)
      : write_set_(write_set),
        catalog_(catalog),
        records_(records),
        adjacency_(adjacency),
        ids_(ids),
        options_(options),
        properties_(write_set, catalog, records),
        sessions_(records, adjacency) {}

  /// Creates an entity. Properties with the value null are ignored. Errors: already_exists, invalid_argument,
  /// type_error; not_found if an end of the relationship does not exist.
  [[nodiscard]] Result<std::uint64_t> create_node(std::span<const std::string> labels,
                                                  const Properties& properties,
                                                  std::string_view external_id,
                                                  std::optional<std::int64_t> expires_at);
  [[nodiscard]] Result<std::uint64_t> create_relationship(std::uint64_t source,
                                                          std::string_view type,
                                                          std::uint64_t target,
                                                          const Properties& properties,
                                                          std::optional<std::int64_t> expires_at);
  /// Creates the node, or makes the existing node with the same external id equal to it.
  [[nodiscard]] Result<PutNode> put_node(const NewNode& node);
  /// Creates an entity with the given system fields. The default creation time is now.
  [[nodiscard]] Result<std::uint64_t> restore_node(std::span<const std::string> labels,
                                                   const Properties& properties,
                                                   std::string_view external_id,
                                                   const SystemFields& fields);
  [[nodiscard]] Result<std::uint64_t> restore_relationship(std::uint64_t source,
                                                           std::string_view type,
                                                           std::uint64_t target,
                                                           const Properties& properties,
                                                           const SystemFields& fields);
  /// Returns the value in the form in which a node with all of these labels, or a relationship of this type, stores it.
  /// Errors: invalid_argument if a vector index refuses it.
  [[nodiscard]] Result<Value> stored_form(codec::EntityKind kind,
                                          std::span<const std::string> labels_or_type,
                                          std::string_view name, const Value& value) const;
  /// Sets one property. The value null removes it. Errors: not_found, invalid_argument, type_error.
  [[nodiscard]] Status set_property(codec::EntityKind kind, std::uint64_t id, std::string_view name,
                                    const Value& value);
  /// Replaces all properties.
  [[nodiscard]] Status set_properties(codec::EntityKind kind, std::uint64_t id,
                                      const Properties& properties);
  /// Sets the properties of the map and leaves the others unchanged. The value null removes a property.
  [[nodiscard]] Status update_properties(codec::EntityKind kind, std::uint64_t id,
                                         const Properties& properties);
  /// Adds or removes a label. Returns false if nothing had to change.
  [[nodiscard]] Result<bool> add_label(std::uint64_t node, std::string_view label);
  [[nodiscard]] Result<bool> remove_label(std::uint64_t node, std::string_view label);
  /// Erases a node without relationships. Errors: not_found; conflict if the node has relationships.
  [[nodiscard]] Status erase_node(std::uint64_t node);
  [[nodiscard]] Status erase_relationship(std::uint64_t relationship);
  /// Erases a relationship of a node that is erased next. Its namespace may be read-only.
  [[nodiscard]] Status erase_attached(std::uint64_t relationship);
  [[nodiscard]] Status erase_node_and_relationships(std::uint64_t node);
  /// Erases the sessions that expired nodes left when others got their external ids, if they are empty. Must be called
  /// just before the commit: until then the transaction may add another record to such a session.
  [[nodiscard]] Status erase_left_sessions();
  [[nodiscard]] bool has_left_sessions() const noexcept { return sessions_.has_any(); }
  /// Sets or clears a system field. System fields are stored in the header of the record, and have their own
  /// postings.
  [[nodiscard]] Status set_deleted(codec::EntityKind kind, std::uint64_t id,
                                   std::optional<std::int64_t> at);
  [[nodiscard]] Status set_expiry(codec::EntityKind kind, std::uint64_t id,
                                  std::optional<std::int64_t> at);
  /// Sets the namespace and the author of entities that are created from now on, and the namespaces that must not be
  /// changed.
  [[nodiscard]] Status use_place(const WritePlace& place);
  /// Sets the time that decides whether a node with a wanted external id has expired. nullopt: the system clock.
  void use_time(std::optional<std::int64_t> now) noexcept { now_ = now; }
  [[nodiscard]] std::int64_t now() const { return now_.value_or(system_time()); }

  /// Checks that the vector indexes accept the vectors of the record. Errors: invalid_argument, which names the
  /// record.
  [[nodiscard]] Status check_vectors(codec::EntityKind kind, std::uint64_t id) const;
  /// Converts lists of the record to vectors if an index demands it. A record without such lists is not rewritten.
  [[nodiscard]] Status convert_lists(codec::EntityKind kind, std::uint64_t id);
  /// Enters the values of one property into the postings of new paths.
  [[nodiscard]] Status index_property(codec::EntityKind kind, std::uint64_t id, std::uint32_t key);

 private:
  /// Reads the record. Errors: not_found.
  [[nodiscard]] Result<codec::NodeRecord> node(std::uint64_t id) const;
  [[nodiscard]] Result<codec::RelationshipRecord> relationship(std::uint64_t id) const;
  /// Sets the time of change, and puts the record into the write_set.
  template <class Record>
  void put(std::uint64_t id, Record& record) {
    record.header.updated = system_time();
    lay(id, record);
  }
  /// Puts the record into the write_set unchanged.
  void lay(std::uint64_t id, const codec::NodeRecord& record);
  void lay(std::uint64_t id, const codec::RelationshipRecord& record);

  /// The header of an entity that is created now.
  [[nodiscard]] codec::RecordHeader new_header(std::optional<std::int64_t> expires_at) const;
  /// The header with these system fields. Errors: invalid_argument for an invalid namespace or author.
  [[nodiscard]] Result<codec::RecordHeader> header_of(const SystemFields& fields);
  /// Creates an entity with a complete header.
  [[nodiscard]] Result<std::uint64_t> add_node(std::span<const std::string> labels,
                                               const Properties& properties,
                                               std::string_view external_id,
                                               const codec::RecordHeader& header,
                                               const std::string& author);
  [[nodiscard]] Result<std::uint64_t> add_relationship(std::uint64_t source, std::string_view type,
                                                       std::uint64_t target,
                                                       const Properties& properties,
                                                       const codec::RecordHeader& header,
                                                       const std::string& author);
  /// Checks that the namespace of the record may be changed. Errors: unsupported, which names the namespace.
  [[nodiscard]] Status check_writable(codec::EntityKind kind, std::uint64_t id,
                                      const codec::RecordHeader& header) const;
  /// Erases a relationship without a check of its namespace, because it is erased together with one of its nodes.
  [[nodiscard]] Status drop_relationship(std::uint64_t id, const codec::RelationshipRecord& record);

  /// Reads a record of either kind, calls `change(owner, record)` and puts the changed record. modify_if() puts the
  /// record only if `change` returns true.
  template <class Change>
  [[nodiscard]] Status modify_if(codec::EntityKind kind, std::uint64_t id, Change&& change);
  template <class Change>
  [[nodiscard]] Status modify(codec::EntityKind kind, std::uint64_t id, Change&& change);

  /// Checks a new node against all limits, before anything is changed.
  [[nodiscard]] Status check_node(std::span<const std::string> labels, const Properties& properties,
                                  std::string_view external_id) const;
  /// Returns the id of the node that has the external id.
  [[nodiscard]] Result<std::optional<std::uint64_t>> owner_of(std::uint32_t name_space,
                                                              std::string_view external_id) const;
  [[nodiscard]] bool has_expired(const codec::RecordHeader& header) const;
  /// Erases the node that has the external id, if the node has expired. Errors: already_exists if it has not expired.
  [[nodiscard]] Status free_external_id(std::uint32_t name_space, std::string_view external_id);
  /// Erases an expired node with its relationships, and notes its session for erase_left_sessions().
  [[nodiscard]] Status erase_expired_owner(std::uint64_t id, std::uint32_t name_space);
  /// put_node() for a node that exists.
  [[nodiscard]] Status replace_node(std::uint64_t id, codec::NodeRecord& record,
                                    const NewNode& node);
  void replace_labels(std::uint64_t id, codec::NodeRecord& record,
                      std::span<const std::string> labels);
  /// Replaces all properties of a record. The new values must be normalized.
  [[nodiscard]] Status replace_all(const PropertyOwner& owner, const Properties& properties,
                                   codec::StoredProperties& stored);
  void change_expiry(codec::EntityKind kind, std::uint64_t id, codec::RecordHeader& header,
                     std::optional<std::int64_t> at);
  void change_deletion(codec::EntityKind kind, std::uint64_t id, codec::RecordHeader& header,
                       std::optional<std::int64_t> at);
  /// The numbers of the labels that the catalog has.
  [[nodiscard]] std::vector<std::uint32_t> known_labels(std::span<const std::string> labels) const;
  /// The number of the type, or nothing if the catalog lacks it.
  [[nodiscard]] std::vector<std::uint32_t> known_type(std::string_view type) const;
  /// The numbers of the labels, in ascending order and without duplicates. New labels get a number.
  [[nodiscard]] std::vector<std::uint32_t> intern_labels(std::span<const std::string> labels);
  /// Returns the values in the form in which they are stored, without nulls: `properties` itself if nothing differs,
  /// else `changed`.
  [[nodiscard]] Result<const Properties*> normalized(codec::EntityKind kind,
                                                     std::span<const std::uint32_t> groups,
                                                     const Properties& properties,
                                                     Properties& changed) const;
  /// Puts normalized properties into a record, and their texts, vectors and postings into the write_set.
  [[nodiscard]] Status store_all(const PropertyOwner& owner, const Properties& properties,
                                 codec::StoredProperties& out);
  /// Enters an entity into the postings and counts of its system fields.
  void enter(codec::EntityKind kind, std::uint64_t id, const codec::RecordHeader& header) {
    change_system_postings(kind, id, header, true);
  }
  /// Reverses enter().
  void leave(codec::EntityKind kind, std::uint64_t id, const codec::RecordHeader& header) {
    change_system_postings(kind, id, header, false);
  }
  void change_system_postings(codec::EntityKind kind, std::uint64_t id,
                              const codec::RecordHeader& header, bool added);
  void change_posting(const std::string& name, std::uint64_t id, bool added);
  /// Adds or removes the adjacency keys of both directions.
  void change_adjacency(std::uint64_t id, const codec::RelationshipRecord& record, bool added);
  /// Marks the entity for the vector indexes, if it has vectors.
  void touch_if_vector(codec::EntityKind kind, std::uint64_t id,
                       const codec::StoredProperties& properties);

  /// Marks the entity for the full-text indexes that cover one of these labels or types.
  void touch_if_text(codec::EntityKind kind, std::uint64_t id,
                     std::span<const std::uint32_t> groups);

  /// Marks the entity for the check of constraints, if a constraint holds for one of these labels or types. If a
  /// property is named, only constraints on this property count.
  void touch_if_constrained(codec::EntityKind kind, std::uint64_t id,
                            std::span<const std::uint32_t> groups,
                            std::optional<std::string_view> property = {});

  WriteSet& write_set_;
  CatalogEditor& catalog_;
  const RecordReader& records_;
  const AdjacencyReader& adjacency_;
  IdAllocator& ids_;
  const Options& options_;
  PropertyEditor properties_;
  LeftSessions sessions_;
  std::uint32_t name_space_ = 0;
  std::vector<std::uint32_t> read_only_;  // numbers of the namespaces that must not be changed
  std::string author_;
  std::optional<std::int64_t> now_ = std::nullopt;
};

}  // namespace cairn::engine
