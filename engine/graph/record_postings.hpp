#pragma once
// Everything that a record says about the derived families: its postings, adjacency keys and counts.
// What a rebuild writes and a check expects.

#include "codec/record.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/graph/record_reader.hpp"
#include "engine/index/index_entries.hpp"

#include <cairn/result.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace cairn::engine {

/// Finds the paths of a catalog and makes none.
class KnownPaths final : public PathSource {
 public:
  explicit KnownPaths(const Catalog& catalog) : catalog_(catalog) {}
  std::optional<std::uint32_t> path_id(codec::EntityKind kind, std::string_view text) override {
    return catalog_.find_path(kind, text);
  }

 private:
  const Catalog& catalog_;
};

/// What is derived from one record.
struct Derived {
  PostingNames postings;  ///< ascending, each once
  Counters counters;
  std::string adj_out;  ///< keys; empty for a node
  std::string adj_in;
  /// Of a large text that is lost or not the one that was stored: postings are those of what is there.
  std::optional<Error> damage;
};

[[nodiscard]] Result<Derived> derive(std::uint64_t id, const codec::NodeRecord& record,
                                     const RecordReader& reader, const Catalog& catalog);
[[nodiscard]] Result<Derived> derive(std::uint64_t id, const codec::RelationshipRecord& record,
                                     const RecordReader& reader, const Catalog& catalog);

/// Call `visit(id, record)` for each record of a snapshot, by ascending id. `visit` returns a Status,
/// or decides what to do with a record that cannot be decoded: it gets the Result.
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
