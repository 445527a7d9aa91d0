#pragma once
// One line of an APOC JSON Lines export: parsing and checking it, and writing one.
//
// Two members are our extensions, which other readers ignore. `types` names the values that JSON cannot represent:
// "types":{"born":"cypher","embedding":"vector"}. `system` holds the system fields of a record (to_system_member()):
// "system":{"namespace":"a","deletedAt":5}.

#include <cairn/graph.hpp>
#include <cairn/result.hpp>
#include <cairn/system_fields.hpp>
#include <cairn/value.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace cairn::query {

struct NodeLine {
  std::string id;  ///< the file's id, by which relationships refer to the node
  std::vector<std::string> labels;
  Properties properties;
  std::string external_id;             ///< "externalId", our extension
  std::optional<SystemFields> system;  ///< "system", our extension
};

struct RelationshipLine {
  std::string type;
  std::string start;  ///< the file's id of the source node
  std::string end;    ///< the file's id of the target node
  Properties properties;
  std::optional<SystemFields> system;
};

using ApocLine = std::variant<NodeLine, RelationshipLine>;

/// Parses one line. Errors: invalid_argument with the field that is missing or wrong.
[[nodiscard]] Result<ApocLine> parse_apoc_line(std::string_view line);

/// Writes one record as a line, without the line end.
[[nodiscard]] std::string to_apoc_line(const Node& node, const SystemFields& fields);
[[nodiscard]] std::string to_apoc_line(const Relationship& relationship,
                                       const SystemFields& fields);

// The member "system" of a line: the system fields of a record, which are never among its properties.
//
// system := {["namespace":text] ["created":micros] ["updated":micros] ["deletedAt":micros]
//            ["expiresAt":micros] ["validFrom":micros] ["validTo":micros]}

/// Writes the fields that are set. Times are whole numbers of microseconds since 1970 UTC.
[[nodiscard]] std::string to_system_member(const SystemFields& fields);
/// Errors: invalid_argument with the member that is unknown or invalid.
[[nodiscard]] Result<SystemFields> parse_system_member(const Value& value);

// Values that JSON would change, so that an exported database can be imported without loss.

/// The forms of the properties that JSON cannot represent, by property name: "vector" for a vector, "cypher" for any
/// other value or container (its text as a literal of the language).
[[nodiscard]] Map types_of(const Properties& properties);
/// The properties in a form that JSON can represent and apply_types() reads back.
[[nodiscard]] Value plain_json(const Properties& properties);
/// Turns the JSON forms of `properties` back into values, as named by `types`. Errors: invalid_argument.
[[nodiscard]] Status apply_types(Properties& properties, const Value& types);

}  // namespace cairn::query
