// Procedures that show the schema: labels, types and properties, and constraints.

#include "codec/catalog_entry.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/graph/constraint_check.hpp"
#include "query/execute/call/builtin_procedures.hpp"
#include "query/execute/call/schema_rules.hpp"
#include "query/execute/call/schema_summary.hpp"
#include "query/execute/pipeline/execution_context.hpp"
#include "query/syntax/ast.hpp"
#include "query/syntax/printer.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <utility>

namespace cairn::query {
namespace {

using Rows = Procedure::Rows;
using Arguments = std::span<const Value>;

/// Returns the type name that Neo4j's db.schema procedures use.
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

/// Quotes a name as Neo4j does: ":`Person`".
std::string quoted_type(const std::string& name) {
  std::string text = ":`";
  for (const char letter : name) text += letter == '`' ? std::string("``") : std::string(1, letter);
  return text + "`";
}

// Returns one row per property: its name, its types, and whether every record has it. If there is
// no property, returns one row with nulls.
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

// db.schema.nodeTypeProperties. Neo4j returns a row per combination of labels. Cairn returns a row per label.
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

// db.schema.relTypeProperties
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

// Cypher has only signed integers.
Value records_value(std::uint64_t count) { return Value(static_cast<std::int64_t>(count)); }

/// Estimates the number of relationships of a connection, because only the first thousand of each
/// type were read.
std::uint64_t expected_records(const ConnectionSummary& connection, const SchemaSummary& summary) {
  const auto type = std::ranges::find(summary.types, connection.type, &NameSummary::name);
  if (type == summary.types.end() || type->read == 0) return connection.records;
  return connection.records * type->records / type->read;
}

// Which properties the entities of a picture have.
enum class PictureStyle : std::uint8_t { neo4j, apoc };

/// Joins names by commas.
std::string comma_list(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ",") + name;
  return text;
}

/// Makes the nodes and relationships of a picture. Their ids count down from the largest number,
/// which the database does not assign.
class SchemaPicture {
 public:
  SchemaPicture(const SchemaSummary& summary, const SchemaRules& rules, PictureStyle style)
      : rules_(rules), style_(style) {
    for (const NameSummary& label : summary.labels) add_node(label);
    for (const ConnectionSummary& connection : summary.connections)
      add_relationship(connection, expected_records(connection, summary));
  }

  [[nodiscard]] std::vector<Value> row() && {
    return {Value(std::move(nodes_)), Value(std::move(relationships_))};
  }

 private:
  // Nodes of db.schema.visualization() have `indexes`, each as its properties, and `constraints`. Nodes of
  // apoc.meta.graph() have a `count`.
  void add_node(const NameSummary& label) {
    const NodeId id{last_id - nodes_.size()};
    ids_.emplace(label.name, id);
    Properties properties = {{"name", label.name}};
    if (style_ == PictureStyle::neo4j)
      add_rules(label.name, properties);
    else
      properties.emplace("count", records_value(label.records));
    nodes_.push_back(Node(id, std::make_shared<const Node::Content>(
                                  Node::Content{{label.name}, std::move(properties), {}})));
  }

  void add_rules(const std::string& label, Properties& properties) const {
    List indexes, constraints;
    for (const SchemaRule* rule : rules_.of(codec::EntityKind::node, label)) {
      if (rule->kind == SchemaRule::Kind::index)
        indexes.push_back(Value(comma_list(rule->properties)));
      else
        constraints.push_back(Value(description_of(*rule)));
    }
    properties.insert({{"indexes", std::move(indexes)}, {"constraints", std::move(constraints)}});
  }

  // Skips connections of labels that are not in the picture.
  void add_relationship(const ConnectionSummary& connection, std::uint64_t records) {
    const auto source = ids_.find(connection.source);
    const auto target = ids_.find(connection.target);
    if (source == ids_.end() || target == ids_.end()) return;
    const RelationshipId id{last_id - relationships_.size()};
    Properties properties = {{"name", connection.type}};
    if (style_ == PictureStyle::apoc)
      properties = {{"type", connection.type}, {"count", records_value(records)}};
    relationships_.push_back(Relationship(
        id, std::make_shared<const Relationship::Content>(Relationship::Content{
                connection.type, source->second, target->second, std::move(properties)})));
  }

  static constexpr auto last_id =
      static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());

  const SchemaRules& rules_;
  const PictureStyle style_;
  List nodes_;
  List relationships_;
  std::map<std::string, NodeId> ids_;  // node by label
};

}  // namespace

Result<Rows> visualize_schema(ExecutionContext& context, Arguments) {
  CAIRN_ASSIGN(const SchemaSummary summary, summarize_schema(context));
  CAIRN_ASSIGN(const SchemaRules rules, SchemaRules::read(context));
  return Rows{SchemaPicture(summary, rules, PictureStyle::neo4j).row()};
}

Result<Rows> describe_graph(ExecutionContext& context, Arguments arguments) {
  CAIRN_TRY(check_meta_options(context, "apoc.meta.graph", arguments));
  CAIRN_ASSIGN(const SchemaSummary summary, summarize_schema(context));
  return Rows{SchemaPicture(summary, {}, PictureStyle::apoc).row()};
}

namespace {

using codec::ConstraintEntry;
using codec::EntityKind;
using engine::Catalog;

// Returns the label or type of a constraint.
const std::string& group_name(const ConstraintEntry& constraint, const Catalog& catalog) {
  const bool of_nodes = constraint.entity == EntityKind::node;
  return catalog.name(of_nodes ? codec::CatalogKind::label : codec::CatalogKind::relationship_type,
                      constraint.label_or_type);
}

ast::Name name_of(std::string text) {
  ast::Name name;
  name.text = std::move(text);
  return name;
}

// Returns the CREATE CONSTRAINT statement that would create the constraint.
std::string create_statement(const ConstraintEntry& constraint, const Catalog& catalog) {
  const bool of_nodes = constraint.entity == EntityKind::node;
  ast::CreateConstraint create;
  create.name = name_of(constraint.name);
  create.if_not_exists = true;
  create.type = static_cast<ast::ConstraintType>(static_cast<std::uint8_t>(constraint.kind) - 1);
  create.target.on_relationship = !of_nodes;
  create.target.variable = name_of(of_nodes ? "n" : "r");
  create.target.names = {name_of(group_name(constraint, catalog))};
  for (const std::uint32_t key : constraint.properties)
    create.properties.push_back(
        {create.target.variable, {name_of(catalog.name(codec::CatalogKind::property, key))}});
  ast::Statement statement;
  statement.content = std::move(create);
  return print(statement);
}

}  // namespace

// The column `ownedIndex` is null, because constraints use the automatic property indexes.
Result<Procedure::Rows> list_constraints(ExecutionContext& context, std::span<const Value>) {
  const Catalog& catalog = context.graph.catalog();
  Procedure::Rows rows;
  for (const auto& [id, constraint] : catalog.constraints()) {
    List properties;
    for (const std::uint32_t key : constraint.properties)
      properties.emplace_back(catalog.name(codec::CatalogKind::property, key));
    const bool of_nodes = constraint.entity == EntityKind::node;
    rows.push_back({Value(static_cast<std::int64_t>(id)), Value(constraint.name),
                    Value(engine::type_text(constraint)), Value(of_nodes ? "NODE" : "RELATIONSHIP"),
                    Value(List{group_name(constraint, catalog)}), Value(std::move(properties)),
                    Value(), Value(), Value(Map()), Value(create_statement(constraint, catalog))});
  }
  return rows;
}

}  // namespace cairn::query
