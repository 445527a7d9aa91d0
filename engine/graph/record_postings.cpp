// Derives all entries of a record from the record alone. Rebuilds write these entries, and the integrity check expects them.
// The editors of a transaction compute differences instead. Having both is intended: a bug in the editors is found by the
// check, and does not affect a rebuild. Both use append_property_postings(), which has the rule for property values.
#include "engine/graph/record_postings.hpp"

#include "engine/graph/index_members.hpp"

#include <algorithm>

namespace cairn::engine {
namespace {

using codec::EntityKind;
using codec::SystemPath;

/// Derives the parts that nodes and relationships have in common. Each counter is 1 or 0, to be summed over all records.
void derive_header(EntityKind kind, const codec::RecordHeader& header, Derived& out) {
  out.postings.push_back(system_posting(kind, SystemPath::all));
  out.counters.of(Counter::live, kind) = 1;
  if (header.name_space != 0) {
    out.postings.push_back(system_posting(kind, SystemPath::name_space, header.name_space));
    out.counters.of(Counter::name_spaced, kind) = 1;
  }
  if (header.deleted_at) {
    out.postings.push_back(system_posting(kind, SystemPath::deleted));
    out.counters.of(Counter::deleted, kind) = 1;
  }
  if (header.expires_at) {
    out.postings.push_back(expiry_posting(kind, *header.expires_at));
    out.counters.of(Counter::expiring, kind) = 1;
  }
}

/// Returns the value of a property. For a damaged large text sets `damage` and returns the stored bytes: an editor will
/// remove the entries of exactly these later. Returns null if a large text is missing.
Result<Value> read_property(EntityKind kind, std::uint64_t id,
                            const codec::StoredProperty& property, const RecordReader& reader,
                            std::optional<Error>& damage) {
  auto value = reader.resolve(kind, id, property.key, property.value);
  if (value || !std::holds_alternative<codec::TextReference>(property.value)) return value;
  damage = value.error();
  return resolve_as_stored(reader, kind, id, property.key, property.value);
}

Status derive_properties(EntityKind kind, std::uint64_t id,
                         const codec::StoredProperties& properties, const RecordReader& reader,
                         const Catalog& catalog, Derived& out) {
  // A path that is not in the catalog has no postings: it was refused because of max_paths.
  KnownPaths paths(catalog);
  for (const codec::StoredProperty& property : properties) {
    // Only the presence of a vector is indexed, so its components are not read.
    Value value = Vector();
    if (std::holds_alternative<codec::VectorReference>(property.value)) {
      out.counters.of(Counter::vectors, kind) += 1;
    } else {
      CAIRN_ASSIGN(value, read_property(kind, id, property, reader, out.damage));
      if (value.is_null()) {
        append_text_presence(kind, catalog.name(codec::CatalogKind::property, property.key), paths,
                             out.postings);
        continue;
      }
    }
    append_property_postings(kind, catalog.name(codec::CatalogKind::property, property.key), value,
                             paths, out.postings);
  }
  // Equal elements of a list have the same posting, which the index holds once.
  std::sort(out.postings.begin(), out.postings.end());
  out.postings.erase(std::unique(out.postings.begin(), out.postings.end()), out.postings.end());
  return {};
}

}  // namespace

Result<Derived> derive(std::uint64_t id, const codec::NodeRecord& record,
                       const RecordReader& reader, const Catalog& catalog) {
  Derived out;
  derive_header(EntityKind::node, record.header, out);
  for (const std::uint32_t label : record.labels) {
    out.postings.push_back(system_posting(EntityKind::node, SystemPath::label, label));
  }
  CAIRN_TRY(derive_properties(EntityKind::node, id, record.properties, reader, catalog, out));
  return out;
}

Result<Derived> derive(std::uint64_t id, const codec::RelationshipRecord& record,
                       const RecordReader& reader, const Catalog& catalog) {
  Derived out;
  derive_header(EntityKind::relationship, record.header, out);
  out.postings.push_back(system_posting(EntityKind::relationship, SystemPath::type, record.type));
  out.adj_out = codec::adjacency_key({record.source, record.type, record.target, id});
  out.adj_in = codec::adjacency_key({record.target, record.type, record.source, id});
  CAIRN_TRY(
      derive_properties(EntityKind::relationship, id, record.properties, reader, catalog, out));
  return out;
}

}  // namespace cairn::engine
