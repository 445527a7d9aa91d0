#include "query/execute/call/schema_rules.hpp"

#include "codec/catalog_entry.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/graph/constraint_check.hpp"
#include "query/execute/pipeline/execution_context.hpp"
#include "query/execute/pipeline/known_indexes.hpp"

#include <algorithm>
#include <span>
#include <string_view>
#include <utility>

namespace cairn::query {
namespace {

using codec::EntityKind;
using engine::Catalog;

std::vector<std::string> catalog_names(const Catalog& catalog, codec::CatalogKind kind,
                                       std::span<const std::uint32_t> ids) {
  std::vector<std::string> names;
  for (const std::uint32_t id : ids) names.push_back(catalog.name(kind, id));
  return names;
}

codec::CatalogKind catalog_kind_of(EntityKind entity) {
  return entity == EntityKind::node ? codec::CatalogKind::label
                                    : codec::CatalogKind::relationship_type;
}

std::string kind_text(codec::IndexKind kind) {
  return kind == codec::IndexKind::vector      ? "VECTOR"
         : kind == codec::IndexKind::full_text ? "FULLTEXT"
                                               : "RANGE";
}

std::string index_state_text(codec::IndexState state) {
  return state == codec::IndexState::online   ? "ONLINE"
         : state == codec::IndexState::failed ? "FAILED"
                                              : "BUILDING";
}

SchemaRule rule_of(const codec::IndexEntry& index, const Catalog& catalog) {
  SchemaRule rule;
  rule.name = index.name;
  rule.type = kind_text(index.kind);
  rule.entity = index.entity;
  rule.labels_or_types =
      catalog_names(catalog, catalog_kind_of(index.entity), index.labels_or_types);
  rule.properties = catalog_names(catalog, codec::CatalogKind::property, index.properties);
  rule.state = index_state_text(index.state);
  return rule;
}

SchemaRule rule_of(const codec::ConstraintEntry& constraint, const Catalog& catalog) {
  SchemaRule rule;
  rule.kind = constraint.kind == codec::ConstraintKind::unique ? SchemaRule::Kind::unique
              : constraint.kind == codec::ConstraintKind::key  ? SchemaRule::Kind::key
                                                               : SchemaRule::Kind::not_null;
  rule.name = constraint.name;
  rule.type = engine::type_text(constraint);
  rule.entity = constraint.entity;
  rule.labels_or_types =
      catalog_names(catalog, catalog_kind_of(constraint.entity), {&constraint.label_or_type, 1});
  rule.properties = catalog_names(catalog, codec::CatalogKind::property, constraint.properties);
  return rule;
}

std::string join(std::string_view separator, const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : std::string(separator)) + name;
  return text;
}

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

}  // namespace

std::string description_of(const SchemaRule& rule) {
  const bool of_nodes = rule.entity == EntityKind::node;
  const std::string inside =
      ":" + join("|", rule.labels_or_types) + " {" + join(", ", rule.properties) + "}";
  return (rule.kind == SchemaRule::Kind::index ? "Index( name='" : "Constraint( name='") +
         rule.name + "', type='" + rule.type +
         "', schema=" + (of_nodes ? "(" + inside + ")" : "()-[" + inside + "]-()") + " )";
}

Result<SchemaRules> SchemaRules::read(ExecutionContext& context) {
  const Catalog& catalog = context.graph.catalog();
  SchemaRules rules;
  for (const auto& [id, index] : catalog.indexes()) {
    CAIRN_ASSIGN(const bool is_known, may_know(context, index));
    if (is_known) rules.rules_.push_back(rule_of(index, catalog));
  }
  for (const auto& [id, constraint] : catalog.constraints())
    rules.rules_.push_back(rule_of(constraint, catalog));
  return rules;
}

std::vector<const SchemaRule*> SchemaRules::of(EntityKind entity, const std::string& name) const {
  std::vector<const SchemaRule*> found;
  for (const SchemaRule& rule : rules_)
    if (rule.entity == entity && contains(rule.labels_or_types, name)) found.push_back(&rule);
  return found;
}

// A constraint on several properties together does not make any of them unique.
PropertyRules SchemaRules::of(EntityKind entity, const std::string& name,
                              const std::string& property) const {
  using Kind = SchemaRule::Kind;
  PropertyRules result;
  for (const SchemaRule* rule : of(entity, name)) {
    if (!contains(rule->properties, property)) continue;
    const bool is_unique = rule->kind == Kind::unique || rule->kind == Kind::key;
    result.is_indexed |= rule->kind == Kind::index || is_unique;
    result.is_unique |= is_unique && rule->properties.size() == 1;
    result.is_required |= rule->kind == Kind::key || rule->kind == Kind::not_null;
  }
  return result;
}

}  // namespace cairn::query
