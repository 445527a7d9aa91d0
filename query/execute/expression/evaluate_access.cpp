// Evaluates access to parts of values, the construction of lists and maps, label tests and function
// calls.
// As in openCypher, a property, element or slice of null is null. A part of a value that has no
// parts is a type error. Properties of entities are read by id through the statement's reader, or
// from the batch that was read ahead.

#include "codec/value_extent.hpp"
#include "engine/catalog/catalog.hpp"
#include "query/execute/expression/evaluate_functions.hpp"
#include "query/execute/expression/property_batch.hpp"
#include "query/execute/holding.hpp"
#include "query/execute/row_loader.hpp"
#include "query/functions/call.hpp"
#include "query/functions/growing.hpp"
#include "query/functions/label_names.hpp"
#include "query/functions/value_semantics.hpp"
#include "query/registered/call_body.hpp"

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace cairn::query {
namespace {

Error wrong_type(const Expression& expression, const std::string& wanted, const Value& value) {
  return {ErrorCode::type_error, wanted + ", got " + described(value), expression.where};
}

// Evaluates all children from left to right.
Result<std::vector<Value>> evaluate_all(Evaluator& evaluator, const Expression& expression,
                                        Row row) {
  std::vector<Value> values;
  HeldValues held(evaluator.budget());
  values.reserve(expression.children.size());
  for (const ExpressionPtr& child : expression.children) {
    CAIRN_ASSIGN(Value value, evaluator.evaluate(*child, row));
    CAIRN_TRY(held.add(value));
    values.push_back(std::move(value));
  }
  return values;
}

/// Returns nullopt for an absent bound of a slice. A bound that is null makes the slice null.
Result<std::optional<Value>> evaluate_bound(Evaluator& evaluator, const ExpressionPtr& bound,
                                            Row row) {
  if (!bound) return std::optional<Value>();
  CAIRN_ASSIGN(Value value, evaluator.evaluate(*bound, row));
  return std::optional(std::move(value));
}

// Returns all properties of the projected value, for `.*`.
Result<Map> own_properties(Evaluator& evaluator, const Expression& expression, const Value& value) {
  if (const Map* map = value.map()) return *map;
  if (!entity_of(value))
    return wrong_type(expression, "a projection {...} needs a node, a relationship or a map",
                      value);
  CAIRN_ASSIGN(const Value loaded, evaluator.graph().load(value));
  if (const Node* node = loaded.get_if<Node>()) return Map(node->properties());
  return Map(loaded.as_relationship().properties());
}

}  // namespace

Result<Value> read_member(Evaluator& evaluator, const Value& value, std::string_view name) {
  if (const auto entity = entity_of(value))
    return evaluator.graph().property(entity->kind, entity->id, name);
  return member(value, name, &evaluator.budget());
}

// The most frequent kind of expression is a property of a variable, which is mostly read ahead.
Result<Value> evaluate_property(Evaluator& evaluator, const Expression& expression, Row row) {
  const Expression& owner = *expression.children[0];
  if (owner.kind == ExpressionKind::variable) {
    if (const PropertyBatch* ahead = evaluator.read_ahead()) {
      CAIRN_ASSIGN(auto value, ahead->read(owner.slot, expression.name, evaluator.budget()));
      if (value) return *std::move(value);
    }
    return read_member(evaluator, row[owner.slot], expression.name);
  }
  CAIRN_ASSIGN(const Value value, evaluator.evaluate(owner, row));
  return read_member(evaluator, value, expression.name);
}

// n['name'] is n.name. The key of an entity must be a text. For keys of maps and lists see
// access.cpp.
Result<Value> evaluate_subscript(Evaluator& evaluator, const Expression& expression, Row row) {
  CAIRN_ASSIGN(const Value container, evaluator.evaluate(*expression.children[0], row));
  CAIRN_ASSIGN(const Value key, evaluator.evaluate(*expression.children[1], row));
  if (!entity_of(container)) return subscript(container, key, &evaluator.budget());
  if (key.is_null()) return Value();
  if (const std::string* name = key.string()) return read_member(evaluator, container, *name);
  return wrong_type(expression, "a property is read by its name, a string", key);
}

// A bound that is omitted is the corresponding end of the list.
Result<Value> evaluate_slice(Evaluator& evaluator, const Expression& expression, Row row) {
  CAIRN_ASSIGN(const Value list, evaluator.evaluate(*expression.children[0], row));
  CAIRN_ASSIGN(const auto from, evaluate_bound(evaluator, expression.children[1], row));
  CAIRN_ASSIGN(const auto to, evaluate_bound(evaluator, expression.children[2], row));
  HeldValues held(evaluator.budget());
  CAIRN_TRY(held.add(list));
  CAIRN_TRY(evaluator.budget().step(steps_of(list)));
  return slice(list, from ? &*from : nullptr, to ? &*to : nullptr, &evaluator.budget());
}

Result<Value> evaluate_list(Evaluator& evaluator, const Expression& expression, Row row) {
  CAIRN_ASSIGN(std::vector<Value> values, evaluate_all(evaluator, expression, row));
  return Value(List(std::move(values)));
}

// If a key occurs twice, the last value counts. Nulls are stored: {a: null} has the key a.
Result<Value> evaluate_map(Evaluator& evaluator, const Expression& expression, Row row) {
  CAIRN_ASSIGN(std::vector<Value> values, evaluate_all(evaluator, expression, row));
  Map map;
  for (std::size_t i = 0; i < values.size(); ++i)
    map.insert_or_assign(expression.names[i], std::move(values[i]));
  return Value(std::move(map));
}

// A projection of null is null. The properties of `.*` come first, and later entries override
// earlier ones.
Result<Value> evaluate_map_projection(Evaluator& evaluator, const Expression& expression, Row row) {
  CAIRN_ASSIGN(const Value source, evaluator.evaluate(*expression.children[0], row));
  if (source.is_null()) return Value();
  Map map;
  HeldValues held(evaluator.budget());
  CAIRN_TRY(held.add(source));
  if (expression.flag) {
    CAIRN_TRY(evaluator.budget().step(steps_of(source)));
    CAIRN_TRY(evaluator.budget().check_room(codec::extent_of(source).bytes));
    CAIRN_ASSIGN(map, own_properties(evaluator, expression, source));
  }
  for (std::size_t i = 0; i < expression.names.size(); ++i) {
    CAIRN_ASSIGN(Value value, evaluator.evaluate(*expression.children[i + 1], row));
    CAIRN_TRY(held.add(value));
    map.insert_or_assign(expression.names[i], std::move(value));
  }
  return Value(std::move(map));
}

namespace {

/// Handles a label test of a deleted entity. As in openCypher, reading labels of a deleted node is
/// an error. The type of a relationship can still be compared.
Result<bool> of_deleted(Evaluator& evaluator, const std::string& name, const Value& value) {
  const auto* relationship = value.get_if<Relationship>();
  if (relationship != nullptr && relationship->is_loaded()) return relationship->type() == name;
  GraphReader& graph = evaluator.graph();
  const auto entity = entity_of(value);
  if (relationship != nullptr)
    if (const auto type = graph.deleted_types().find(entity->id))
      return graph.catalog().find_type(name) == type;
  CAIRN_TRY(graph.property(entity->kind, entity->id, {}));
  return false;
}

// Looks the id up in the bitmap of the label. No record is read.
Result<bool> has_label(Evaluator& evaluator, const Value& value, const EntityReference& entity,
                       const std::string& name) {
  if (evaluator.graph().is_deleted(entity.kind, entity.id))
    return of_deleted(evaluator, name, value);
  CAIRN_ASSIGN(const codec::Bitmap* ids, evaluator.graph().labelled(entity.kind, name));
  return ids->contains(entity.id);
}

Error not_labelled(const Expression& expression, const Value& value) {
  return wrong_type(expression, "only nodes have labels, and only relationships have types", value);
}

}  // namespace

Result<Value> evaluate_has_label(Evaluator& evaluator, const Expression& expression, Row row) {
  CAIRN_ASSIGN(const Value value, evaluator.evaluate(*expression.children[0], row));
  if (value.is_null()) return Value();
  const auto entity = entity_of(value);
  if (!entity) return not_labelled(expression, value);
  CAIRN_ASSIGN(const bool has, has_label(evaluator, value, *entity, expression.name));
  return Value(has);
}

// The names are evaluated for each record, because they may depend on it.
Result<Value> evaluate_has_labels(Evaluator& evaluator, const Expression& expression, Row row) {
  CAIRN_ASSIGN(const Value value, evaluator.evaluate(*expression.children[0], row));
  if (value.is_null()) return Value();
  const auto entity = entity_of(value);
  if (!entity) return not_labelled(expression, value);
  CAIRN_ASSIGN(const Value given, evaluator.evaluate(*expression.children[1], row));
  CAIRN_ASSIGN(const std::vector<std::string> names, label_names(given));
  CAIRN_TRY(evaluator.budget().step(names.size()));
  const bool is_any = expression.flag;
  for (const std::string& name : names) {
    CAIRN_ASSIGN(const bool has, has_label(evaluator, value, *entity, name));
    if (has == is_any) return Value(is_any);
  }
  return Value(!is_any);
}

// A relationship always has a type. The labels of a node are read from its record.
Result<Value> evaluate_has_any_label(Evaluator& evaluator, const Expression& expression, Row row) {
  CAIRN_ASSIGN(const Value value, evaluator.evaluate(*expression.children[0], row));
  if (value.is_null()) return Value();
  if (value.type() == ValueType::relationship) return Value(true);
  if (value.type() != ValueType::node) return not_labelled(expression, value);
  if (evaluator.graph().is_deleted(codec::EntityKind::node, value.as_node().id().value)) {
    CAIRN_ASSIGN(const bool has, of_deleted(evaluator, expression.name, value));
    return Value(has);
  }
  CAIRN_ASSIGN(const Value node, evaluator.graph().load(value));
  return Value(!node.as_node().labels().empty());
}

// False for null, and for a node that the statement deleted or hid. As for a pattern with a
// relationship, any other value is an error.
Result<Value> evaluate_is_node(Evaluator& evaluator, const Expression& expression, Row row) {
  CAIRN_ASSIGN(const Value value, evaluator.evaluate(*expression.children[0], row));
  CAIRN_ASSIGN(const auto node, node_of(value, expression.name));
  if (!node) return Value(false);
  CAIRN_ASSIGN(const bool is_found, evaluator.graph().finds_node(*node));
  return Value(is_found);
}

// A function registered by the program receives loaded entities. The memory of its result is
// charged.
Result<Value> call_registered(Evaluator& evaluator, const FunctionEntry& function,
                              std::span<Value> arguments) {
  RowLoader loader(evaluator.graph(), evaluator.budget());
  if (RowLoader::needs_loading(arguments)) CAIRN_TRY(loader.load(arguments));
  CAIRN_ASSIGN(Value result, call_function(*function.registered, arguments, evaluator.budget()));
  CAIRN_TRY(evaluator.budget().check_room(content_bytes(result)));
  CAIRN_TRY(evaluator.budget().step(steps_of(result)));
  return result;
}

// Most calls have up to four arguments and need no vector. All arguments are evaluated from left to
// right, even if one is null: the registry decides whether null makes the result null. Large
// arguments count as steps.
Result<Value> evaluate_call(Evaluator& evaluator, const Expression& expression, Row row) {
  std::array<Value, 4> few;
  std::vector<Value> many;
  std::span<Value> arguments(few);
  const std::size_t count = expression.children.size();
  if (count > few.size()) {
    many.resize(count);
    arguments = many;
  }
  arguments = arguments.first(count);
  HeldValues held(evaluator.budget());
  for (std::size_t i = 0; i < count; ++i) {
    CAIRN_ASSIGN(arguments[i], evaluator.evaluate(*expression.children[i], row));
    CAIRN_TRY(held.add(arguments[i]));
  }
  for (const Value& argument : arguments) {
    CAIRN_TRY(evaluator.budget().step(steps_of(argument)));
  }
  const FunctionEntry& function = *expression.function;
  if (function.registered != nullptr) return call_registered(evaluator, function, arguments);
  return function.call(arguments, evaluator.next_context());
}

}  // namespace cairn::query
