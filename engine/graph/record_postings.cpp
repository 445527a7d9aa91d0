// The inverse of the editors' bookkeeping, from a finished record and nothing else: what an upgrade
// writes and an integrity check expects. Two ways to the same facts on purpose: a mistake in an
// editor's differences shows as a finding, not as a wrong rebuild. Both go through
// append_property_postings(), so the rule itself stands once.
#include "engine/graph/record_postings.hpp"

#include "engine/graph/index_members.hpp"

#include <algorithm>

namespace cairn::engine {
namespace {

using codec::EntityKind;
using codec::SystemPath;

/// What nodes and relationships have in common.
/// Counters are changes by one, to be summed over all records.
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

/// Nothing where a large text is lost. What lies there is what an editor will take away again.
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
  // Paths that are not in the catalog have no postings: those that were refused for max_paths.
  KnownPaths paths(catalog);
  for (const codec::StoredProperty& property : properties) {
    // A vector is only marked as present, so that its components are not read.
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
  // A list may name a posting twice; the index holds it once.
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
