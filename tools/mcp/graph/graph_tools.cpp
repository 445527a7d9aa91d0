// The tools of the knowledge-graph server. Each call runs in one transaction, so its changes are
// written completely or not at all.

#include "tools/mcp/graph/graph_tools.hpp"

#include "tools/mcp/caller/token_budget.hpp"
#include "tools/mcp/graph/graph_json.hpp"
#include "tools/mcp/graph/graph_records.hpp"
#include "tools/mcp/protocol/answer.hpp"

#include <cairn/result.hpp>

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace cairn::tools::mcp {

// Answers are the same as those of the original server.

namespace {

/// An answer in structured form and as text.
struct GraphAnswer {
  json::object structured;
  std::string text;
};

/// A call. `arguments` has all required members with the right types. Errors: invalid_argument for
/// invalid nested values; not_found for observations of an unknown entity; those of the statements.
using GraphCall = Result<GraphAnswer> (*)(GraphRecords& records, const json::object& arguments);

GraphAnswer answer_list(const char* name, json::array list) {
  std::string text = indented_json(list);
  return {{{name, std::move(list)}}, std::move(text)};
}

GraphAnswer answer_done(const char* message) {
  return {{{"success", true}, {"message", message}}, message};
}

GraphAnswer answer_graph(const std::vector<GraphEntity>& entities,
                         const std::vector<GraphRelation>& relations) {
  json::object graph{{"entities", to_json_array(entities)},
                     {"relations", to_json_array(relations)}};
  std::string text = indented_json(graph);
  return {std::move(graph), std::move(text)};
}

/// Reads the elements of a list argument.
template <class Element>
Result<std::vector<Element>> read_list(const json::object& arguments, const std::string& name,
                                       Result<Element> (*read)(const json::object& from,
                                                               const std::string& place)) {
  std::vector<Element> elements;
  const json::array& list = arguments.at(name).as_array();
  for (std::size_t i = 0; i < list.size(); ++i) {
    const std::string place = name + "[" + std::to_string(i) + "]";
    if (!list[i].is_object())
      return Error{ErrorCode::invalid_argument, place + " must be an object", std::nullopt};
    CAIRN_ASSIGN(auto element, read(list[i].get_object(), place));
    elements.push_back(std::move(element));
  }
  return elements;
}

std::vector<std::string> names_of(const std::vector<GraphEntity>& entities) {
  std::vector<std::string> names;
  for (const GraphEntity& one : entities) names.push_back(one.name);
  return names;
}

bool contains(const std::vector<std::string>& texts, const std::string& text) {
  return std::ranges::find(texts, text) != texts.end();
}

Result<GraphAnswer> create_entities(GraphRecords& records, const json::object& arguments) {
  CAIRN_ASSIGN(auto entities, read_list(arguments, "entities", read_entity));
  CAIRN_ASSIGN(const auto known, records.entities_of(names_of(entities)));
  const std::vector<std::string> known_names = names_of(known);
  std::erase_if(entities, [&](const GraphEntity& one) { return contains(known_names, one.name); });
  CAIRN_TRY(records.add(entities));
  return answer_list("entities", to_json_array(entities));
}

Result<GraphAnswer> create_relations(GraphRecords& records, const json::object& arguments) {
  CAIRN_ASSIGN(auto relations, read_list(arguments, "relations", read_relation));
  std::vector<std::string> ends;
  for (const GraphRelation& one : relations) ends.push_back(one.from);
  CAIRN_ASSIGN(const auto known, records.relations_of(ends));
  std::erase_if(relations, [&](const GraphRelation& one) {
    return std::ranges::find(known, one) != known.end();
  });
  CAIRN_TRY(records.add(relations));
  return answer_list("relations", to_json_array(relations));
}

/// Observations to add to or remove from one entity.
struct Observed {
  std::string name;
  std::vector<std::string> texts;
};

Result<Observed> read_added(const json::object& from, const std::string& place) {
  Observed read;
  CAIRN_ASSIGN(read.name, read_text(from, "entityName", place));
  CAIRN_ASSIGN(read.texts, read_texts(from, "contents", place));
  return read;
}

Result<Observed> read_deleted(const json::object& from, const std::string& place) {
  Observed read;
  CAIRN_ASSIGN(read.name, read_text(from, "entityName", place));
  CAIRN_ASSIGN(read.texts, read_texts(from, "observations", place));
  return read;
}

Result<GraphAnswer> add_observations(GraphRecords& records, const json::object& arguments) {
  CAIRN_ASSIGN(const auto given, read_list(arguments, "observations", read_added));
  json::array results;
  for (const Observed& one : given) {
    CAIRN_ASSIGN(auto entities, records.entities_of({one.name}));
    if (entities.empty())
      return Error{ErrorCode::not_found, "Entity with name " + one.name + " not found",
                   std::nullopt};
    std::vector<std::string>& observations = entities.front().observations;
    std::vector<std::string> added = one.texts;
    std::erase_if(added, [&](const std::string& text) { return contains(observations, text); });
    observations.insert(observations.end(), added.begin(), added.end());
    if (!added.empty()) CAIRN_TRY(records.set_observations(entities.front()));
    results.push_back({{"entityName", one.name}, {"addedObservations", to_json_texts(added)}});
  }
  return answer_list("results", std::move(results));
}

Result<GraphAnswer> delete_entities(GraphRecords& records, const json::object& arguments) {
  CAIRN_ASSIGN(const auto names, read_texts(arguments, "entityNames", ""));
  CAIRN_TRY(records.hide_entities(names));
  return answer_done("Entities deleted successfully");
}

Result<GraphAnswer> delete_observations(GraphRecords& records, const json::object& arguments) {
  CAIRN_ASSIGN(const auto given, read_list(arguments, "deletions", read_deleted));
  for (const Observed& one : given) {
    CAIRN_ASSIGN(auto entities, records.entities_of({one.name}));
    if (entities.empty()) continue;
    const std::size_t deleted =
        std::erase_if(entities.front().observations,
                      [&](const std::string& text) { return contains(one.texts, text); });
    if (deleted > 0) CAIRN_TRY(records.set_observations(entities.front()));
  }
  return answer_done("Observations deleted successfully");
}

Result<GraphAnswer> delete_relations(GraphRecords& records, const json::object& arguments) {
  CAIRN_ASSIGN(const auto relations, read_list(arguments, "relations", read_relation));
  for (const GraphRelation& one : relations) CAIRN_TRY(records.remove(one));
  return answer_done("Relations deleted successfully");
}

Result<GraphAnswer> read_graph(GraphRecords& records, const json::object&) {
  CAIRN_ASSIGN(const auto entities, records.entities());
  CAIRN_ASSIGN(const auto relations, records.relations());
  return answer_graph(entities, relations);
}

Result<GraphAnswer> search_nodes(GraphRecords& records, const json::object& arguments) {
  CAIRN_ASSIGN(const std::string query, read_text(arguments, "query", ""));
  CAIRN_ASSIGN(const auto entities, records.entities_with(query));
  CAIRN_ASSIGN(const auto relations, records.relations_of(names_of(entities)));
  return answer_graph(entities, relations);
}

Result<GraphAnswer> open_nodes(GraphRecords& records, const json::object& arguments) {
  CAIRN_ASSIGN(const auto names, read_texts(arguments, "names", ""));
  CAIRN_ASSIGN(const auto entities, records.entities_of(names));
  CAIRN_ASSIGN(const auto relations, records.relations_of(names_of(entities)));
  return answer_graph(entities, relations);
}

}  // namespace

namespace {

constexpr std::string_view graph_uri = "memory://knowledge-graph";

Result<GraphAnswer> run_call(const MemoryCaller& caller, GraphCall call, bool only_reads,
                             const json::object& arguments, const std::stop_token& stop) {
  CAIRN_ASSIGN(
      Transaction transaction,
      caller.database().begin(only_reads ? TransactionMode::read : TransactionMode::write));
  GraphRecords records(caller, transaction, stop);
  CAIRN_ASSIGN(GraphAnswer answer, call(records, arguments));
  if (!only_reads) CAIRN_TRY(transaction.commit());
  return answer;
}

/// Refuses an answer that is too long for a model, because a part of a graph would look like the
/// whole.
Answer<ToolResult> bounded_result(GraphAnswer answer) {
  const std::size_t tokens = estimate_tokens(answer.text);
  if (tokens <= most_tokens) return structured_result(std::move(answer.structured), answer.text);
  return tool_error("The answer has about " + std::to_string(tokens) + " tokens, and at most " +
                    std::to_string(most_tokens) +
                    " are given. Ask search_nodes for fewer entities, or open_nodes by name");
}

struct GraphTool {
  const char* name;
  const char* title;
  const char* description;
  GraphCall call;
  const char* input;   ///< members of the arguments, all required
  const char* output;  ///< members of the structured answer
  Role role;
};

constexpr const char* entity_list =
    R"("entities":{"type":"array","items":{"type":"object","properties":{"name":{"type":"string"},)"
    R"("entityType":{"type":"string"},"observations":{"type":"array","items":{"type":"string"}}},)"
    R"("required":["name","entityType","observations"]}})";
constexpr const char* relation_list =
    R"("relations":{"type":"array","items":{"type":"object","properties":{"from":{"type":"string"},)"
    R"("to":{"type":"string"},"relationType":{"type":"string"}},"required":["from","to","relationType"]}})";
constexpr const char* done_members = R"("success":{"type":"boolean"},"message":{"type":"string"})";
const std::string graph_members = std::string(entity_list) + "," + relation_list;

const std::vector<GraphTool>& graph_tools() {
  static const std::vector<GraphTool> tools = {
      {"create_entities", "Create entities",
       "Add entities, each with a type and observations. One whose name is taken stays as it is. "
       "Example: {\"entities\": [{\"name\": \"Ada\", \"entityType\": \"person\", \"observations\": "
       "[\"drinks tea\"]}]}",
       create_entities, entity_list, entity_list, Role::write},
      {"create_relations", "Create relations",
       "Relate entities by name, in active voice. Example: {\"relations\": [{\"from\": \"Ada\", "
       "\"to\": \"Bob\", \"relationType\": \"knows\"}]}",
       create_relations, relation_list, relation_list, Role::write},
      {"add_observations", "Add observations",
       "Add what is new about entities that are there. Example: {\"observations\": "
       "[{\"entityName\": "
       "\"Ada\", \"contents\": [\"lives in Oslo\"]}]}",
       add_observations,
       R"("observations":{"type":"array","items":{"type":"object","properties":{"entityName":{"type":"string"},)"
       R"("contents":{"type":"array","items":{"type":"string"}}},"required":["entityName","contents"]}})",
       R"("results":{"type":"array","items":{"type":"object","properties":{"entityName":{"type":"string"},)"
       R"("addedObservations":{"type":"array","items":{"type":"string"}}},"required":["entityName","addedObservations"]}})",
       Role::write},
      {"delete_entities", "Delete entities",
       "Delete entities and their relations, by name. Example: {\"entityNames\": [\"Ada\"]}",
       delete_entities, R"("entityNames":{"type":"array","items":{"type":"string"}})", done_members,
       Role::forget},
      {"delete_observations", "Delete observations",
       "Delete observations that are no longer true. Example: {\"deletions\": "
       "[{\"entityName\": "
       "\"Ada\", \"observations\": [\"drinks tea\"]}]}",
       delete_observations,
       R"("deletions":{"type":"array","items":{"type":"object","properties":{"entityName":{"type":"string"},)"
       R"("observations":{"type":"array","items":{"type":"string"}}},"required":["entityName","observations"]}})",
       done_members, Role::write},
      {"delete_relations", "Delete relations",
       "Delete relations. Example: {\"relations\": [{\"from\": \"Ada\", \"to\": \"Bob\", "
       "\"relationType\": \"knows\"}]}",
       delete_relations, relation_list, done_members, Role::forget},
      {"read_graph", "Read the graph", "All entities and relations. Example: {}", read_graph, "",
       graph_members.c_str(), Role::read},
      {"search_nodes", "Search entities",
       "Entities whose name, type or observations contain a text, and their relations. Example: "
       "{\"query\": \"tea\"}",
       search_nodes, R"("query":{"type":"string"})", graph_members.c_str(), Role::read},
      {"open_nodes", "Open entities",
       "Entities by name, and their relations. Example: {\"names\": [\"Ada\", \"Bob\"]}",
       open_nodes, R"("names":{"type":"array","items":{"type":"string"}})", graph_members.c_str(),
       Role::read}};
  return tools;
}

/// Returns a schema with these members, all required.
json::object schema_of(std::string_view members) {
  json::object schema =
      json_object(R"({"type":"object","properties":{)" + std::string(members) + "}}");
  json::array required;
  for (const auto& member : schema.at("properties").as_object())
    required.emplace_back(member.key());
  if (!required.empty()) schema["required"] = std::move(required);
  return schema;
}

Tool tool_of(const MemoryCaller& caller, const GraphTool& one, std::function<void()> on_change) {
  Tool tool;
  tool.name = one.name;
  tool.title = one.title;
  tool.description = one.description;
  tool.input_schema = schema_of(one.input);
  tool.output_schema = schema_of(one.output);
  const bool only_reads = one.role == Role::read;
  const bool deletes = std::string_view(one.name).starts_with("delete");
  tool.annotations = {.read_only = only_reads,
                      .destructive = deletes,
                      .idempotent = only_reads || deletes,
                      .open_world = false};
  tool.call = [&caller, call = one.call, only_reads, on_change = std::move(on_change)](
                  const json::object& arguments, Context& context) -> Answer<ToolResult> {
    auto answer = run_call(caller, call, only_reads, arguments, context.stop());
    if (!answer) return tool_error(answer.error().message);
    if (!only_reads) on_change();
    return bounded_result(*std::move(answer));
  };
  return tool;
}

Answer<ResourceContents> read_resource(const MemoryCaller& caller, const std::string& uri,
                                       const std::stop_token& stop) {
  if (uri != graph_uri) return resource_not_found(uri);
  const auto graph = run_call(caller, read_graph, true, {}, stop);
  if (!graph) return ProtocolError{ProtocolCode::internal_error, graph.error().message};
  return ResourceContents{{text_resource(uri, "application/json", graph->text)}};
}

}  // namespace

void offer_graph(const MemoryCaller& caller, ServerDefinition& server) {
  server.changes = std::make_shared<Changes>();
  const auto on_change = [changes = server.changes] {
    changes->resource_updated(std::string(graph_uri));
  };
  for (const GraphTool& one : graph_tools())
    if (caller.settings().may(one.role)) server.tools.push_back(tool_of(caller, one, on_change));
  server.resources.push_back({std::string(graph_uri), "knowledge-graph", "Knowledge graph",
                              "All entities and relations", "application/json", std::nullopt});
  server.read_resource = [&caller](const std::string& uri, Context& context) {
    return read_resource(caller, uri, context.stop());
  };
}

}  // namespace cairn::tools::mcp
