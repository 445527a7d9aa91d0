#pragma once
// RecordReader: reads nodes, relationships and their values as of one snapshot, including the changes of a transaction.
// AdjacencyReader: reads the relationships of a node in the same way.

#include "codec/record.hpp"
#include "codec/record_view.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/store/cursor.hpp"
#include "engine/store/rocks_store.hpp"
#include "engine/transaction/write_set.hpp"
#include "engine/view/list_reader.hpp"
#include "engine/view/view.hpp"

#include <cairn/graph.hpp>
#include <cairn/result.hpp>
#include <cairn/value.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::engine {

/// Reads records and their values by id. Cheap to copy, because it consists of pointers. Threads: any, as long as the
/// write set does not change.
class RecordReader {
 public:
  using Bytes = RocksStore::Value;

  /// All arguments must outlive the reader. `write_set` is nullptr outside of a transaction.
  RecordReader(const RocksStore& store, const StoreSnapshot& snapshot, const WriteSet* write_set)
      : store_(&store), snapshot_(&snapshot), write_set_(write_set) {}

  /// Returns the value of a key in any family; the value of the transaction if it changed the key.
  [[nodiscard]] Result<Bytes> get(Family family, std::string_view key) const;
  /// Like get(), for many keys in one batched read.
  [[nodiscard]] Result<std::vector<Bytes>> get_all(Family family,
                                                   std::span<const std::string> keys) const;
  [[nodiscard]] Result<bool> exists(codec::EntityKind kind, std::uint64_t id) const;
  /// Errors: corruption, naming the node.
  [[nodiscard]] Result<std::optional<codec::NodeRecord>> node(std::uint64_t id) const;
  [[nodiscard]] Result<std::optional<codec::RelationshipRecord>> relationship(
      std::uint64_t id) const;

  /// Converts a stored value to a language value. Reads large texts and vectors, to which a record only refers.
  [[nodiscard]] Result<Value> resolve(codec::EntityKind kind, std::uint64_t id, std::uint32_t key,
                                      const codec::StoredValue& stored) const;
  [[nodiscard]] Result<Value> property(codec::EntityKind kind, std::uint64_t id,
                                       std::uint32_t key) const;
  [[nodiscard]] Result<std::vector<Value>> properties(codec::EntityKind kind,
                                                      std::span<const std::uint64_t> ids,
                                                      std::uint32_t key) const;
  /// Reads the vector of an entity in a space. Errors: corruption if it does not exist, as a record refers to it.
  [[nodiscard]] Result<std::vector<float>> vector(codec::EntityKind kind, std::uint64_t id,
                                                  std::uint32_t space) const;

  /// Return whole entities as public values, with names from `catalog`. nullopt if the entity does not exist.
  [[nodiscard]] Result<std::optional<Node>> load_node(std::uint64_t id,
                                                      const Catalog& catalog) const;
  /// Calls load_node() for several ids, in order, with one batched read of their records.
  [[nodiscard]] Result<std::vector<std::optional<Node>>> load_nodes(
      std::span<const std::uint64_t> ids, const Catalog& catalog) const;
  [[nodiscard]] Result<std::optional<Relationship>> load_relationship(std::uint64_t id,
                                                                      const Catalog& catalog) const;

 private:
  [[nodiscard]] Result<Node> node_in(std::uint64_t id, std::string_view bytes,
                                     const Catalog& catalog) const;
  [[nodiscard]] Result<Properties> load_properties(codec::EntityKind kind, std::uint64_t id,
                                                   const codec::StoredProperties& stored,
                                                   const Catalog& catalog) const;

  const RocksStore* store_;
  const StoreSnapshot* snapshot_;
  const WriteSet* write_set_;
};

/// Returns a view into the bytes of a node's record, which must outlive the view. Errors: corruption, naming the node.
[[nodiscard]] Result<codec::NodeView> node_view(std::uint64_t id, std::string_view bytes);

/// Returns for instance "node 42" or "relationship 7", for messages.
[[nodiscard]] std::string entity_text(codec::EntityKind kind, std::uint64_t id);
/// The family that holds the records of a kind.
[[nodiscard]] constexpr Family records_of(codec::EntityKind kind) noexcept {
  return kind == codec::EntityKind::node ? Family::nodes : Family::relationships;
}

/// Reads the relationships of nodes. Cheap to copy, because it consists of pointers. Threads: any, as long as the write
/// set does not change.
class AdjacencyReader {
 public:
  /// All arguments must outlive the reader. `write_set` is nullptr outside of a transaction.
  AdjacencyReader(const RocksStore& store, const StoreSnapshot& snapshot, const WriteSet* write_set)
      : store_(&store), snapshot_(&snapshot), write_set_(write_set) {}

  using Request = ListRequest;
  /// Appends relationships to `out`, in the order of View::expand() and View::expand_into().
  [[nodiscard]] Status read(const Request& request, std::vector<Adjacent>& out) const;

  /// The cursors of earlier reads: outgoing, incoming.
  struct Places {
    std::optional<Cursor> cursors[2];
  };
  [[nodiscard]] Status read(const Request& request, Places& places,
                            std::vector<Adjacent>& out) const;

 private:
  /// Reads the relationships of one direction.
  [[nodiscard]] Status read_direction(const Request& request, bool outgoing, Places& places,
                                      std::vector<Adjacent>& out) const;
  /// Reads the keys with a prefix, merged with the changes of the transaction.
  [[nodiscard]] Status read_prefix(const std::string& prefix, const Request& request, bool outgoing,
                                   Places& places, std::vector<Adjacent>& out) const;
  [[nodiscard]] Cursor& cursor(bool outgoing, Places& places) const;

  const RocksStore* store_;
  const StoreSnapshot* snapshot_;
  const WriteSet* write_set_;
};

}  // namespace cairn::engine
