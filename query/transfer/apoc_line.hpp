#pragma once
// One line of an APOC JSON Lines export, read and checked, and the same written.
//
// Values that JSON cannot distinguish carry their type beside them, which others' exports do not have
// and their readers ignore: "types":{"born":"date","embedding":"vector","ratio":"number"}. So it is with
// what a record carries beside its properties (system_member.hpp): "system":{"namespace":"a","deletedAt":5}.

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

}  // namespace cairn::query
