#pragma once
// One line of an APOC JSON Lines export, read and checked, and the same written.
//
// Values that JSON cannot distinguish carry their type beside them, which others' exports do not have
// and their readers ignore: "types":{"born":"date","embedding":"vector","ratio":"number"}. So it is with
// what a record carries beside its properties (to_system_member()): "system":{"namespace":"a","deletedAt":5}.

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
  std::string id;
  std::vector<std::string> labels;
  Properties properties;
  std::string external_id;             ///< "externalId", our own field
  std::optional<SystemFields> system;  ///< "system", our own field too
};

struct RelationshipLine {
  std::string type;
  std::string start;
  std::string end;
  Properties properties;
  std::optional<SystemFields> system;
};

using ApocLine = std::variant<NodeLine, RelationshipLine>;

/// Errors: invalid_argument saying which field is missing or wrong.
[[nodiscard]] Result<ApocLine> parse_apoc_line(std::string_view line);

[[nodiscard]] std::string to_apoc_line(const Node& node, const SystemFields& fields);
[[nodiscard]] std::string to_apoc_line(const Relationship& relationship,
                                       const SystemFields& fields);

// The member "system" of a line: what a record carries beside its properties, and never among them.
//
// system := {["namespace":text] ["created":micros] ["updated":micros] ["deletedAt":micros]
//            ["expiresAt":micros] ["validFrom":micros] ["validTo":micros]}

/// As JSON, without what is not there: times are whole numbers of microseconds since 1970 UTC.
[[nodiscard]] std::string to_system_member(const SystemFields& fields);
/// Errors: invalid_argument, naming the member that is unknown or wrong.
[[nodiscard]] Result<SystemFields> parse_system_member(const Value& value);

// Values whose type plain JSON loses, so that an export imports to an equal database.

/// The type names of the properties that JSON would change, by property name: a top-level one by its
/// type ("date", "vector", "float"), a container that holds one by "cypher" (its text as a literal).
[[nodiscard]] Map types_of(const Properties& properties);
/// The properties as JSON can hold them, in the forms that apply_types reads back.
[[nodiscard]] Value plain_json(const Properties& properties);
/// Turn the plain forms of `properties` back by `types`. Errors: invalid_argument.
[[nodiscard]] Status apply_types(Properties& properties, const Value& types);

}  // namespace cairn::query
