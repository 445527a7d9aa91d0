//    {"type": "node", "id": "1", "labels": [...], "properties": {...}
//     [, "types": {...}] [, "externalId": "..."] [, "system": {...}]}
//    {"type": "relationship", "id": "1", "label": "T", "start": {"id": "1"}, "end": {"id": "2"},
//     "properties": {...} [, "types": {...}] [, "system": {...}]}
//
// The lines that apoc.export.json.all of Neo4j writes. `types`, `externalId` and `system` are our extensions: `types`
// holds what JSON loses, the others hold what Neo4j does not have.
#include "query/transfer/apoc_line.hpp"

#include <cairn/json.hpp>
#include <cairn/statement.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cairn::query {
namespace {

/// The error of an invalid line.
Error wrong(std::string message) {
  return {ErrorCode::invalid_argument, std::move(message), std::nullopt};
}

const Value* find(const Map& map, std::string_view key) {
  const auto found = map.find(key);
  return found == map.end() ? nullptr : &found->second;
}

/// APOC writes ids as strings; some other tools write numbers.
Result<std::string> id_of(const Map& map, std::string_view what) {
  const Value* id = find(map, "id");
  if (id != nullptr && id->string() != nullptr) return *id->string();
  if (id != nullptr && id->type() == ValueType::integer) return std::to_string(id->as_integer());
  return wrong(std::string(what) + " needs a text or an integer in \"id\"");
}

Result<std::string> text_field(const Map& map, std::string_view key, std::string_view what) {
  const Value* value = find(map, key);
  if (value == nullptr || value->string() == nullptr || value->string()->empty())
    return wrong(std::string(what) + " needs a text in \"" + std::string(key) + "\"");
  return *value->string();
}

/// The labels of a node line; empty if the line has none.
Result<std::vector<std::string>> labels_of(const Map& map) {
  std::vector<std::string> labels;
  const Value* value = find(map, "labels");
  if (value == nullptr || value->is_null()) return labels;
  if (value->list() == nullptr) return wrong("\"labels\" must be a list of texts");
  for (const Value& label : *value->list()) {
    if (label.string() == nullptr)
      return wrong("\"labels\" has " + label.to_text() + ", which is not a text");
    labels.push_back(*label.string());
  }
  return labels;
}

/// The properties of a line. `types` names the properties whose JSON form stands for a value of another type.
Result<Properties> properties_of(const Map& map) {
  const Value* value = find(map, "properties");
  if (value == nullptr || value->is_null()) return Properties();
  if (value->map() == nullptr) return wrong("\"properties\" must be an object");
  Properties properties(value->map()->begin(), value->map()->end());
  const Value* types = find(map, "types");
  if (types != nullptr) CAIRN_TRY(apply_types(properties, *types));
  return properties;
}

/// The file's id of one end of a relationship; `key` is "start" or "end".
Result<std::string> end_of(const Map& map, std::string_view key) {
  const Value* value = find(map, key);
  if (value == nullptr || value->map() == nullptr)
    return wrong("the relationship needs an object in \"" + std::string(key) +
                 "\", such as {\"id\": \"7\"}");
  return id_of(*value->map(), "its \"" + std::string(key) + "\"");
}

/// Refuses unknown keys. An ignored key would lose data silently, so a typing mistake is reported with its line.
Status check_members(const Map& map, std::span<const std::string_view> known) {
  for (const auto& [name, value] : map) {
    if (std::ranges::find(known, name) != known.end()) continue;
    std::string names;
    for (const std::string_view one : known)
      names += (names.empty() ? "" : ", ") + std::string(one);
    return wrong("unknown member \"" + name + "\"; known members: " + names);
  }
  return {};
}

/// The system fields of a line; nullopt if the line has none.
Result<std::optional<SystemFields>> system_of(const Map& map) {
  const Value* value = find(map, "system");
  if (value == nullptr) return std::optional<SystemFields>();
  CAIRN_ASSIGN(SystemFields fields, parse_system_member(*value));
  return std::optional(std::move(fields));
}

/// Reads a node. `types`, `externalId` and `system` are our extensions.
Result<ApocLine> node_line(const Map& map) {
  static constexpr std::string_view known[] = {"type",  "id",         "labels", "properties",
                                               "types", "externalId", "system"};
  CAIRN_TRY(check_members(map, known));
  NodeLine node;
  CAIRN_ASSIGN(node.id, id_of(map, "the node"));
  CAIRN_ASSIGN(node.labels, labels_of(map));
  CAIRN_ASSIGN(node.properties, properties_of(map));
  const Value* external = find(map, "externalId");
  if (external != nullptr && !external->is_null()) {
    if (external->string() == nullptr)
      return wrong("\"externalId\" must be a text, as in \"externalId\": \"7\"");
    node.external_id = *external->string();
  }
  CAIRN_ASSIGN(node.system, system_of(map));
  return ApocLine(std::move(node));
}

/// Reads a relationship. APOC calls its type the label. Its id is ignored, as nothing refers to it.
Result<ApocLine> relationship_line(const Map& map) {
  static constexpr std::string_view known[] = {"type", "id",         "label", "start",
                                               "end",  "properties", "types", "system"};
  CAIRN_TRY(check_members(map, known));
  RelationshipLine relationship;
  CAIRN_ASSIGN(relationship.type, text_field(map, "label", "the relationship"));
  CAIRN_ASSIGN(relationship.start, end_of(map, "start"));
  CAIRN_ASSIGN(relationship.end, end_of(map, "end"));
  CAIRN_ASSIGN(relationship.properties, properties_of(map));
  CAIRN_ASSIGN(relationship.system, system_of(map));
  return ApocLine(std::move(relationship));
}

std::string json_string(std::string_view text) { return to_json(Value(text)); }

/// ,"properties":{...} and, if a property needs it, ,"types":{...}
std::string properties_text(const Properties& properties) {
  std::string out;
  const Map types = types_of(properties);
  if (!properties.empty()) out += ",\"properties\":" + to_json(plain_json(properties));
  if (!types.empty()) out += ",\"types\":" + to_json(Value(types));
  return out;
}

}  // namespace

// Integers beyond 64 bits are refused, because ids must not lose digits.
Result<ApocLine> parse_apoc_line(std::string_view line) {
  CAIRN_ASSIGN(const Value value, parse_exact_json(line));
  if (value.map() == nullptr) return wrong("the line is not a JSON object");
  CAIRN_ASSIGN(const std::string type, text_field(*value.map(), "type", "the line"));
  if (type == "node") return node_line(*value.map());
  if (type == "relationship") return relationship_line(*value.map());
  return wrong("\"type\" is \"" + type + "\", expected \"node\" or \"relationship\"");
}

std::string to_apoc_line(const Node& node, const SystemFields& fields) {
  std::string out = "{\"type\":\"node\",\"id\":\"" + std::to_string(node.id().value) + "\"";
  if (!node.external_id().empty()) out += ",\"externalId\":" + json_string(node.external_id());
  if (!node.labels().empty()) {
    List labels(node.labels().begin(), node.labels().end());
    out += ",\"labels\":" + to_json(Value(std::move(labels)));
  }
  return out + properties_text(node.properties()) + ",\"system\":" + to_system_member(fields) + "}";
}

std::string to_apoc_line(const Relationship& relationship, const SystemFields& fields) {
  return "{\"type\":\"relationship\",\"id\":\"" + std::to_string(relationship.id().value) +
         "\",\"label\":" + json_string(relationship.type()) +
         properties_text(relationship.properties()) + ",\"start\":{\"id\":\"" +
         std::to_string(relationship.source().value) + "\"},\"end\":{\"id\":\"" +
         std::to_string(relationship.target().value) +
         "\"},\"system\":" + to_system_member(fields) + "}";
}

namespace {

/// A field of SystemFields that holds microseconds.
using Time = std::optional<std::int64_t> SystemFields::*;

/// A field of SystemFields that holds a text.
using TextMember = std::string SystemFields::*;

constexpr std::array<std::pair<std::string_view, TextMember>, 2> text_members{{
    {"namespace", &SystemFields::name_space},
    {"author", &SystemFields::author},
}};
constexpr std::array<std::pair<std::string_view, Time>, 6> times{{
    {"created", &SystemFields::created},
    {"updated", &SystemFields::updated},
    {"deletedAt", &SystemFields::deleted_at},
    {"expiresAt", &SystemFields::expires_at},
    {"validFrom", &SystemFields::valid_from},
    {"validTo", &SystemFields::valid_to},
}};

Error wrong_system(std::string message) {
  return {ErrorCode::invalid_argument, "\"system\" " + std::move(message), std::nullopt};
}

/// Reads one member into its field. Errors: invalid_argument for an unknown name or a wrong type.
Status read_member(const std::string& name, const Value& value, SystemFields& fields) {
  const auto* const text = std::ranges::find(text_members, std::string_view(name),
                                             [](const auto& one) { return one.first; });
  if (text != text_members.end()) {
    if (value.string() == nullptr) return wrong_system("has a \"" + name + "\" that is not a text");
    fields.*(text->second) = *value.string();
    return {};
  }
  const auto* const time =
      std::ranges::find(times, std::string_view(name), [](const auto& one) { return one.first; });
  if (time == times.end()) {
    std::string known_names;
    const auto add = [&](const auto& members) {
      for (const auto& [known, field] : members)
        known_names += (known_names.empty() ? "" : ", ") + std::string(known);
    };
    add(text_members);
    add(times);
    return wrong_system("has the unknown member \"" + name + "\"; known members: " + known_names);
  }
  if (value.type() != ValueType::integer)
    return wrong_system("has a \"" + name +
                        "\" that is not a whole number of microseconds since 1970");
  fields.*(time->second) = value.as_integer();
  return {};
}

}  // namespace

// Only fields that are set are written.
std::string to_system_member(const SystemFields& fields) {
  std::string text;
  const auto append = [&](std::string_view name, const std::string& value) {
    text += (text.empty() ? "\"" : ",\"") + std::string(name) + "\":" + value;
  };
  for (const auto& [name, field] : text_members)
    if (const auto& value = fields.*field; !value.empty()) append(name, to_json(Value(value)));
  for (const auto& [name, field] : times)
    if (const auto& time = fields.*field) append(name, std::to_string(*time));
  return "{" + text + "}";
}

Result<SystemFields> parse_system_member(const Value& value) {
  if (value.map() == nullptr) return wrong_system("is not an object");
  SystemFields fields;
  for (const auto& [name, member] : *value.map()) CAIRN_TRY(read_member(name, member, fields));
  return fields;
}

// The member "types". A value that JSON cannot represent is written in another form, and `types` names that form:
// "vector" for a list of numbers, "cypher" for a text that holds the value as a literal of the language (a date, NaN,
// ...).

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

/// True if JSON represents the value exactly: null, booleans, integers, finite floats, texts, and containers of them.
bool survives_json(const Value& value) {
  if (value.list() != nullptr) return survives_json(*value.list());
  if (value.map() != nullptr) return survives_json(*value.map());
  if (value.type() == ValueType::floating) return std::isfinite(value.as_float());
  return value.type() <= ValueType::string;
}

/// Reads a vector from a list of numbers. Components are rounded to 32 bits; vectors that were exported have 32 bits
/// already, so they come back unchanged.
Result<Value> to_vector(const Value& value) {
  const List* list = value.list();
  if (list == nullptr)
    return Error{ErrorCode::invalid_argument,
                 "\"types\" says vector, but the value is not a list of numbers", std::nullopt};
  std::vector<float> components;
  components.reserve(list->size());
  for (const Value& item : *list) {
    if (!item.is_number())
      return Error{ErrorCode::invalid_argument,
                   "\"types\" says vector, but the value is not a list of numbers", std::nullopt};
    const double number = item.type() == ValueType::integer ? static_cast<double>(item.as_integer())
                                                            : item.as_float();
    components.push_back(static_cast<float>(number));
  }
  return Value(Vector(std::move(components)));
}

/// Turns the JSON form of a value back. Errors: invalid_argument for an unknown type or an invalid form.
Result<Value> restore(const Value& value, std::string_view type) {
  if (type == vector_type) return to_vector(value);
  if (type == literal_type && value.string() != nullptr) {
    auto literal = parse_literal(*value.string());
    if (literal) return literal;
    // invalid_argument instead of the parser's own code: the line is at fault, not a statement.
    return wrong("a value is not a literal: " + literal.error().message);
  }
  return Error{ErrorCode::invalid_argument,
               "\"types\" names the unknown type \"" + std::string(type) + "\"", std::nullopt};
}

}  // namespace

// Only properties that JSON would change are named.
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

// A list that contains a date becomes one literal as a whole.
Value plain_json(const Properties& properties) {
  Map plain;
  for (const auto& [name, value] : properties) {
    const bool as_is = value.type() == ValueType::vector || survives_json(value);
    plain[name] = as_is ? value : Value(value.to_text());
  }
  return plain;
}

// An entry for a property that the record does not have is ignored.
Status apply_types(Properties& properties, const Value& types) {
  if (types.map() == nullptr)
    return Error{ErrorCode::invalid_argument, "\"types\" is not an object", std::nullopt};
  for (const auto& [name, type] : *types.map()) {
    const auto property = properties.find(name);
    if (property == properties.end() || type.string() == nullptr) continue;
    auto restored = restore(property->second, *type.string());
    if (!restored) {
      Error error = std::move(restored).error();
      error.message.insert(0, "property \"" + name + "\": ");
      return error;
    }
    property->second = *std::move(restored);
  }
  return {};
}

}  // namespace cairn::query
