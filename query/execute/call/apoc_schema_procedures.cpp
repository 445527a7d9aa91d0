// The procedures apoc.meta.data, apoc.meta.schema and apoc.schema.properties.distinct. Frameworks
// use them to learn the schema of a graph, so names, columns and types follow APOC.
#include "codec/bitmap.hpp"
#include "query/execute/call/builtin_procedures.hpp"
#include "query/execute/call/procedure_arguments.hpp"
#include "query/execute/call/schema_rules.hpp"
#include "query/execute/call/schema_summary.hpp"
#include "query/execute/pipeline/execution_context.hpp"
#include "query/execute/pipeline/row_set.hpp"

#include <map>
#include <string>
#include <utility>

namespace cairn::query {
namespace {

using Rows = Procedure::Rows;
using Arguments = std::span<const Value>;

/// Returns APOC's name of a type.
std::string_view apoc_type(ValueType type) {
  switch (type) {
    case ValueType::boolean:
      return "BOOLEAN";
    case ValueType::integer:
      return "INTEGER";
    case ValueType::floating:
      return "FLOAT";
    case ValueType::string:
      return "STRING";
    case ValueType::list:
    case ValueType::vector:
      return "LIST";
    case ValueType::map:
      return "MAP";
    case ValueType::date:
      return "DATE";
    case ValueType::local_time:
      return "LOCAL_TIME";
    case ValueType::time:
      return "TIME";
    case ValueType::local_date_time:
      return "LOCAL_DATE_TIME";
    case ValueType::date_time:
      return "DATE_TIME";
    case ValueType::duration:
      return "DURATION";
    default:
      return "ANY";
  }
}

// Returns ANY if the values of a property have several types.
std::string_view apoc_type(const PropertySummary& property) {
  return property.types.size() == 1 ? apoc_type(*property.types.begin()) : "ANY";
}

Value number(std::uint64_t count) { return Value(static_cast<std::int64_t>(count)); }

/// Makes a row with the columns of apoc.meta.data.
std::vector<Value> data_row(const std::string& name, const std::string& property,
                            std::string_view type, std::uint64_t count,
                            std::string_view element_type, List others = {},
                            const PropertyRules& rules = {}) {
  return {Value(name),
          Value(property),
          number(count),
          Value(rules.is_unique),
          Value(rules.is_indexed),
          Value(rules.is_required),
          Value(type),
          Value(type == "LIST"),
          Value(std::move(others)),
          Value(element_type)};
}

void add_property_rows(const NameSummary& summary, codec::EntityKind kind, const SchemaRules& rules,
                       Rows& rows) {
  const std::string_view element_type = kind == codec::EntityKind::node ? "node" : "relationship";
  for (const auto& [name, property] : summary.properties)
    rows.push_back(data_row(summary.name, name, apoc_type(property), property.records, element_type,
                            {}, rules.of(kind, summary.name, name)));
}

/// Labels at the other end of relationships with one source label and type, and the number of such
/// relationships.
struct OtherEnds {
  List labels;
  std::uint64_t records = 0;
};
using EndsByName = std::map<std::pair<std::string, std::string>, OtherEnds>;

// Groups the connections, which are triples of source label, type and target label, by source label
// and type.
EndsByName other_ends(const SchemaSummary& summary) {
  EndsByName ends;
  for (const ConnectionSummary& connection : summary.connections) {
    OtherEnds& end = ends[{connection.source, connection.type}];
    end.labels.push_back(Value(connection.target));
    end.records += connection.records;
  }
  return ends;
}

// Makes one map per property.
Map property_maps(const NameSummary& summary, codec::EntityKind kind, const SchemaRules& rules) {
  Map properties;
  for (const auto& [name, property] : summary.properties) {
    const PropertyRules of_property = rules.of(kind, summary.name, name);
    properties.emplace(name, Map{{"type", Value(apoc_type(property))},
                                 {"indexed", of_property.is_indexed},
                                 {"unique", of_property.is_unique},
                                 {"existence", of_property.is_required}});
  }
  return properties;
}

Map summary_map(const NameSummary& summary, codec::EntityKind kind, const SchemaRules& rules) {
  return Map{{"type", Value(kind == codec::EntityKind::node ? "node" : "relationship")},
             {"count", number(summary.records)},
             {"properties", property_maps(summary, kind, rules)}};
}

/// Returns the relationship types that start or end at a label. A type with relationships of both
/// directions is listed as outgoing.
Map connection_maps(const SchemaSummary& summary, const std::string& label) {
  std::map<std::string, std::pair<List, std::string_view>> found;
  for (const ConnectionSummary& one : summary.connections) {
    if (one.target == label) found.try_emplace(one.type, List(), "in");
    if (one.source != label) continue;
    auto& [labels, direction] = found[one.type];
    labels.push_back(Value(one.target));
    direction = "out";
  }
  Map maps;
  for (auto& [type, end] : found)
    maps.emplace(type, Map{{"direction", Value(end.second)}, {"labels", std::move(end.first)}});
  return maps;
}

}  // namespace

// apoc.meta.data: rows for the properties of labels, for relationships by their start label, and
// the same for relationship types.
Result<Rows> describe_data(ExecutionContext& context, Arguments) {
  CAIRN_ASSIGN(const SchemaSummary summary, summarize_schema(context));
  CAIRN_ASSIGN(const SchemaRules rules, SchemaRules::read(context));
  const EndsByName ends = other_ends(summary);
  Rows rows;
  for (const NameSummary& label : summary.labels)
    add_property_rows(label, codec::EntityKind::node, rules, rows);
  for (const auto& [key, end] : ends)
    rows.push_back(
        data_row(key.first, key.second, "RELATIONSHIP", end.records, "node", end.labels));
  for (const NameSummary& type : summary.types)
    add_property_rows(type, codec::EntityKind::relationship, rules, rows);
  for (const auto& [key, end] : ends)
    rows.push_back(
        data_row(key.second, key.first, "RELATIONSHIP", end.records, "relationship", end.labels));
  return rows;
}

// apoc.meta.schema: a single map with an entry per label and type. A label replaces a type of the
// same name.
Result<Rows> describe_schema(ExecutionContext& context, Arguments) {
  CAIRN_ASSIGN(const SchemaSummary summary, summarize_schema(context));
  CAIRN_ASSIGN(const SchemaRules rules, SchemaRules::read(context));
  Map schema;
  for (const NameSummary& type : summary.types)
    schema.insert_or_assign(type.name, summary_map(type, codec::EntityKind::relationship, rules));
  for (const NameSummary& label : summary.labels) {
    Map map = summary_map(label, codec::EntityKind::node, rules);
    map.emplace("labels", List());
    map.emplace("relationships", connection_maps(summary, label.name));
    schema.insert_or_assign(label.name, std::move(map));
  }
  return Rows{{Value(std::move(schema))}};
}

// Nulls are skipped, because null is not a value of a property.
Result<Rows> distinct_values(ExecutionContext& context, Arguments arguments) {
  CAIRN_ASSIGN(const std::string label, text_of("a label", arguments[0]));
  CAIRN_ASSIGN(const std::string key, text_of("the name of a property", arguments[1]));
  CAIRN_ASSIGN(const codec::Bitmap* named, context.graph.labelled(codec::EntityKind::node, label));
  CAIRN_ASSIGN(const codec::Bitmap* visible, context.graph.restriction(codec::EntityKind::node));
  const codec::Bitmap ids = visible == nullptr ? *named : intersect(*named, *visible);
  RowSet seen(context.budget);
  List values;
  const std::vector<std::uint64_t> all = ids.to_vector();
  for (std::span<const std::uint64_t> rest(all); !rest.empty();) {
    CAIRN_ASSIGN(const auto some,
                 context.graph.some_properties(codec::EntityKind::node, rest, key));
    rest = rest.subspan(some.size());
    for (const Value& value : some) {
      if (value.is_null()) continue;
      CAIRN_ASSIGN(const bool is_new, seen.add(std::span(&value, 1)));
      if (is_new) values.push_back(value);
    }
  }
  return Rows{{Value(std::move(values))}};
}

}  // namespace cairn::query
