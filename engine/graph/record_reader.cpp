// Reads records, texts and vectors by key. Each read looks into the write set of the transaction first; an erasure there
// means that the key does not exist. Reads of many ids use one batched read of the store, which reads each block once.
// Errors name the entity, as the codec does not know it.
//
// The bytes of a value are copied once, into a string, and decoded from there.
#include "engine/graph/record_reader.hpp"

#include "codec/checksum.hpp"

#include <algorithm>
#include <memory>

namespace cairn::engine {
namespace {

using codec::EntityKind;

/// Adds the entity to an error of the codec.
Error at(EntityKind kind, std::uint64_t id, Error error) {
  error.message = entity_text(kind, id) + ": " + error.message;
  return error;
}

/// The error for a text or vector that a record refers to and that does not exist.
Error missing(EntityKind kind, std::uint64_t id, std::string_view what) {
  return Error{ErrorCode::corruption,
               entity_text(kind, id) + ": its " + std::string(what) + " is missing",
               {}};
}

}  // namespace

std::string entity_text(EntityKind kind, std::uint64_t id) {
  return (kind == EntityKind::node ? "node " : "relationship ") + std::to_string(id);
}

Result<codec::NodeView> node_view(std::uint64_t id, std::string_view bytes) {
  auto view = codec::NodeView::of(bytes);
  if (!view) return at(EntityKind::node, id, view.error());
  return view;
}

Result<RecordReader::Bytes> RecordReader::get(Family family, std::string_view key) const {
  if (write_set_ != nullptr) {
    // A nullopt is an erasure, so the store must not be read then.
    if (const WriteSet::Value* own = write_set_->find(family, key)) return *own;
  }
  return store_->get(family, key, snapshot_);
}

Result<std::vector<RecordReader::Bytes>> RecordReader::get_all(
    Family family, std::span<const std::string> keys) const {
  CAIRN_ASSIGN(auto values, store_->multi_get(family, keys, snapshot_));
  // All keys are read, even those in the write set: filtering them out would cost more.
  if (write_set_ == nullptr || write_set_->changes(family).empty()) return values;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (const WriteSet::Value* own = write_set_->find(family, keys[i])) values[i] = *own;
  }
  return values;
}

Result<bool> RecordReader::exists(EntityKind kind, std::uint64_t id) const {
  CAIRN_ASSIGN(const auto bytes, get(records_of(kind), codec::record_key(id)));
  return bytes.has_value();
}

Result<std::optional<codec::NodeRecord>> RecordReader::node(std::uint64_t id) const {
  CAIRN_ASSIGN(const auto bytes, get(Family::nodes, codec::record_key(id)));
  if (!bytes) return std::optional<codec::NodeRecord>();
  auto record = codec::decode_node_record(*bytes);
  if (!record) return at(EntityKind::node, id, record.error());
  return std::optional(std::move(*record));
}

Result<std::optional<codec::RelationshipRecord>> RecordReader::relationship(
    std::uint64_t id) const {
  CAIRN_ASSIGN(const auto bytes, get(Family::relationships, codec::record_key(id)));
  if (!bytes) return std::optional<codec::RelationshipRecord>();
  auto record = codec::decode_relationship_record(*bytes);
  if (!record) return at(EntityKind::relationship, id, record.error());
  return std::optional(std::move(*record));
}

Result<std::vector<float>> RecordReader::vector(EntityKind kind, std::uint64_t id,
                                                std::uint32_t space) const {
  CAIRN_ASSIGN(const auto bytes, get(Family::vectors, codec::vector_key(space, kind, id)));
  if (!bytes) return missing(kind, id, "vector");
  auto components = codec::decode_vector(*bytes);
  if (!components) return at(kind, id, components.error());
  return components;
}

Result<Value> RecordReader::resolve(EntityKind kind, std::uint64_t id, std::uint32_t key,
                                    const codec::StoredValue& stored) const {
  if (const auto* value = std::get_if<Value>(&stored)) return *value;
  if (const auto* reference = std::get_if<codec::VectorReference>(&stored)) {
    CAIRN_ASSIGN(auto components, vector(kind, id, reference->space));
    return Value(Vector(std::move(components)));
  }
  // A large text is stored in the family of its record, directly after it.
  CAIRN_ASSIGN(auto text, get(records_of(kind), codec::large_text_key(id, key)));
  if (!text) return missing(kind, id, "large text");
  const auto& reference = std::get<codec::TextReference>(stored);
  if (text->size() != reference.bytes || codec::checksum(*text) != reference.hash)
    return at(kind, id,
              {ErrorCode::corruption, "its large text is not the one that was stored", {}});
  return Value(std::move(*text));
}

Result<Value> RecordReader::property(EntityKind kind, std::uint64_t id, std::uint32_t key) const {
  CAIRN_ASSIGN(const auto bytes, get(records_of(kind), codec::record_key(id)));
  if (!bytes) return Value();
  auto stored = codec::find_property(*bytes, key);
  if (!stored) return at(kind, id, stored.error());
  return resolve(kind, id, key, *stored);
}

Result<std::vector<Value>> RecordReader::properties(EntityKind kind,
                                                    std::span<const std::uint64_t> ids,
                                                    std::uint32_t key) const {
  // A batched read has an overhead that does not pay off for one record.
  if (ids.size() == 1) {
    CAIRN_ASSIGN(Value value, property(kind, ids.front(), key));
    std::vector<Value> single;
    single.push_back(std::move(value));
    return single;
  }
  std::vector<std::string> keys;
  keys.reserve(ids.size());
  for (const std::uint64_t id : ids) keys.push_back(codec::record_key(id));
  CAIRN_ASSIGN(const auto records, get_all(records_of(kind), keys));
  std::vector<Value> values(ids.size());
  for (std::size_t i = 0; i < ids.size(); ++i) {
    // A missing entity has no properties, so the value stays null.
    if (!records[i]) continue;
    auto stored = codec::find_property(*records[i], key);
    if (!stored) return at(kind, ids[i], stored.error());
    // Large texts and vectors are read one by one: they are rare, and a batch of them would be in memory at once.
    CAIRN_ASSIGN(values[i], resolve(kind, ids[i], key, *stored));
  }
  return values;
}

Result<Properties> RecordReader::load_properties(EntityKind kind, std::uint64_t id,
                                                 const codec::StoredProperties& stored,
                                                 const Catalog& catalog) const {
  Properties properties;
  for (const codec::StoredProperty& property : stored) {
    CAIRN_ASSIGN(auto value, resolve(kind, id, property.key, property.value));
    properties.emplace(catalog.name(codec::CatalogKind::property, property.key), std::move(value));
  }
  return properties;
}

Result<std::optional<Node>> RecordReader::load_node(std::uint64_t id,
                                                    const Catalog& catalog) const {
  CAIRN_ASSIGN(const auto bytes, get(Family::nodes, codec::record_key(id)));
  if (!bytes) return std::optional<Node>();
  CAIRN_ASSIGN(Node node, node_in(id, *bytes, catalog));
  return std::optional(std::move(node));
}

Result<std::vector<std::optional<Node>>> RecordReader::load_nodes(
    std::span<const std::uint64_t> ids, const Catalog& catalog) const {
  std::vector<std::string> keys;
  keys.reserve(ids.size());
  for (const std::uint64_t id : ids) keys.push_back(codec::record_key(id));
  CAIRN_ASSIGN(const auto records, get_all(Family::nodes, keys));
  std::vector<std::optional<Node>> nodes(ids.size());
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (!records[i]) continue;
    CAIRN_ASSIGN(nodes[i], node_in(ids[i], *records[i], catalog));
  }
  return nodes;
}

Result<Node> RecordReader::node_in(std::uint64_t id, std::string_view bytes,
                                   const Catalog& catalog) const {
  CAIRN_ASSIGN(const codec::NodeView view, node_view(id, bytes));
  auto content = std::make_shared<Node::Content>();
  for (const std::uint32_t label : view.labels()) {
    content->labels.push_back(catalog.name(codec::CatalogKind::label, label));
  }
  // The record has labels sorted by number, but Node::has_label() does a binary search by name.
  std::sort(content->labels.begin(), content->labels.end());
  content->external_id = view.external_id();
  for (std::size_t i = 0; i < view.keys().size(); ++i) {
    const std::uint32_t key = view.keys()[i];
    auto stored = view.value(i);
    if (!stored) return at(EntityKind::node, id, stored.error());
    auto* const inside = std::get_if<Value>(&*stored);
    auto value = inside != nullptr ? Result<Value>(std::move(*inside))
                                   : resolve(EntityKind::node, id, key, *stored);
    if (!value) return value.error();
    content->properties.emplace(catalog.name(codec::CatalogKind::property, key), std::move(*value));
  }
  return Node(NodeId{id}, std::move(content));
}

Result<std::optional<Relationship>> RecordReader::load_relationship(std::uint64_t id,
                                                                    const Catalog& catalog) const {
  CAIRN_ASSIGN(const auto record, relationship(id));
  if (!record) return std::optional<Relationship>();
  auto content = std::make_shared<Relationship::Content>();
  content->type = catalog.name(codec::CatalogKind::relationship_type, record->type);
  content->source = NodeId{record->source};
  content->target = NodeId{record->target};
  CAIRN_ASSIGN(content->properties,
               load_properties(EntityKind::relationship, id, record->properties, catalog));
  return std::optional(Relationship(RelationshipId{id}, std::move(content)));
}

// Adjacency has a key without a value at each end of a relationship:
//
// adj_out    node 8 | type 4 | other 8 | relationship 8        node is the source
// adj_in     the same, where node is the target
//
// The keys of a node are adjacent and sorted by type, so expanding a node scans one prefix and reads no records. The changes
// of a transaction are a sorted map of the same keys, which is merged with the scan key by key. A limit ends the scan early.
//
// Cost: a seek for each direction and type, then a few dozen bytes for each relationship. A request with `other` and without
// types reads and filters the whole adjacency of the node.

namespace {

/// Filters the entries of one direction, and appends them to the result.
class Collector {
 public:
  Collector(const AdjacencyReader::Request& request, bool outgoing, std::vector<Adjacent>& out)
      : request_(request), outgoing_(outgoing), out_(out) {}

  Status add(std::string_view key) {
    CAIRN_ASSIGN(const codec::AdjacencyKey entry, codec::decode_adjacency_key(key));
    if (request_.other && entry.other != *request_.other) return {};
    // A loop has a key in both families, but is returned once, as outgoing.
    const bool is_loop = entry.other == entry.node;
    if (is_loop && !outgoing_ && request_.direction == Direction::both) return {};
    out_.push_back({entry.relationship, entry.type, entry.other, outgoing_ || is_loop});
    return {};
  }

 private:
  const AdjacencyReader::Request& request_;
  bool outgoing_;
  std::vector<Adjacent>& out_;
};

}  // namespace

Status AdjacencyReader::read(const Request& request, std::vector<Adjacent>& out) const {
  Places places;
  return read(request, places, out);
}

Status AdjacencyReader::read(const Request& request, Places& places,
                             std::vector<Adjacent>& out) const {
  for (const bool outgoing : {true, false}) {
    const auto way = outgoing ? Direction::outgoing : Direction::incoming;
    if (request.direction == Direction::both || request.direction == way)
      CAIRN_TRY(read_direction(request, outgoing, places, out));
  }
  return {};
}

Cursor& AdjacencyReader::cursor(bool outgoing, Places& places) const {
  std::optional<Cursor>& place = places.cursors[outgoing ? 0 : 1];
  if (!place) place = store_->seek_prefixes(outgoing ? Family::adj_out : Family::adj_in, snapshot_);
  return *place;
}

Status AdjacencyReader::read_direction(const Request& request, bool outgoing, Places& places,
                                       std::vector<Adjacent>& out) const {
  if (request.types.empty()) {
    return read_prefix(codec::adjacency_prefix(request.node), request, outgoing, places, out);
  }
  std::vector<std::uint32_t> types(request.types.begin(), request.types.end());
  // Sorted, as the result must be sorted by type, and without duplicates, which would return relationships twice.
  std::sort(types.begin(), types.end());
  types.erase(std::unique(types.begin(), types.end()), types.end());
  for (const std::uint32_t type : types) {
    const std::string prefix = request.other
                                   ? codec::adjacency_prefix(request.node, type, *request.other)
                                   : codec::adjacency_prefix(request.node, type);
    CAIRN_TRY(read_prefix(prefix, request, outgoing, places, out));
  }
  return {};
}

Status AdjacencyReader::read_prefix(const std::string& prefix, const Request& request,
                                    bool outgoing, Places& places,
                                    std::vector<Adjacent>& out) const {
  static const WriteSet::Changes none;
  const Family family = outgoing ? Family::adj_out : Family::adj_in;
  const WriteSet::Changes& changes = write_set_ == nullptr ? none : write_set_->changes(family);
  auto own = changes.lower_bound(prefix);
  const auto own_left = [&] { return own != changes.end() && own->first.starts_with(prefix); };
  Collector collector(request, outgoing, out);
  Cursor& stored = cursor(outgoing, places);
  stored.seek(prefix);
  const auto stored_left = [&] { return stored.valid() && stored.key().starts_with(prefix); };
  // Merges two ascending lists. If both have a key, the change of the transaction wins.
  while ((stored_left() || own_left()) && out.size() < request.limit) {
    if (stored_left() && (!own_left() || stored.key() < own->first)) {
      CAIRN_TRY(collector.add(stored.key()));
      stored.next();
      continue;
    }
    if (stored_left() && stored.key() == own->first) stored.next();
    if (own->second) CAIRN_TRY(collector.add(own->first));
    ++own;
  }
  return stored.status();
}

}  // namespace cairn::engine
