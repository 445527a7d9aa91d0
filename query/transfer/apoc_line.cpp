//    {"type": "node", "id": "1", "labels": [...], "properties": {...}
//     [, "types": {...}] [, "externalId": "..."] [, "system": {...}]}
//    {"type": "relationship", "id": "1", "label": "T", "start": {"id": "1"}, "end": {"id": "2"},
//     "properties": {...} [, "types": {...}] [, "system": {...}]}
// The lines of apoc.export.json.all in Neo4j, with `types` added for what JSON does not hold, and
// `externalId` and `system` for what Neo4j does not have.
#include "query/transfer/apoc_line.hpp"

#include "query/transfer/system_member.hpp"
#include "query/transfer/typed_json.hpp"

#include <cairn/json.hpp>

#include <algorithm>
#include <optional>
#include <span>

namespace cairn::query {
namespace {

Error wrong(std::string message) {
  return {ErrorCode::invalid_argument, std::move(message), std::nullopt};
}

const Value* find(const Map& map, std::string_view key) {
  const auto found = map.find(key);
  return found == map.end() ? nullptr : &found->second;
}

/// Ids are strings in APOC's files, and numbers in those of some other tools.
Result<std::string> id_of(const Map& map, std::string_view what) {
  const Value* id = find(map, "id");
  if (id != nullptr && id->string() != nullptr) return *id->string();
  if (id != nullptr && id->type() == ValueType::integer) return std::to_string(id->as_integer());
  return wrong(std::string(what) + " has no \"id\"");
}

Result<std::string> text_field(const Map& map, std::string_view key, std::string_view what) {
  const Value* value = find(map, key);
  if (value == nullptr || value->string() == nullptr || value->string()->empty())
    return wrong(std::string(what) + " needs a text in \"" + std::string(key) + "\"");
  return *value->string();
}

Result<std::vector<std::string>> labels_of(const Map& map) {
  std::vector<std::string> labels;
  const Value* value = find(map, "labels");
  if (value == nullptr || value->is_null()) return labels;
  if (value->list() == nullptr) return wrong("\"labels\" is no list");
  for (const Value& label : *value->list()) {
    if (label.string() == nullptr) return wrong("a label is no text");
    labels.push_back(*label.string());
  }
  return labels;
}

/// `types` says which texts are values of other types.
Result<Properties> properties_of(const Map& map) {
  const Value* value = find(map, "properties");
  if (value == nullptr || value->is_null()) return Properties();
  if (value->map() == nullptr) return wrong("\"properties\" is no object");
  Properties properties(value->map()->begin(), value->map()->end());
  const Value* types = find(map, "types");
  if (types != nullptr) CAIRN_TRY(apply_types(properties, *types));
  return properties;
}

Result<std::string> end_of(const Map& map, std::string_view key) {
  const Value* value = find(map, key);
  if (value == nullptr || value->map() == nullptr)
    return wrong("the relationship has no \"" + std::string(key) + "\"");
  return id_of(*value->map(), "its \"" + std::string(key) + "\"");
}

/// What is not understood would be lost without a word.
/// So a typing mistake in a file is reported with its line.
Status check_members(const Map& map, std::span<const std::string_view> known) {
  for (const auto& [name, value] : map) {
    if (std::ranges::find(known, name) != known.end()) continue;
    std::string names;
    for (const std::string_view one : known)
      names += (names.empty() ? "" : ", ") + std::string(one);
    return wrong("unknown member \"" + name + "\"; there are " + names);
  }
  return {};
}

Result<std::optional<SystemFields>> system_of(const Map& map) {
  const Value* value = find(map, "system");
  if (value == nullptr) return std::optional<SystemFields>();
  CAIRN_ASSIGN(SystemFields fields, parse_system_member(*value));
  return std::optional(std::move(fields));
}

/// `types`, `externalId` and `system` are Cairn's own additions.
Result<ApocLine> node_line(const Map& map) {
  static constexpr std::string_view known[] = {"type",  "id",         "labels", "properties",
                                               "types", "externalId", "system"};
  CAIRN_TRY(check_members(map, known));
  NodeLine node;
  CAIRN_ASSIGN(node.id, id_of(map, "the node"));
  CAIRN_ASSIGN(node.labels, labels_of(map));
  CAIRN_ASSIGN(node.properties, properties_of(map));
  const Value* external = find(map, "externalId");
  if (external != nullptr && external->string() != nullptr) node.external_id = *external->string();
  CAIRN_ASSIGN(node.system, system_of(map));
  return ApocLine(std::move(node));
}

/// APOC calls a relationship's type its label. Its id is read over: nothing refers to it.
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

/// ,"properties":{...} and, where some need it, ,"types":{...}
std::string properties_text(const Properties& properties) {
  std::string out;
  const Map types = types_of(properties);
  if (!properties.empty()) out += ",\"properties\":" + to_json(plain_json(properties));
  if (!types.empty()) out += ",\"types\":" + to_json(Value(types));
  return out;
}

}  // namespace

Result<ApocLine> parse_apoc_line(std::string_view line) {
  CAIRN_ASSIGN(const Value value, parse_exact_json(line));
  if (value.map() == nullptr) return wrong("the line is no JSON object");
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

}  // namespace cairn::query
