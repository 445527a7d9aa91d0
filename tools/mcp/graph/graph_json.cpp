// Reads the arguments of the knowledge-graph tools, and writes graphs as indented JSON in the same
// form as the server that these tools replace.
#include "tools/mcp/graph/graph_json.hpp"

#include <utility>

namespace cairn::tools::mcp {
namespace {

Error wrong_member(const std::string& place, std::string_view name, std::string_view wanted) {
  const std::string dot = place.empty() ? "" : ".";
  return {ErrorCode::invalid_argument,
          place + dot + std::string(name) + " must be " + std::string(wanted), std::nullopt};
}

void write_indented(std::string& out, const json::value& value, std::size_t level);

/// Writes the elements of an array or object, one per line.
template <class Container, class WriteElement>
void write_lines(std::string& out, const Container& elements, std::string_view ends,
                 std::size_t level, const WriteElement& write_element) {
  out += ends.front();
  bool is_first = true;
  for (const auto& element : elements) {
    out += is_first ? "\n" : ",\n";
    is_first = false;
    out.append(2 * (level + 1), ' ');
    write_element(element);
  }
  if (!is_first) (out += '\n').append(2 * level, ' ');
  out += ends.back();
}

void write_indented(std::string& out, const json::value& value, std::size_t level) {
  if (const json::array* array = value.if_array())
    return write_lines(out, *array, "[]", level, [&](const json::value& element) {
      write_indented(out, element, level + 1);
    });
  if (const json::object* object = value.if_object())
    return write_lines(out, *object, "{}", level, [&](const json::key_value_pair& member) {
      out += json::serialize(member.key()) + ": ";
      write_indented(out, member.value(), level + 1);
    });
  out += json::serialize(value);
}

}  // namespace

Result<std::string> read_text(const json::object& from, std::string_view name,
                              const std::string& place) {
  const json::value* value = from.if_contains(name);
  if (value == nullptr || !value->is_string()) return wrong_member(place, name, "a string");
  return std::string(value->get_string());
}

Result<std::vector<std::string>> read_texts(const json::object& from, std::string_view name,
                                            const std::string& place) {
  const json::value* value = from.if_contains(name);
  if (value == nullptr || !value->is_array()) return wrong_member(place, name, "a list of strings");
  std::vector<std::string> texts;
  for (const json::value& one : value->get_array()) {
    if (!one.is_string()) return wrong_member(place, name, "a list of strings");
    texts.emplace_back(one.get_string());
  }
  return texts;
}

Result<GraphEntity> read_entity(const json::object& from, const std::string& place) {
  GraphEntity entity;
  CAIRN_ASSIGN(entity.name, read_text(from, "name", place));
  CAIRN_ASSIGN(entity.type, read_text(from, "entityType", place));
  CAIRN_ASSIGN(entity.observations, read_texts(from, "observations", place));
  return entity;
}

Result<GraphRelation> read_relation(const json::object& from, const std::string& place) {
  GraphRelation relation;
  CAIRN_ASSIGN(relation.from, read_text(from, "from", place));
  CAIRN_ASSIGN(relation.to, read_text(from, "to", place));
  CAIRN_ASSIGN(relation.type, read_text(from, "relationType", place));
  return relation;
}

json::array to_json_texts(const std::vector<std::string>& texts) {
  return json::array(texts.begin(), texts.end());
}

json::array to_json_array(const std::vector<GraphEntity>& entities) {
  json::array array;
  for (const GraphEntity& one : entities)
    array.push_back({{"name", one.name},
                     {"entityType", one.type},
                     {"observations", to_json_texts(one.observations)}});
  return array;
}

json::array to_json_array(const std::vector<GraphRelation>& relations) {
  json::array array;
  for (const GraphRelation& one : relations)
    array.push_back({{"from", one.from}, {"to", one.to}, {"relationType", one.type}});
  return array;
}

std::string indented_json(const json::value& value) {
  std::string text;
  write_indented(text, value, 0);
  return text;
}

}  // namespace cairn::tools::mcp
