#pragma once
// GraphEditor: changes of nodes and relationships, resolved to what the write_set holds: records,
// adjacency, external ids, postings and counts. A call that fails with invalid_argument, type_error,
// not_found or already_exists has changed nothing.

#include "codec/record.hpp"
#include "engine/graph/record_reader.hpp"
#include "engine/system/clock.hpp"
#include "engine/transaction/catalog_editor.hpp"
#include "engine/transaction/write_set.hpp"
#include "engine/write/id_allocator.hpp"
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

class GraphEditor {
 public:
  /// Everything given must outlive the editor.
  GraphEditor(WriteSet& write_set, CatalogEditor& catalog, const RecordReader& records,
              const AdjacencyReader& adjacency, IdAllocator& ids, const Options& options)
      : write_set_(write_set),
        catalog_(catalog),
        records_(records),
        adjacency_(adjacency),
        ids_(ids),
        options_(options),
        properties_(write_set, catalog, records) {}

  /// Nulls among the properties are left out. Errors: already_exists, invalid_argument, type_error.
  [[nodiscard]] Result<std::uint64_t> create_node(std::span<const std::string> labels,
                                                  const Properties& properties,
                                                  std::string_view external_id,
                                                  std::optional<std::int64_t> expires_at);
  [[nodiscard]] Result<std::uint64_t> create_relationship(std::uint64_t source,
                                                          std::string_view type,
                                                          std::uint64_t target,
                                                          const Properties& properties,
                                                          std::optional<std::int64_t> expires_at);
  /// Make the node, or make the one that has its external id equal to it.
  [[nodiscard]] Result<PutNode> put_node(const NewNode& node);
  /// The same with system fields as they are given; a time of creation that is not given is now.
  [[nodiscard]] Result<std::uint64_t> restore_node(std::span<const std::string> labels,
                                                   const Properties& properties,
                                                   std::string_view external_id,
                                                   const SystemFields& fields);
  [[nodiscard]] Result<std::uint64_t> restore_relationship(std::uint64_t source,
                                                           std::string_view type,
                                                           std::uint64_t target,
                                                           const Properties& properties,
                                                           const SystemFields& fields);
  /// A null removes. Errors: not_found, invalid_argument, type_error.
  [[nodiscard]] Status set_property(codec::EntityKind kind, std::uint64_t id, std::string_view name,
                                    const Value& value);
  [[nodiscard]] Status set_properties(codec::EntityKind kind, std::uint64_t id,
                                      const Properties& properties);
  /// Those of the map only; a null removes.
  [[nodiscard]] Status update_properties(codec::EntityKind kind, std::uint64_t id,
                                         const Properties& properties);
  [[nodiscard]] Result<bool> add_label(std::uint64_t node, std::string_view label);
  [[nodiscard]] Result<bool> remove_label(std::uint64_t node, std::string_view label);
  /// Errors: not_found; conflict, where relationships are left.
  [[nodiscard]] Status erase_node(std::uint64_t node);
  [[nodiscard]] Status erase_relationship(std::uint64_t relationship);
  [[nodiscard]] Status erase_node_and_relationships(std::uint64_t node);
  /// System fields are in the record's header and in postings of their own.
  [[nodiscard]] Status set_deleted(codec::EntityKind kind, std::uint64_t id,
                                   std::optional<std::int64_t> at);
  [[nodiscard]] Status set_expiry(codec::EntityKind kind, std::uint64_t id,
                                  std::optional<std::int64_t> at);
  /// Sets the namespace and the author of entities created from now on, and what may not be changed.
  [[nodiscard]] Status use_place(const WritePlace& place);
  /// The moment by which a node has expired whose external id is wanted; nullopt: the system clock's.
  void use_time(std::optional<std::int64_t> now) noexcept { now_ = now; }
  [[nodiscard]] std::int64_t now() const { return now_.value_or(system_time()); }

  /// Whether the vector indexes take what the record holds. Errors: invalid_argument naming it.
  [[nodiscard]] Status check_vectors(codec::EntityKind kind, std::uint64_t id) const;
  /// Lists of a record become vectors where an index asks for it. One without such a list stays untouched.
  [[nodiscard]] Status convert_lists(codec::EntityKind kind, std::uint64_t id);
  /// Enter the values of one property into the postings of paths that are new.
  [[nodiscard]] Status index_property(codec::EntityKind kind, std::uint64_t id, std::uint32_t key);

 private:
  /// Errors: not_found.
  [[nodiscard]] Result<codec::NodeRecord> node(std::uint64_t id) const;
  [[nodiscard]] Result<codec::RelationshipRecord> relationship(std::uint64_t id) const;
  /// Stamp the time of change and lay the record into the write_set.
  template <class Record>
  void put(std::uint64_t id, Record& record) {
    record.header.updated = system_time();
    lay(id, record);
  }
  /// Lay the record into the write_set as it is.
  void lay(std::uint64_t id, const codec::NodeRecord& record);
  void lay(std::uint64_t id, const codec::RelationshipRecord& record);

  /// The header of an entity that is made now.
  [[nodiscard]] codec::RecordHeader new_header(std::optional<std::int64_t> expires_at) const;
  /// The header with these fields. Errors: invalid_argument, for the namespace.
  [[nodiscard]] Result<codec::RecordHeader> header_of(const SystemFields& fields);
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
  /// Errors: unsupported, naming the namespace, where its records stay as they are.
  [[nodiscard]] Status check_writable(codec::EntityKind kind, std::uint64_t id,
                                      const codec::RecordHeader& header) const;
  /// Erase it whatever its namespace: it goes with one of its nodes.
  [[nodiscard]] Status drop_relationship(std::uint64_t id, const codec::RelationshipRecord& record);

  /// Read the record of either kind, let `change(owner, record)` change it, put it; with modify_if(), where
  /// that gives true.
  template <class Change>
  [[nodiscard]] Status modify_if(codec::EntityKind kind, std::uint64_t id, Change&& change);
  template <class Change>
  [[nodiscard]] Status modify(codec::EntityKind kind, std::uint64_t id, Change&& change);

  /// Everything that can be wrong with a new node, before anything is changed.
  [[nodiscard]] Status check_node(std::span<const std::string> labels, const Properties& properties,
                                  std::string_view external_id) const;
  /// The node that has the external id.
  [[nodiscard]] Result<std::optional<std::uint64_t>> owner_of(std::uint32_t name_space,
                                                              std::string_view external_id) const;
  [[nodiscard]] bool has_expired(const codec::RecordHeader& header) const;
  /// Erase the node that has the external id, where it has expired. Errors: already_exists.
  [[nodiscard]] Status free_external_id(std::uint32_t name_space, std::string_view external_id);
  /// The steps of put_node() for a node that is there.
  [[nodiscard]] Status replace_node(std::uint64_t id, codec::NodeRecord& record,
                                    const NewNode& node);
  void replace_labels(std::uint64_t id, codec::NodeRecord& record,
                      std::span<const std::string> labels);
  /// All properties of a record become these; the values are normalized.
  [[nodiscard]] Status replace_all(const PropertyOwner& owner, const Properties& properties,
                                   codec::StoredProperties& stored);
  void change_expiry(codec::EntityKind kind, std::uint64_t id, codec::RecordHeader& header,
                     std::optional<std::int64_t> at);
  void change_deletion(codec::EntityKind kind, std::uint64_t id, codec::RecordHeader& header,
                       std::optional<std::int64_t> at);
  [[nodiscard]] std::vector<std::uint32_t> known_labels(std::span<const std::string> labels) const;
  /// Ascending, each once.
  [[nodiscard]] std::vector<std::uint32_t> intern_labels(std::span<const std::string> labels);
  /// Every value as it will be stored, nulls left out: `properties` itself where nothing differs, else
  /// `changed`.
  [[nodiscard]] Result<const Properties*> normalized(codec::EntityKind kind,
                                                     std::span<const std::uint32_t> groups,
                                                     const Properties& properties,
                                                     Properties& changed) const;
  /// Normalized properties into a record, and all that follows from them.
  [[nodiscard]] Status store_all(const PropertyOwner& owner, const Properties& properties,
                                 codec::StoredProperties& out);
  /// Make known what the header says of an entity.
  void enter(codec::EntityKind kind, std::uint64_t id, const codec::RecordHeader& header) {
    change_system_postings(kind, id, header, true);
  }
  /// The reverse.
  void leave(codec::EntityKind kind, std::uint64_t id, const codec::RecordHeader& header) {
    change_system_postings(kind, id, header, false);
  }
  void change_system_postings(codec::EntityKind kind, std::uint64_t id,
                              const codec::RecordHeader& header, bool added);
  void change_posting(const std::string& name, std::uint64_t id, bool added);
  /// Both directions, always together.
  void change_adjacency(std::uint64_t id, const codec::RelationshipRecord& record, bool added);
  /// A record without vectors is in no vector index.
  void touch_if_vector(codec::EntityKind kind, std::uint64_t id,
                       const codec::StoredProperties& properties);

  /// Where a full-text index has one of these labels or types.
  void touch_if_text(codec::EntityKind kind, std::uint64_t id,
                     std::span<const std::uint32_t> groups);

  /// Where a constraint holds for one of these labels or types, and for the property if one is named.
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
  std::uint32_t name_space_ = 0;
  std::vector<std::uint32_t> read_only_;  // namespaces
  std::string author_;
  std::optional<std::int64_t> now_ = std::nullopt;
};

}  // namespace cairn::engine
