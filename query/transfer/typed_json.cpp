// What JSON cannot hold is written as a text that the language reads, and named in `types`: vectors
// as lists of numbers ("vector"), anything else, such as a date or NaN, as its literal ("cypher").
#include "query/transfer/typed_json.hpp"

#include <cairn/statement.hpp>

#include <cmath>
#include <optional>
#include <string>
#include <vector>

namespace cairn::query {
namespace {

constexpr std::string_view vector_type = "vector";
constexpr std::string_view literal_type = "cypher";

bool survives_json(const Value& value);

bool survives_json(const List& list) {
  for (const Value& item : list)
    if (!survives_json(item)) return false;
  return true;
}

bool survives_json(const Map& map) {
  for (const auto& [key, item] : map)
    if (!survives_json(item)) return false;
  return true;
}

/// JSON keeps null, booleans, integers, finite floats, texts, and containers of them.
bool survives_json(const Value& value) {
  if (value.list() != nullptr) return survives_json(*value.list());
  if (value.map() != nullptr) return survives_json(*value.map());
  if (value.type() == ValueType::floating) return std::isfinite(value.as_float());
  return value.type() <= ValueType::string;
}

/// JSON has no vectors, so they are lists with a type beside them. Components are rounded to 32
/// bits, which written ones survive.
Result<Value> to_vector(const Value& value) {
  const List* list = value.list();
  if (list == nullptr)
    return Error{ErrorCode::invalid_argument, "a vector is no list of numbers", std::nullopt};
  std::vector<float> components;
  components.reserve(list->size());
  for (const Value& item : *list) {
    if (!item.is_number())
      return Error{ErrorCode::invalid_argument, "a vector is no list of numbers", std::nullopt};
    const double number = item.type() == ValueType::integer ? static_cast<double>(item.as_integer())
                                                            : item.as_float();
    components.push_back(static_cast<float>(number));
  }
  return Value(Vector(std::move(components)));
}

Result<Value> restore(const Value& value, std::string_view type) {
  if (type == vector_type) return to_vector(value);
  if (type == literal_type && value.string() != nullptr) return parse_literal(*value.string());
  return Error{ErrorCode::invalid_argument,
               "\"types\" names the unknown type \"" + std::string(type) + "\"", std::nullopt};
}

}  // namespace

// Only what would come back as something else is named: vectors, and what JSON cannot say, such as
// dates, as a literal of the language.
Map types_of(const Properties& properties) {
  Map types;
  for (const auto& [name, value] : properties) {
    if (value.type() == ValueType::vector)
      types[name] = vector_type;
    else if (!survives_json(value))
      types[name] = literal_type;
  }
  return types;
}

// A list with one date in it is a literal as a whole.
Value plain_json(const Properties& properties) {
  Map plain;
  for (const auto& [name, value] : properties) {
    const bool as_is = value.type() == ValueType::vector || survives_json(value);
    plain[name] = as_is ? value : Value(value.to_text());
  }
  return plain;
}

// A type of a property that is not there is passed over.
Status apply_types(Properties& properties, const Value& types) {
  if (types.map() == nullptr)
    return Error{ErrorCode::invalid_argument, "\"types\" is no object", std::nullopt};
  for (const auto& [name, type] : *types.map()) {
    const auto property = properties.find(name);
    if (property == properties.end() || type.string() == nullptr) continue;
    CAIRN_ASSIGN(property->second, restore(property->second, *type.string()));
  }
  return {};
}

}  // namespace cairn::query
