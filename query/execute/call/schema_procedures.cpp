#include "query/execute/call/builtin_procedures.hpp"

#include "query/execute/call/schema_summary.hpp"
#include "query/execute/pipeline/execution_context.hpp"

#include <limits>
#include <map>
#include <memory>
#include <string>
#include <utility>

namespace cairn::query {
namespace {

using Rows = Procedure::Rows;
using Arguments = std::span<const Value>;

/// As Neo4j's db.schema procedures name types.
std::string_view schema_type(ValueType type) {
  switch (type) {
    case ValueType::boolean:
      return "Boolean";
    case ValueType::integer:
      return "Long";
    case ValueType::floating:
      return "Double";
    case ValueType::string:
      return "String";
    case ValueType::list:
      return "Array";
    case ValueType::map:
      return "Map";
    case ValueType::date:
      return "Date";
    case ValueType::local_time:
      return "LocalTime";
    case ValueType::time:
      return "Time";
    case ValueType::local_date_time:
      return "LocalDateTime";
    case ValueType::date_time:
      return "DateTime";
    case ValueType::duration:
      return "Duration";
    case ValueType::vector:
      return "FloatArray";
    default:
      return "Any";
  }
}

/// ":`Person`", as Neo4j quotes every name.
std::string quoted_type(const std::string& name) {
  std::string text = ":`";
  for (const char letter : name) text += letter == '`' ? std::string("``") : std::string(1, letter);
  return text + "`";
}

// The columns of one property: its name, its types, whether every record has it. Without any, a row says so by nulls.
std::vector<std::vector<Value>> property_columns(const NameSummary& summary) {
  if (summary.properties.empty()) return {{Value(), Value(), Value(false)}};
  std::vector<std::vector<Value>> rows;
  for (const auto& [name, property] : summary.properties) {
    List types;
    for (const ValueType type : property.types) types.push_back(Value(schema_type(type)));
    rows.push_back(
        {Value(name), Value(std::move(types)), Value(property.records == summary.records)});
  }
  return rows;
}

}  // namespace

Result<Rows> node_type_properties(ExecutionContext& context, Arguments) {
  CAIRN_ASSIGN(const auto labels, summarize_names(context, codec::EntityKind::node));
  Rows rows;
  for (const NameSummary& label : labels)
    for (std::vector<Value>& columns : property_columns(label)) {
      columns.insert(columns.begin(),
                     {Value(quoted_type(label.name)), Value(List{Value(label.name)})});
      rows.push_back(std::move(columns));
    }
  return rows;
}

Result<Rows> relationship_type_properties(ExecutionContext& context, Arguments) {
  CAIRN_ASSIGN(const auto types, summarize_names(context, codec::EntityKind::relationship));
  Rows rows;
  for (const NameSummary& type : types)
    for (std::vector<Value>& columns : property_columns(type)) {
      columns.insert(columns.begin(), Value(quoted_type(type.name)));
      rows.push_back(std::move(columns));
    }
  return rows;
}

namespace {

/// The nodes and relationships of a picture, with ids from the far end, where the database gives none.
class SchemaPicture {
 public:
  explicit SchemaPicture(const SchemaSummary& summary) {
    for (const NameSummary& label : summary.labels) add_node(label.name);
    for (const ConnectionSummary& connection : summary.connections) add_relationship(connection);
  }

  [[nodiscard]] std::vector<Value> row() && {
    return {Value(std::move(nodes_)), Value(std::move(relationships_))};
  }

 private:
  void add_node(const std::string& label) {
    const NodeId id{last_id - nodes_.size()};
    ids_.emplace(label, id);
    const Properties properties = {{"name", label}, {"indexes", List()}, {"constraints", List()}};
    nodes_.push_back(
        Node(id, std::make_shared<const Node::Content>(Node::Content{{label}, properties, {}})));
  }

  void add_relationship(const ConnectionSummary& connection) {
    const auto source = ids_.find(connection.source);
    const auto target = ids_.find(connection.target);
    if (source == ids_.end() || target == ids_.end()) return;
    const RelationshipId id{last_id - relationships_.size()};
    relationships_.push_back(Relationship(
        id, std::make_shared<const Relationship::Content>(Relationship::Content{
                connection.type, source->second, target->second, {{"name", connection.type}}})));
  }

  static constexpr auto last_id =
      static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());

  List nodes_;
  List relationships_;
  std::map<std::string, NodeId> ids_;  // by label
};

}  // namespace

Result<Rows> visualize_schema(ExecutionContext& context, Arguments) {
  CAIRN_ASSIGN(const SchemaSummary summary, summarize_schema(context));
  return Rows{SchemaPicture(summary).row()};
}

}  // namespace cairn::query
