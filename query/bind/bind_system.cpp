// System fields: n@expires_at, (n @ {external_id: $id}), SET n@expires_at = ...
// A field is read by a function of its entity that has no name of its own in the language, so that
// everything that knows calls knows fields: estimates, plans, EXPLAIN. `n @ {field: value}` is the
// condition n@field = value where it is matched, and a map of values where it is made.

#include "query/bind/binder.hpp"
#include "query/bind/made_record.hpp"
#include "query/functions/system_fields.hpp"

namespace cairn::query {
namespace {

constexpr std::string_view expires_at = "expires_at";
constexpr std::string_view external_id = "external_id";

bool may_have_fields(StaticType type) { return type.is_entity() || type.is_open(); }

}  // namespace

Result<const FunctionEntry*> Binder::system_field(std::string_view name,
                                                  const ast::Located& where) const {
  if (const FunctionEntry* entry = find_system_field(name)) return entry;
  const std::string_view near = nearest_system_field(name);
  return error(where, "there is no system field `" + std::string(name) + "`" +
                          (near.empty() ? "; there are " + system_field_names()
                                        : ", did you mean @" + std::string(near) + "?"));
}

Result<Typed> Binder::bind_system_field(Typed base, const ast::SystemField& field,
                                        const ast::Located& where) {
  CAIRN_ASSIGN(const FunctionEntry* entry, system_field(field.name, field));
  if (!may_have_fields(base.type)) return wrong_type(where, base.type, "a node or a relationship");
  if (field.name == external_id && base.type.is(TypeKind::relationship))
    return error(where, "a relationship has no external id; nodes have");
  auto result = make(ExpressionKind::function_call, where);
  result->function = entry;
  result->children.push_back(std::move(base.expression));
  return Typed{std::move(result), {}};
}

Status Binder::bind_system_conditions(const ast::Expression& fields, Slot slot, StaticType type,
                                      std::vector<ExpressionPtr>& conjuncts) {
  const auto* map = fields.get_if<ast::MapLiteral>();
  if (map == nullptr) return {};
  for (const ast::MapEntry& entry : map->entries) {
    ast::SystemField field;
    static_cast<ast::Located&>(field) = entry.key;
    field.name = entry.key.text;
    CAIRN_ASSIGN(Typed read,
                 bind_system_field({make_variable(slot, entry.key), type}, field, entry.key));
    CAIRN_ASSIGN(auto value, bind_untyped(entry.value));
    auto condition = make(ExpressionKind::equal, entry.key);
    condition->children.push_back(std::move(read.expression));
    condition->children.push_back(std::move(value));
    conjuncts.push_back(std::move(condition));
  }
  return {};
}

// MERGE looks for what it would make, and by an external id it is found; when it expires is not part
// of what it is.
Status Binder::check_given(const ast::Name& field, Creation creation, StaticType type) const {
  const std::string& name = field.text;
  CAIRN_TRY(system_field(name, field));
  if (name != external_id && name != expires_at)
    return error(field, "@" + name + " is read only; only external_id and expires_at are given");
  if (name == external_id && !type.is(TypeKind::node))
    return error(field, "a relationship has no external id; nodes have");
  if (name == expires_at && creation == Creation::merge)
    return error(
        field,
        "MERGE finds a node by its external_id; set the expiry by ON CREATE SET and ON MATCH "
        "SET n@expires_at");
  return {};
}

Status Binder::add_system(const ast::Expression& fields, Creation creation, StaticType type,
                          ExpressionPtr& made) {
  const auto* map = fields.get_if<ast::MapLiteral>();
  if (map == nullptr) return {};
  for (const ast::MapEntry& entry : map->entries) CAIRN_TRY(check_given(entry.key, creation, type));
  CAIRN_ASSIGN(auto bound, bind_untyped(fields));
  auto both = make(ExpressionKind::list, fields);
  both->children.push_back(made != nullptr ? std::move(made) : make(ExpressionKind::map, fields));
  both->children.push_back(std::move(bound));
  made = std::move(both);
  return {};
}

Status Binder::check_settable(const ast::SystemField& field) const {
  CAIRN_TRY(system_field(field.name, field));
  if (field.name == expires_at) return {};
  if (field.name == external_id)
    return error(
        field,
        "@external_id is given when a node is made, and is read only from then on: CREATE (n "
        "@ {external_id: ...})");
  return error(field, "@" + field.name + " is read only");
}

Result<SetItem> Binder::bind_expiry(const ast::SuffixChain& chain, const ast::Expression& whole,
                                    const ast::SetAssignment* assignment) {
  CAIRN_TRY(check_settable(std::get<ast::SystemField>(chain.suffixes.back().content)));
  SetItem bound;
  bound.kind = SetItem::Kind::expiry;
  if (assignment != nullptr) {
    if (assignment->op != ast::SetOperator::assign)
      return error(whole, "@expires_at is set by = and a datetime");
    CAIRN_ASSIGN(bound.value, bind_untyped(assignment->value));
  }
  CAIRN_ASSIGN(bound.target, bind_owner(chain, whole));
  return bound;
}

}  // namespace cairn::query
