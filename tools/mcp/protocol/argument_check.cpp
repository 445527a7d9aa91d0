// Checks the arguments of a tool call against the top level of the tool's JSON Schema: required and
// unknown keys, types and enums. The messages are for the model, so they name each key and what is
// expected.
#include "tools/mcp/protocol/calls.hpp"
#include "tools/mcp/protocol/message.hpp"

#include <cmath>
#include <string_view>

namespace cairn::tools::mcp {
namespace {

/// Enough for a model to recognise the value that it sent.
constexpr std::size_t most_shown_bytes = 80;

std::string shown_value(const json::value& value) {
  std::string text = json::serialize(value);
  if (text.size() <= most_shown_bytes) return text;
  text.resize(most_shown_bytes);
  text += "...";
  return text;
}

std::string quoted_name(std::string_view name) {
  std::string text = "`";
  text += name.substr(0, most_shown_bytes);
  text += '`';
  return text;
}

std::string listed_names(const json::object& properties) {
  std::string names;
  for (const auto& property : properties)
    names += (names.empty() ? "`" : ", `") + std::string(property.key()) + "`";
  return names.empty() ? "none" : names;
}

bool is_of_type(const json::value& value, std::string_view type) {
  if (type == "string") return value.is_string();
  if (type == "boolean") return value.is_bool();
  if (type == "object") return value.is_object();
  if (type == "array") return value.is_array();
  if (type == "null") return value.is_null();
  if (type == "number") return value.is_number();
  if (type != "integer") return true;
  const double* number = value.if_double();
  return number == nullptr ? value.is_number() : std::trunc(*number) == *number;
}

/// Returns the expected types if the value has none of them, else an empty text. `type` is a name,
/// a list of names, or null.
std::string missed_types(const json::value& value, const json::value* type) {
  if (type == nullptr) return {};
  if (const json::string* name = type->if_string())
    return is_of_type(value, *name) ? std::string() : std::string(*name);
  const json::array* names = type->if_array();
  if (names == nullptr) return {};
  std::string missed;
  for (const json::value& name : *names) {
    if (!name.is_string() || is_of_type(value, name.get_string())) return {};
    missed += (missed.empty() ? "" : " or ") + std::string(name.get_string());
  }
  return missed;
}

bool is_among(const json::value& value, const json::array& choices) {
  for (const json::value& choice : choices)
    if (choice == value) return true;
  return false;
}

std::string value_fault(std::string_view name, const json::value& value,
                        const json::object& schema) {
  const std::string types = missed_types(value, schema.if_contains("type"));
  if (!types.empty())
    return quoted_name(name) + " must be of type " + types + ", not " + shown_value(value);
  const json::value* choices = schema.if_contains("enum");
  if (choices == nullptr || !choices->is_array() || is_among(value, choices->get_array()))
    return {};
  std::string listed;
  for (const json::value& choice : choices->get_array())
    listed += (listed.empty() ? "" : ", ") + json::serialize(choice);
  return quoted_name(name) + " must be one of " + listed + ", not " + shown_value(value);
}

std::string missing_keys(const json::object& schema, const json::object& arguments) {
  const json::value* required = schema.if_contains("required");
  if (required == nullptr || !required->is_array()) return {};
  std::string missing;
  for (const json::value& name : required->get_array()) {
    if (!name.is_string() || arguments.contains(name.get_string())) continue;
    missing += (missing.empty() ? "missing argument " : ", ") + quoted_name(name.get_string());
  }
  return missing;
}

std::string unknown_key(std::string_view name, const MeantName& meant) {
  const std::string nearest = meant ? meant(name) : std::string();
  return "unknown argument " + quoted_name(name) +
         (nearest.empty() ? "" : " (did you mean " + quoted_name(nearest) + "?)");
}

}  // namespace

std::optional<std::string> check_arguments(const json::object& schema,
                                           const json::object& arguments, const MeantName& meant) {
  static const json::object none;
  const json::object* named = find_object(schema, "properties");
  const json::object& properties = named == nullptr ? none : *named;
  const json::value* additional = schema.if_contains("additionalProperties");
  const bool is_closed = additional != nullptr && *additional == json::value(false);

  std::string faults = missing_keys(schema, arguments);
  const auto add = [&faults](const std::string& fault) {
    if (!fault.empty()) faults += (faults.empty() ? "" : "; ") + fault;
  };
  bool is_known = true;
  for (const auto& argument : arguments) {
    const json::object* property = find_object(properties, argument.key());
    if (property != nullptr) {
      add(value_fault(argument.key(), argument.value(), *property));
    } else if (is_closed && !properties.contains(argument.key())) {
      // Reports only the first unknown argument; a thousand would not help more.
      if (is_known) add(unknown_key(argument.key(), meant));
      is_known = false;
    }
  }
  if (faults.empty()) return std::nullopt;
  return faults + ". Arguments: " + listed_names(properties);
}

}  // namespace cairn::tools::mcp
