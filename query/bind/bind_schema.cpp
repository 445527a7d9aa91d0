// CREATE INDEX and CREATE CONSTRAINT. Names stay text: what they name may not exist yet.
// Labels, properties and options are checked by the engine when the command runs; here only that
// all properties are of the variable of FOR.

#include "query/bind/binder.hpp"

namespace cairn::query {
namespace {

std::string joined(const std::vector<ast::Name>& path) {
  std::string result;
  for (const ast::Name& part : path) {
    if (!result.empty()) result += '.';
    result += part.text;
  }
  return result;
}

/// Of CREATE INDEX and CREATE CONSTRAINT: what they have in common.
template <class Create>
SchemaCommand command_of(const Create& create, SchemaCommand::Kind kind) {
  SchemaCommand bound;
  bound.kind = kind;
  bound.name = create.name.text;
  bound.if_exists_or_not = create.if_not_exists;
  bound.on_relationship = create.target.on_relationship;
  for (const ast::Name& name : create.target.names) bound.labels_or_types.push_back(name.text);
  return bound;
}

/// Of IS NODE KEY for relationships and the like; empty where it fits.
std::string misfit(const ast::CreateConstraint& command) {
  using Type = ast::ConstraintType;
  const bool is_key = command.type == Type::node_key || command.type == Type::relationship_key;
  const bool of_nodes = command.type == Type::node_key || command.type == Type::node_unique;
  const bool of_relationships =
      command.type == Type::relationship_key || command.type == Type::relationship_unique;
  const bool on_relationship = command.target.on_relationship;
  if (on_relationship ? !of_nodes : !of_relationships) return "";
  const std::string type = is_key ? "KEY" : "UNIQUE";
  return "IS " + std::string(of_nodes ? "NODE " : "RELATIONSHIP ") + type + " is for " +
         (of_nodes ? "nodes, and this is a type of relationships: write IS RELATIONSHIP "
                   : "relationships, and this is a label of nodes: write IS NODE ") +
         type;
}

}  // namespace

// The variable only ties ON to FOR; it has no slot.
Result<SchemaCommand> Binder::bind_schema(const ast::CreateIndex& command) {
  using Kind = SchemaCommand::Kind;
  static constexpr Kind kinds[] = {Kind::create_range_index, Kind::create_vector_index,
                                   Kind::create_full_text_index};
  SchemaCommand bound = command_of(command, kinds[static_cast<std::size_t>(command.type)]);
  CAIRN_ASSIGN(bound.properties, bind_schema_properties(command.target, command.properties));
  if (command.type == ast::IndexType::vector && bound.properties.size() != 1) {
    return error(command.properties[1].variable, "a vector index has one property");
  }
  CAIRN_ASSIGN(bound.options, bind_optional(command.options));
  return bound;
}

// Options of Neo4j say how its index is made; ours has none, so that they are read and have no effect.
Result<SchemaCommand> Binder::bind_schema(const ast::CreateConstraint& command) {
  using Kind = SchemaCommand::Kind;
  static constexpr Kind kinds[] = {Kind::create_unique_constraint,   Kind::create_key_constraint,
                                   Kind::create_not_null_constraint, Kind::create_unique_constraint,
                                   Kind::create_key_constraint,      Kind::create_unique_constraint,
                                   Kind::create_key_constraint};
  SchemaCommand bound = command_of(command, kinds[static_cast<std::size_t>(command.type)]);
  if (const std::string problem = misfit(command); !problem.empty())
    return error(command.target.names.front(), problem);
  if (command.target.names.size() != 1)
    return error(command.target.names[1],
                 "a constraint has one label or type; make one for each of them");
  for (const ast::IndexProperty& property : command.properties)
    if (property.path.size() != 1)
      return error(property.path[1],
                   "a constraint is about properties, and not about what is within them");
  CAIRN_ASSIGN(bound.properties, bind_schema_properties(command.target, command.properties));
  CAIRN_ASSIGN(bound.options, bind_optional(command.options));
  return bound;
}

Result<std::vector<std::string>> Binder::bind_schema_properties(
    const ast::IndexTarget& target, const std::vector<ast::IndexProperty>& properties) {
  std::vector<std::string> names;
  for (const ast::IndexProperty& property : properties) {
    if (property.variable.text != target.variable.text)
      return undefined(property.variable, property.variable.text);
    names.push_back(joined(property.path));
  }
  return names;
}

}  // namespace cairn::query
