#pragma once
// RecordReader: nodes, relationships and their values as of one snapshot, a transaction's own
// changes first.

#include "codec/record.hpp"
#include "codec/record_view.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/store/rocks_store.hpp"
#include "engine/transaction/write_set.hpp"
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

class RecordReader {
 public:
  using Bytes = RocksStore::Value;

  /// Everything given must outlive the reader; `write_set` may be null.
  RecordReader(const RocksStore& store, const StoreSnapshot& snapshot, const WriteSet* write_set)
      : store_(&store), snapshot_(&snapshot), write_set_(write_set) {}

  /// One key of any family, the transaction's own value first.
  [[nodiscard]] Result<Bytes> get(Family family, std::string_view key) const;
  /// Like get(), for many keys in one batched read.
  [[nodiscard]] Result<std::vector<Bytes>> get_all(Family family,
                                                   std::span<const std::string> keys) const;
  [[nodiscard]] Result<bool> exists(codec::EntityKind kind, std::uint64_t id) const;
  /// Errors: corruption, naming the node.
  [[nodiscard]] Result<std::optional<codec::NodeRecord>> node(std::uint64_t id) const;
  [[nodiscard]] Result<std::optional<codec::RelationshipRecord>> relationship(
      std::uint64_t id) const;

  /// The language value of what a record holds: texts and vectors are fetched.
  [[nodiscard]] Result<Value> resolve(codec::EntityKind kind, std::uint64_t id, std::uint32_t key,
                                      const codec::StoredValue& stored) const;
  [[nodiscard]] Result<Value> property(codec::EntityKind kind, std::uint64_t id,
                                       std::uint32_t key) const;
  [[nodiscard]] Result<std::vector<Value>> properties(codec::EntityKind kind,
                                                      std::span<const std::uint64_t> ids,
                                                      std::uint32_t key) const;
  /// Errors: corruption, where the record names a vector that is not there.
  [[nodiscard]] Result<std::vector<float>> vector(codec::EntityKind kind, std::uint64_t id,
                                                  std::uint32_t space) const;

  /// Whole entities as the public face has them, with names from `catalog`.
  [[nodiscard]] Result<std::optional<Node>> load_node(std::uint64_t id,
                                                      const Catalog& catalog) const;
  /// The same of many, in order, with one batched read of their records.
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

/// A node's record where its bytes lie. Errors: corruption, naming the node.
[[nodiscard]] Result<codec::NodeView> node_view(std::uint64_t id, std::string_view bytes);

/// "node 42" or "relationship 7", for messages.
[[nodiscard]] std::string entity_text(codec::EntityKind kind, std::uint64_t id);
/// The family that holds the records of a kind.
[[nodiscard]] constexpr Family records_of(codec::EntityKind kind) noexcept {
  return kind == codec::EntityKind::node ? Family::nodes : Family::relationships;
}

// AdjacencyReader: the relationships of a node as of one snapshot, a transaction's own changes
// merged in.

class AdjacencyReader {
 public:
  /// Everything given must outlive the reader; `write_set` may be null.
  AdjacencyReader(const RocksStore& store, const StoreSnapshot& snapshot, const WriteSet* write_set)
      : store_(&store), snapshot_(&snapshot), write_set_(write_set) {}

  struct Request {
    std::uint64_t node = 0;
    std::optional<std::uint64_t> other;  ///< only relationships with this node
    Direction direction = Direction::both;
    std::span<const std::uint32_t> types;  ///< all, if empty
    std::size_t limit = ~std::size_t{0};   ///< stop once `out` has so many
  };
  /// Append what View::expand and expand_into promise.
  [[nodiscard]] Status read(const Request& request, std::vector<Adjacent>& out) const;

 private:
  /// One family, or the parts of it that hold the types.
  [[nodiscard]] Status read_direction(const Request& request, bool outgoing,
                                      std::vector<Adjacent>& out) const;
  [[nodiscard]] Status read_prefix(const std::string& prefix, const Request& request, bool outgoing,
                                   std::vector<Adjacent>& out) const;

  const RocksStore* store_;
  const StoreSnapshot* snapshot_;
  const WriteSet* write_set_;
};

}  // namespace cairn::engine
