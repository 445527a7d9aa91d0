// The clauses that write: CREATE, MERGE, SET, REMOVE, DELETE and FOREACH. Targets are expressions: SET (CASE ...
// END).x = 1 and DELETE list[0] are valid. The type of a target is refused only if it can never be an entity; other
// targets are checked at run time.

#include "query/bind/binder.hpp"

#include <utility>

namespace cairn::query {
namespace {

/// A value of unknown type may be an entity; it is checked at run time.
bool may_be_entity(StaticType type) { return type.is_entity() || type.is_open(); }

/// True for the clauses that are allowed in FOREACH.
bool is_update(const ast::Clause& clause) {
  return std::holds_alternative<ast::Create>(clause.content) ||
         std::holds_alternative<ast::Merge>(clause.content) ||
         std::holds_alternative<ast::Set>(clause.content) ||
         std::holds_alternative<ast::Remove>(clause.content) ||
         std::holds_alternative<ast::Delete>(clause.content) ||
         std::holds_alternative<ast::Box<ast::Foreach>>(clause.content);
}

}  // namespace

Result<Clause> Binder::bind_clause(const ast::Create& clause, const ast::Clause&) {
  CreateClause create;
  std::vector<Slot> introduced;
  for (const ast::PathPattern& path : clause) {
    CAIRN_ASSIGN(auto bound, create_path(path, Creation::create, introduced));
    create.paths.push_back(std::move(bound));
  }
  create.width = scope_->width();
  return Clause(std::move(create));
}

// ON CREATE and ON MATCH can use the variables that the pattern introduces.
Result<Clause> Binder::bind_clause(const ast::Merge& clause, const ast::Clause&) {
  MergeClause merge;
  CAIRN_ASSIGN(merge.path, create_path(clause.path, Creation::merge, merge.introduced));
  for (const ast::MergeAction& action : clause.actions) {
    for (const ast::SetItem& item : action.items) {
      CAIRN_ASSIGN(SetItem bound, bind_set_item(item));
      (action.on_create ? merge.on_create : merge.on_match).push_back(std::move(bound));
    }
  }
  merge.width = scope_->width();
  return Clause(std::move(merge));
}

// SET and REMOVE both become a SetClause.
Result<Clause> Binder::bind_clause(const ast::Set& clause, const ast::Clause&) {
  SetClause set;
  for (const ast::SetItem& item : clause) {
    CAIRN_ASSIGN(SetItem bound, bind_set_item(item));
    set.items.push_back(std::move(bound));
  }
  set.width = scope_->width();
  return Clause(std::move(set));
}

Result<Clause> Binder::bind_clause(const ast::Remove& clause, const ast::Clause&) {
  SetClause remove;
  for (const ast::Expression& item : clause) {
    CAIRN_ASSIGN(SetItem bound, bind_remove_item(item));
    remove.items.push_back(std::move(bound));
  }
  remove.width = scope_->width();
  return Clause(std::move(remove));
}

// The target is the expression before the last suffix. For = and += on an entity, it is the whole expression:
//
//    n.a = 1       property, target n       n = m    replace_all
//    n.a.b = 1     property, target n.a     n += m   merge_all        n:A:B   labels
//
// The target must be an entity at run time. So n.a.b = 1 fails if n.a is a map: values within maps cannot be set.
Result<SetItem> Binder::bind_set_item(const ast::SetItem& item) {
  using Kind = SetItem::Kind;
  const auto* chain = item.target.get_if<ast::SuffixChain>();
  const ast::Suffix* last = chain != nullptr ? &chain->suffixes.back() : nullptr;
  if (last != nullptr && std::holds_alternative<ast::SystemField>(last->content))
    return bind_expiry(*chain, item.target, &item.assignment);
  SetItem bound;
  if (item.assignment.op == ast::SetOperator::none) {
    const auto* labels =
        last != nullptr ? std::get_if<ast::LabelExpression>(&last->content) : nullptr;
    if (labels == nullptr) return error(item.target, "SET needs = and a value, or labels, here");
    bound.kind = Kind::labels;
    CAIRN_ASSIGN(ChangedLabels changed, changed_labels(*labels));
    bound.labels = std::move(changed.names);
    bound.value = std::move(changed.by_value);
    CAIRN_ASSIGN(bound.target, bind_owner(*chain, item.target));
    return bound;
  }
  const auto* property = last != nullptr ? std::get_if<ast::Name>(&last->content) : nullptr;
  if (property != nullptr && item.assignment.op == ast::SetOperator::assign) {
    bound.property = property->text;
    CAIRN_ASSIGN(bound.target, bind_owner(*chain, item.target));
  } else {
    CAIRN_TRY(refuse_property_by_index(chain, item.target));
    const bool is_merge = item.assignment.op == ast::SetOperator::merge;
    bound.kind = is_merge ? Kind::merge_all : Kind::replace_all;
    CAIRN_ASSIGN(Typed target, bind(item.target));
    CAIRN_ASSIGN(bound.target, entity(std::move(target), item.target));
  }
  CAIRN_ASSIGN(bound.value, bind_untyped(item.assignment.value));
  return bound;
}

// n['a'] of an entity is a value and not an entity, so the change would be lost. An element of a list may be an entity.
Status Binder::refuse_property_by_index(const ast::SuffixChain* chain,
                                        const ast::Expression& whole) {
  if (chain == nullptr || !std::holds_alternative<ast::Subscript>(chain->suffixes.back().content))
    return {};
  CAIRN_ASSIGN(const Typed owner, bind_suffixes(*chain, chain->suffixes.size() - 1, whole));
  if (!owner.type.is_entity()) return {};
  return error(whole,
               "SET takes a property by its name, as in n.name = 1; n += $map sets properties "
               "whose names are "
               "values");
}

// REMOVE n.a.b is parsed as an expression. The last suffix is the property or the labels to remove from the entity
// before it.
Result<SetItem> Binder::bind_remove_item(const ast::Expression& item) {
  using Kind = SetItem::Kind;
  const auto* chain = item.get_if<ast::SuffixChain>();
  if (chain == nullptr) return error(item, "REMOVE takes a property (n.name) or labels (n:Label)");
  const ast::Suffix& last = chain->suffixes.back();
  if (std::holds_alternative<ast::SystemField>(last.content))
    return bind_expiry(*chain, item, nullptr);
  SetItem bound;
  if (const auto* property = std::get_if<ast::Name>(&last.content)) {
    bound.kind = Kind::remove_property;
    bound.property = property->text;
  } else if (const auto* labels = std::get_if<ast::LabelExpression>(&last.content)) {
    bound.kind = Kind::remove_labels;
    CAIRN_ASSIGN(ChangedLabels changed, changed_labels(*labels));
    bound.labels = std::move(changed.names);
    bound.value = std::move(changed.by_value);
  } else {
    return error(item, "REMOVE takes a property (n.name) or labels (n:Label)");
  }
  CAIRN_ASSIGN(bound.target, bind_owner(*chain, item));
  return bound;
}

// Binds the target of a SET or REMOVE, such as n.a for n.a.b = 1.
Result<ExpressionPtr> Binder::bind_owner(const ast::SuffixChain& chain,
                                         const ast::Expression& whole) {
  CAIRN_ASSIGN(Typed owner, bind_suffixes(chain, chain.suffixes.size() - 1, whole));
  return entity(std::move(owner), chain.base);
}

Result<ExpressionPtr> Binder::entity(Typed bound, const ast::Located& where) const {
  if (!may_be_entity(bound.type)) {
    return wrong_type(where, bound.type, "a node or a relationship");
  }
  return std::move(bound.expression);
}

// DELETE n:Person is refused, because n:Person is a boolean.
Result<Clause> Binder::bind_clause(const ast::Delete& clause, const ast::Clause&) {
  DeleteClause deletion;
  deletion.detach = clause.is_detach;
  for (const ast::Expression& target : clause.targets) {
    CAIRN_ASSIGN(Typed bound, bind(target));
    if (!may_be_entity(bound.type) && !bound.type.is(TypeKind::path)) {
      return wrong_type(target, bound.type, "a node, a relationship or a path");
    }
    deletion.targets.push_back(std::move(bound.expression));
  }
  deletion.width = scope_->width();
  return Clause(std::move(deletion));
}

// Names that the body declares are removed at its end. Their slots remain allocated, because the body uses the same
// row. A list that is null at run time has no elements.
Result<Clause> Binder::bind_clause(const ast::Foreach& clause, const ast::Clause&) {
  auto foreach = std::make_unique<ForeachClause>();
  CAIRN_ASSIGN(Typed list, bind(clause.list));
  if (!list.type.is_list() && !list.type.is_open()) {
    return wrong_type(clause.list, list.type, "a list");
  }
  foreach
    ->list = std::move(list.expression);
  const Scope::Frame frame(*scope_);
  foreach
    ->slot = scope_->declare(clause.variable.text, list.type.element()).slot;
  for (const ast::Clause& update : clause.updates) {
    if (!is_update(update)) return error(update, "FOREACH holds updating clauses only");
    CAIRN_ASSIGN(Clause bound, bind_any_clause(update));
    foreach
      ->updates.push_back(std::move(bound));
  }
  foreach
    ->width = scope_->width();
  return Clause(std::move(foreach));
}

}  // namespace cairn::query
