#include "tools/mcp/graph/graph_calls.hpp"

#include "tools/mcp/graph/graph_json.hpp"

#include <algorithm>
#include <utility>

namespace cairn::tools::mcp {
namespace {

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

/// The elements of a list argument.
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

}  // namespace

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

namespace {

/// Observations of one entity, to be added or taken away.
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

}  // namespace

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

}  // namespace cairn::tools::mcp
