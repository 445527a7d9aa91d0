#pragma once
// Derives the entries of a record in the derived families: its postings, adjacency keys and counts. Rebuilds write them, and
// the integrity check expects them.

#include "codec/record.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/graph/record_reader.hpp"
#include "engine/index/index_entries.hpp"

#include <cairn/result.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace cairn::engine {

/// Finds the paths of a catalog without adding new ones.
class KnownPaths final : public PathSource {
 public:
  explicit KnownPaths(const Catalog& catalog) : catalog_(catalog) {}
  std::optional<std::uint32_t> path_id(codec::EntityKind kind, std::string_view text) override {
    return catalog_.find_path(kind, text);
  }

 private:
  const Catalog& catalog_;
};

/// The entries of one record.
struct Derived {
  PostingNames postings;  ///< ascending, each once
  Counters counters;      ///< what the record adds to the counts
  std::string adj_out;    ///< its keys in the adjacency families; empty for a node
  std::string adj_in;
  /// Set if a large text is missing or differs from its size and hash. Its postings are then those of the stored bytes.
  std::optional<Error> damage;
};

[[nodiscard]] Result<Derived> derive(std::uint64_t id, const codec::NodeRecord& record,
                                     const RecordReader& reader, const Catalog& catalog);
[[nodiscard]] Result<Derived> derive(std::uint64_t id, const codec::RelationshipRecord& record,
                                     const RecordReader& reader, const Catalog& catalog);

/// Calls `visit(id, record)` for each record of a snapshot, by ascending id. `record` is a Result, so `visit` decides what
/// to do with a record that cannot be decoded. An error that `visit` returns ends the scan.
template <class Visit>
[[nodiscard]] Status for_each_node(const RocksStore& store, const StoreSnapshot& snapshot,
                                   Visit&& visit) {
  Cursor cursor = store.scan(Family::nodes, {}, &snapshot);
  for (; cursor.valid(); cursor.next()) {
    if (!codec::is_hot_record_key(cursor.key())) continue;
    CAIRN_ASSIGN(const std::uint64_t id, codec::decode_record_key(cursor.key()));
    CAIRN_TRY(visit(id, codec::decode_node_record(cursor.value())));
  }
  return cursor.status();
}

template <class Visit>
[[nodiscard]] Status for_each_relationship(const RocksStore& store, const StoreSnapshot& snapshot,
                                           Visit&& visit) {
  Cursor cursor = store.scan(Family::relationships, {}, &snapshot);
  for (; cursor.valid(); cursor.next()) {
    if (!codec::is_hot_record_key(cursor.key())) continue;
    CAIRN_ASSIGN(const std::uint64_t id, codec::decode_record_key(cursor.key()));
    CAIRN_TRY(visit(id, codec::decode_relationship_record(cursor.value())));
  }
  return cursor.status();
}

}  // namespace cairn::engine
