// Derives the schema from the first records of each label and type, because no schema is declared.
#include "query/execute/call/schema_summary.hpp"

#include "codec/bitmap.hpp"
#include "engine/catalog/catalog.hpp"
#include "query/execute/path_index.hpp"
#include "query/execute/pipeline/execution_context.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace cairn::query {
namespace {

// Number of records read per label or type.
constexpr std::size_t most_read = 1'000;

using ConnectionKey = std::tuple<std::string, std::string, std::string>;
using Connections = std::map<ConnectionKey, std::uint64_t>;

/// Returns the visible records with a label or type.
Result<codec::Bitmap> visible_records(ExecutionContext& context, codec::EntityKind kind,
                                      const std::string& name) {
  CAIRN_ASSIGN(const codec::Bitmap* named, context.graph.labelled(kind, name));
  CAIRN_ASSIGN(const codec::Bitmap* visible, context.graph.restriction(kind));
  return visible == nullptr ? *named : intersect(*named, *visible);
}

std::vector<std::uint64_t> first_ids(const codec::Bitmap& ids) {
  std::vector<std::uint64_t> all = ids.to_vector();
  all.resize(std::min(all.size(), most_read));
  return all;
}

const Properties& properties_in(const Value& entity) {
  if (const Node* node = entity.get_if<Node>()) return node->properties();
  return entity.as_relationship().properties();
}

// Counts the properties of one record and collects their types.
void add_properties(const Properties& properties, NameSummary& summary) {
  for (const auto& [name, value] : properties) {
    PropertySummary& property = summary.properties[name];
    ++property.records;
    property.types.insert(value.type());
  }
}

/// Takes the number of records with each property from the index, which includes records that were
/// not read. If no read record has a property, its type is that of the first record with the
/// property.
Status add_unread(ExecutionContext& context, codec::EntityKind kind, const codec::Bitmap& ids,
                  NameSummary& summary) {
  for (const auto& [key, name] : context.graph.catalog().names(codec::CatalogKind::property)) {
    CAIRN_ASSIGN(const auto found, ask_path(context.graph, kind, {name}, {}));
    if (!found || found->all_but || !found->exact) continue;
    const codec::Bitmap having = intersect(found->ids, ids);
    if (having.empty()) continue;
    PropertySummary& property = summary.properties[name];
    property.records = having.cardinality();
    if (!property.types.empty()) continue;
    CAIRN_ASSIGN(const Value value, context.graph.property(kind, *having.first(), name));
    property.types.insert(value.type());
  }
  return {};
}

/// Returns an empty list for a node that the statement cannot see, such as an expired one.
Result<std::vector<std::string>> labels_of(ExecutionContext& context, NodeId id) {
  CAIRN_ASSIGN(const codec::Bitmap* visible, context.graph.restriction(codec::EntityKind::node));
  if (visible != nullptr && !visible->contains(id.value)) return std::vector<std::string>();
  CAIRN_ASSIGN(const Value node,
               context.graph.load(entity_value(codec::EntityKind::node, id.value)));
  return node.as_node().labels();
}

/// Counts a connection for each pair of a label at the start and a label at the end.
Status add_connections(ExecutionContext& context, const Relationship& relationship,
                       Connections& connections) {
  CAIRN_ASSIGN(const auto sources, labels_of(context, relationship.source()));
  CAIRN_ASSIGN(const auto targets, labels_of(context, relationship.target()));
  for (const std::string& source : sources)
    for (const std::string& target : targets) ++connections[{source, relationship.type(), target}];
  return {};
}

/// `connections` is nullptr if connections are not needed.
Result<NameSummary> summarize(ExecutionContext& context, codec::EntityKind kind, std::string name,
                              Connections* connections) {
  NameSummary summary{std::move(name), 0, 0, {}};
  CAIRN_ASSIGN(const codec::Bitmap ids, visible_records(context, kind, summary.name));
  summary.records = ids.cardinality();
  for (const std::uint64_t id : first_ids(ids)) {
    CAIRN_ASSIGN(const Value entity, context.graph.load(entity_value(kind, id)));
    add_properties(properties_in(entity), summary);
    ++summary.read;
    if (connections != nullptr && kind == codec::EntityKind::relationship)
      CAIRN_TRY(add_connections(context, entity.as_relationship(), *connections));
  }
  if (summary.read < summary.records) CAIRN_TRY(add_unread(context, kind, ids, summary));
  return summary;
}

// Names without visible records are dropped, because the catalog retains unused names.
Result<std::vector<NameSummary>> summarize_kind(ExecutionContext& context, codec::EntityKind kind,
                                                Connections* connections) {
  std::vector<NameSummary> summaries;
  const auto names = context.graph.catalog().names(kind == codec::EntityKind::node
                                                       ? codec::CatalogKind::label
                                                       : codec::CatalogKind::relationship_type);
  for (const auto& [id, name] : names) {
    CAIRN_ASSIGN(NameSummary summary, summarize(context, kind, name, connections));
    if (summary.records > 0) summaries.push_back(std::move(summary));
  }
  std::ranges::sort(summaries, {}, &NameSummary::name);
  return summaries;
}

}  // namespace

Result<std::vector<NameSummary>> summarize_names(ExecutionContext& context,
                                                 codec::EntityKind kind) {
  return summarize_kind(context, kind, nullptr);
}

// Connections are collected while the relationships are read.
Result<SchemaSummary> summarize_schema(ExecutionContext& context) {
  SchemaSummary summary;
  Connections connections;
  CAIRN_ASSIGN(summary.labels, summarize_kind(context, codec::EntityKind::node, nullptr));
  CAIRN_ASSIGN(summary.types,
               summarize_kind(context, codec::EntityKind::relationship, &connections));
  for (const auto& [key, records] : connections) {
    const auto& [source, type, target] = key;
    summary.connections.push_back({source, type, target, records});
  }
  return summary;
}

}  // namespace cairn::query
