#pragma once
// The calls of the knowledge-graph server, on the records of a transaction. What they answer is what that server answers.

#include "tools/mcp/graph/graph_records.hpp"
#include "tools/mcp/protocol/answer.hpp"

#include <cairn/result.hpp>

#include <string>

namespace cairn::tools::mcp {

/// The structured form of an answer, and its text.
struct GraphAnswer {
  json::object structured;
  std::string text;
};

/// `arguments` has all members that the call needs, of their types. Errors: invalid_argument for what is wrong within them,
/// not_found for an entity that gets observations; as of the statements.
using GraphCall = Result<GraphAnswer> (*)(GraphRecords& records, const json::object& arguments);

[[nodiscard]] Result<GraphAnswer> create_entities(GraphRecords& records,
                                                  const json::object& arguments);
[[nodiscard]] Result<GraphAnswer> create_relations(GraphRecords& records,
                                                   const json::object& arguments);
[[nodiscard]] Result<GraphAnswer> add_observations(GraphRecords& records,
                                                   const json::object& arguments);
[[nodiscard]] Result<GraphAnswer> delete_entities(GraphRecords& records,
                                                  const json::object& arguments);
[[nodiscard]] Result<GraphAnswer> delete_observations(GraphRecords& records,
                                                      const json::object& arguments);
[[nodiscard]] Result<GraphAnswer> delete_relations(GraphRecords& records,
                                                   const json::object& arguments);
[[nodiscard]] Result<GraphAnswer> read_graph(GraphRecords& records, const json::object& arguments);
[[nodiscard]] Result<GraphAnswer> search_nodes(GraphRecords& records,
                                               const json::object& arguments);
[[nodiscard]] Result<GraphAnswer> open_nodes(GraphRecords& records, const json::object& arguments);

}  // namespace cairn::tools::mcp
