#pragma once
// Converts entities and relations from and to the JSON of the knowledge-graph server: arguments,
// answers, and memory.jsonl.

#include "tools/mcp/graph/graph_records.hpp"
#include "tools/mcp/protocol/answer.hpp"

#include <cairn/result.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace cairn::tools::mcp {

/// Reads a list of texts. `place` is named in errors: "entities[0].observations". Errors:
/// invalid_argument.
[[nodiscard]] Result<std::vector<std::string>> read_texts(const json::object& from,
                                                          std::string_view name,
                                                          const std::string& place);
[[nodiscard]] Result<std::string> read_text(const json::object& from, std::string_view name,
                                            const std::string& place);

// Unknown members are ignored. Errors: invalid_argument, with the place.
[[nodiscard]] Result<GraphEntity> read_entity(const json::object& from, const std::string& place);
[[nodiscard]] Result<GraphRelation> read_relation(const json::object& from,
                                                  const std::string& place);

[[nodiscard]] json::array to_json_texts(const std::vector<std::string>& texts);
[[nodiscard]] json::array to_json_array(const std::vector<GraphEntity>& entities);
[[nodiscard]] json::array to_json_array(const std::vector<GraphRelation>& relations);

/// Formats like JSON.stringify(value, null, 2): two blanks per level, and one line per element.
[[nodiscard]] std::string indented_json(const json::value& value);

}  // namespace cairn::tools::mcp
