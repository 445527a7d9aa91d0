#include "tools/mcp/memory/table_text.hpp"

#include <cairn/graph.hpp>
#include <cairn/json.hpp>

#include <string_view>
#include <utility>

namespace cairn::tools::mcp {
namespace {

Map plain_map(const Map& map) {
  Map plain;
  for (const auto& [name, value] : map) plain.emplace(name, plain_value(value));
  return plain;
}

std::string escaped(std::string_view text) {
  std::string out;
  for (const char letter : text) {
    if (letter == '\n' || letter == '\r') {
      out += letter == '\n' ? "\\n" : "\\r";
      continue;
    }
    if (letter == '|' || letter == '\\') out += '\\';
    out += letter;
  }
  return out;
}

std::string field_text(const Value& value) {
  return escaped(value.string() != nullptr ? *value.string() : to_json(value));
}

template <class Text>
std::string line_of(const std::vector<Text>& fields, std::string_view bar) {
  std::string line;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (i > 0) line += bar;
    if constexpr (std::is_same_v<Text, std::string>)
      line += escaped(fields[i]);
    else
      line += field_text(fields[i]);
  }
  return line;
}

}  // namespace

Value plain_value(const Value& value) {
  if (const auto* vector = value.get_if<Vector>())
    return "(vector of " + std::to_string(vector->components().size()) + ")";
  if (const auto* node = value.get_if<Node>())
    return Map{{"id", static_cast<std::int64_t>(node->id().value)},
               {"labels", List(node->labels().begin(), node->labels().end())},
               {"properties", plain_map(node->properties())}};
  if (const auto* one = value.get_if<Relationship>())
    return Map{{"id", static_cast<std::int64_t>(one->id().value)},
               {"type", std::string(one->type())},
               {"properties", plain_map(one->properties())}};
  if (value.path() != nullptr) return to_json(value);
  if (value.map() != nullptr) return plain_map(*value.map());
  if (value.list() == nullptr) return value;
  List plain;
  for (const Value& one : *value.list()) plain.push_back(plain_value(one));
  return plain;
}

std::string toon_table(const std::vector<std::string>& columns,
                       const std::vector<std::vector<Value>>& rows) {
  std::string text = "# " + line_of(columns, "|") + "\n";
  for (const auto& row : rows) text += line_of(row, "|") + "\n";
  return text;
}

std::string markdown_table(const std::vector<std::string>& columns,
                           const std::vector<std::vector<Value>>& rows) {
  std::string text = "| " + line_of(columns, " | ") + " |\n|";
  for (std::size_t i = 0; i < columns.size(); ++i) text += "---|";
  text += '\n';
  for (const auto& row : rows) text += "| " + line_of(row, " | ") + " |\n";
  return text;
}

List table_values(const std::vector<std::string>& columns,
                  const std::vector<std::vector<Value>>& rows) {
  List values;
  for (const auto& row : rows) {
    Map map;
    for (std::size_t i = 0; i < row.size(); ++i) map.insert_or_assign(columns[i], row[i]);
    values.push_back(std::move(map));
  }
  return values;
}

}  // namespace cairn::tools::mcp
