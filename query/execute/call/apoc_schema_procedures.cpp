// The procedures apoc.meta.data, apoc.meta.schema, apoc.schema.nodes and apoc.schema.properties.distinct. Frameworks
// use them to learn the schema of a graph, so names, columns and types follow APOC.
#include "codec/bitmap.hpp"
#include "engine/catalog/catalog.hpp"
#include "query/execute/call/builtin_procedures.hpp"
#include "query/execute/call/procedure_arguments.hpp"
#include "query/execute/call/schema_rules.hpp"
#include "query/execute/call/schema_summary.hpp"
#include "query/execute/path_index.hpp"
#include "query/execute/pipeline/execution_context.hpp"
#include "query/execute/pipeline/row_set.hpp"
#include "query/facets/facet_counter.hpp"
#include "query/functions/value_forms.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

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

// The numbers are exact, so nothing is sampled. An option that chooses a part of the graph would be missed in the result.
Status check_meta_options(ExecutionContext& context, std::string_view procedure,
                          std::span<const Value> arguments) {
  if (arguments.empty()) return {};
  CAIRN_ASSIGN(const Map options, properties_of("the options", arguments[0]));
  for (const auto& [name, value] : options) {
    if (name != "sample" && name != "maxRels")
      return Error{ErrorCode::invalid_argument,
                   std::string(procedure) + "() describes all records and has no option `" + name +
                       "`; leave it out, and choose by WHERE after YIELD",
                   std::nullopt};
    warn_once(context, "the option `" + name + "` of " + std::string(procedure) +
                           "() has no effect: all records are counted, and up to a thousand of "
                           "each label and type are "
                           "read");
  }
  return {};
}

// apoc.meta.data: rows for the properties of labels, for relationships by their start label, and
// the same for relationship types.
Result<Rows> describe_data(ExecutionContext& context, Arguments arguments) {
  CAIRN_TRY(check_meta_options(context, "apoc.meta.data", arguments));
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
Result<Rows> describe_schema(ExecutionContext& context, Arguments arguments) {
  CAIRN_TRY(check_meta_options(context, "apoc.meta.schema", arguments));
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

// apoc.schema.nodes: the indexes and constraints of labels, with the number of visible nodes in each.

namespace {

/// The labels that a call wants. APOC allows one of both lists.
struct WantedLabels {
  std::vector<std::string> labels;
  std::vector<std::string> excluded;

  [[nodiscard]] bool has(const SchemaRule& rule) const {
    const auto is_in = [](const std::vector<std::string>& list) {
      return [&](const std::string& name) { return std::ranges::find(list, name) != list.end(); };
    };
    return (labels.empty() || std::ranges::any_of(rule.labels_or_types, is_in(labels))) &&
           std::ranges::none_of(rule.labels_or_types, is_in(excluded));
  }
};

Result<WantedLabels> wanted_labels(Arguments arguments) {
  WantedLabels wanted;
  if (arguments.empty()) return wanted;
  CAIRN_ASSIGN(const Map options, properties_of("the options", arguments[0]));
  for (const auto& [name, value] : options) {
    if (name == "labels") {
      CAIRN_ASSIGN(wanted.labels, texts_of("labels", value));
    } else if (name == "excludeLabels") {
      CAIRN_ASSIGN(wanted.excluded, texts_of("excludeLabels", value));
    } else {
      return Error{ErrorCode::invalid_argument,
                   "apoc.schema.nodes() has the options labels and excludeLabels, got " + name,
                   std::nullopt};
    }
  }
  if (!wanted.labels.empty() && !wanted.excluded.empty())
    return Error{ErrorCode::invalid_argument,
                 "apoc.schema.nodes() takes labels or excludeLabels, not both", std::nullopt};
  return wanted;
}

/// Returns the visible nodes with a label and all properties of the rule; nullopt if the index of a property does not
/// have them all.
Result<std::optional<codec::Bitmap>> nodes_of(ExecutionContext& context, const SchemaRule& rule) {
  std::vector<codec::Bitmap> labelled;
  for (const std::string& label : rule.labels_or_types) {
    CAIRN_ASSIGN(const codec::Bitmap* ids, context.graph.labelled(codec::EntityKind::node, label));
    labelled.push_back(*ids);
  }
  codec::Bitmap ids = codec::unite_all(labelled);
  CAIRN_ASSIGN(const codec::Bitmap* visible, context.graph.restriction(codec::EntityKind::node));
  if (visible != nullptr) ids = codec::intersect(ids, *visible);
  for (const std::string& property : rule.properties) {
    CAIRN_ASSIGN(const auto found,
                 ask_path(context.graph, codec::EntityKind::node, {property}, {}));
    const bool is_absent = !found && context.graph.catalog().has_all_paths();
    if (!is_absent && (!found || found->all_but || !found->exact))
      return std::optional<codec::Bitmap>();
    ids = is_absent ? codec::Bitmap() : codec::intersect(ids, found->ids);
  }
  return std::optional(std::move(ids));
}

/// Returns the share of different values among the nodes of a rule; null if they are not counted: for several properties
/// together, texts and vectors.
Result<Value> selectivity(ExecutionContext& context, const SchemaRule& rule,
                          const codec::Bitmap& ids) {
  using Kind = SchemaRule::Kind;
  if (rule.kind == Kind::unique || rule.kind == Kind::key) return Value(1.0);
  if (rule.type != "RANGE" || rule.properties.size() != 1) return Value();
  if (ids.empty()) return Value(1.0);
  FacetRequest request;
  request.field = "['";
  for (const char letter : rule.properties.front())
    request.field += letter == '\'' ? std::string("''") : std::string(1, letter);
  request.field += "']";
  request.limit = 1;
  CAIRN_ASSIGN(const Facet facet, count_facet(context, ids, request));
  return Value(
      std::min(1.0, static_cast<double>(facet.distinct) / static_cast<double>(ids.cardinality())));
}

/// The name that APOC gives to a rule: ":Person(name,age)".
std::string apoc_name(const SchemaRule& rule) {
  std::string text;
  for (const std::string& label : rule.labels_or_types) text += (text.empty() ? ":" : "|") + label;
  for (std::size_t i = 0; i < rule.properties.size(); ++i)
    text += (i == 0 ? "(" : ",") + rule.properties[i];
  return text + ")";
}

Result<std::vector<Value>> rule_row(ExecutionContext& context, const SchemaRule& rule) {
  const bool is_index = rule.kind == SchemaRule::Kind::index;
  const bool is_online = !is_index || rule.state == "ONLINE";
  const bool has_failed = rule.state == "FAILED";
  CAIRN_ASSIGN(const auto ids, nodes_of(context, rule));
  Value share;
  if (ids) {
    CAIRN_ASSIGN(share, selectivity(context, rule, *ids));
  }
  const Value label = rule.labels_or_types.size() == 1 ? Value(rule.labels_or_types.front())
                                                       : list_of_texts(rule.labels_or_types);
  return std::vector<Value>{Value(apoc_name(rule)),
                            label,
                            list_of_texts(rule.properties),
                            Value(is_index ? rule.state : "ONLINE"),
                            Value(rule.type),
                            Value(has_failed ? "FAILED" : "NO FAILURE"),
                            Value(is_online ? 100.0 : 0.0),
                            ids ? number(ids->cardinality()) : Value(),
                            share,
                            Value(description_of(rule))};
}

}  // namespace

// Rows are in the order of their names, as in APOC.
Result<Rows> list_node_rules(ExecutionContext& context, Arguments arguments) {
  CAIRN_ASSIGN(const WantedLabels wanted, wanted_labels(arguments));
  CAIRN_ASSIGN(const SchemaRules rules, SchemaRules::read(context));
  Rows rows;
  for (const SchemaRule& rule : rules.all()) {
    if (rule.entity != codec::EntityKind::node || !wanted.has(rule)) continue;
    CAIRN_ASSIGN(auto row, rule_row(context, rule));
    rows.push_back(std::move(row));
  }
  std::ranges::stable_sort(rows, {}, [](const auto& row) { return row.front().as_string(); });
  return rows;
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
