// What belongs to a vector index, for those that feed one: the committer (changes), VectorIndexManager
// (rebuilding, catching up), searches of a transaction, and the check. One rule in one place: label
// or type, a vector in the index's space, and one that its metric can take.
#include "engine/graph/vector_members.hpp"

#include "engine/index/index_entries.hpp"

#include <algorithm>

namespace cairn::engine {

Result<VectorMembers> VectorMembers::of(const codec::IndexEntry& index, const RecordReader& records,
                                        const PostingReader& postings) {
  // The postings of labels and types are as exact as the records themselves.
  const codec::SystemPath path =
      index.entity == codec::EntityKind::node ? codec::SystemPath::label : codec::SystemPath::type;
  std::vector<codec::Bitmap> groups;
  for (const std::uint32_t group : index.labels_or_types) {
    CAIRN_ASSIGN(auto ids, postings.posting(system_posting(index.entity, path, group)));
    groups.push_back(std::move(ids));
  }
  return VectorMembers(index, records, codec::unite_all(groups));
}

VectorMembers VectorMembers::by_record(const codec::IndexEntry& index,
                                       const RecordReader& records) {
  return VectorMembers(index, records, std::nullopt);
}

Result<bool> VectorMembers::is_grouped(std::uint64_t id) const {
  if (grouped_) return grouped_->contains(id);
  const auto has = [&](std::uint32_t group) { return std::ranges::count(groups_, group) > 0; };
  if (kind_ == codec::EntityKind::relationship) {
    CAIRN_ASSIGN(const auto record, records_->relationship(id));
    return record && has(record->type);
  }
  CAIRN_ASSIGN(const auto bytes, records_->get(Family::nodes, codec::record_key(id)));
  if (!bytes) return false;
  CAIRN_ASSIGN(const codec::NodeView record, node_view(id, *bytes));
  return std::ranges::any_of(record.labels(), has);
}

bool VectorMembers::takes(std::span<const float> components) const {
  return check_vector(components, dimension_, metric_, {}).has_value();
}

Result<std::optional<std::vector<float>>> VectorMembers::find(std::uint64_t id) const {
  // Before the store is asked: most entities of a log are of other labels.
  CAIRN_ASSIGN(const bool is_in, is_grouped(id));
  if (!is_in) return std::optional<std::vector<float>>();
  CAIRN_ASSIGN(const auto bytes,
               records_->get(Family::vectors, codec::vector_key(space_, kind_, id)));
  if (!bytes) return std::optional<std::vector<float>>();
  auto components = codec::decode_vector(*bytes);
  if (components && !takes(*components)) return std::optional<std::vector<float>>();
  if (components) return std::optional(std::move(*components));
  Error error = components.error();
  error.message = "vector of " + entity_text(kind_, id) + ": " + error.message;
  return error;
}

VectorIndexOptions vector_options(const codec::IndexEntry& index,
                                  std::uint32_t background_threads) {
  VectorIndexOptions options;
  options.dimension = index.dimension;
  options.metric = index.metric;
  options.m = index.m;
  options.ef_construction = index.ef_construction;
  options.background_threads = background_threads;
  options.storage = index.storage;
  return options;
}

}  // namespace cairn::engine
