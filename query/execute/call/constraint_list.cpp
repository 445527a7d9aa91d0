#include "codec/catalog_entry.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/graph/constraint_check.hpp"
#include "query/execute/call/builtin_procedures.hpp"
#include "query/execute/pipeline/execution_context.hpp"
#include "query/syntax/ast.hpp"
#include "query/syntax/printer.hpp"

namespace cairn::query {
namespace {

using codec::ConstraintEntry;
using codec::EntityKind;
using engine::Catalog;

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

// Its paths are in the indexes of all properties, so that it owns no index of its own.
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
