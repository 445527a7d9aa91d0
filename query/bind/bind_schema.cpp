// CREATE INDEX. Names stay text: what they name may not exist yet.
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

}  // namespace

// The variable only ties ON to FOR; it has no slot.
Result<SchemaCommand> Binder::bind_schema(const ast::CreateIndex& command) {
  using Kind = SchemaCommand::Kind;
  SchemaCommand bound;
  static constexpr Kind kinds[] = {Kind::create_range_index, Kind::create_vector_index,
                                   Kind::create_full_text_index};
  bound.kind = kinds[static_cast<std::size_t>(command.type)];
  bound.name = command.name.text;
  bound.if_exists_or_not = command.if_not_exists;
  bound.on_relationship = command.target.on_relationship;
  for (const ast::Name& name : command.target.names) bound.labels_or_types.push_back(name.text);
  for (const ast::IndexProperty& property : command.properties) {
    if (property.variable.text != command.target.variable.text) {
      return undefined(property.variable, property.variable.text);
    }
    bound.properties.push_back(joined(property.path));
  }
  if (command.type == ast::IndexType::vector && bound.properties.size() != 1) {
    return error(command.properties[1].variable, "a vector index has one property");
  }
  CAIRN_ASSIGN(bound.options, bind_optional(command.options));
  return bound;
}

}  // namespace cairn::query
