// Stores entities and relations by statements. A relation may name an entity that does not exist:
// then a node :MissingEntity with that name takes its place until the entity is created, and the
// relations are moved to the new node.

#include "tools/mcp/graph/graph_records.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace cairn::tools::mcp {
namespace {

/// The relationship type of a relation whose own type is not a valid type: the property
/// `relationType` has it instead. A relation of type RELATED has that property too, so that it is
/// not mistaken for one of these.
constexpr std::string_view other_type = "RELATED";
constexpr std::size_t longest_type = 1'000;

// A moved relation has its original place in the order as a property.
constexpr std::string_view relation_columns =
    "RETURN startNode(r).name, endNode(r).name, coalesce(r.relationType, type(r)) "
    "ORDER BY coalesce(r.position, id(r))";

bool can_be_type(const std::string& text) {
  return !text.empty() && text.size() <= longest_type && text != other_type;
}

std::string text_of(const Value& value) {
  return value.string() == nullptr ? value.to_text() : *value.string();
}

std::vector<std::string> texts_of(const Value& value) {
  if (value.is_null()) return {};
  std::vector<std::string> texts;
  if (value.list() == nullptr) return {text_of(value)};
  for (const Value& one : *value.list()) texts.push_back(text_of(one));
  return texts;
}

List list_of(const std::vector<std::string>& texts) { return {texts.begin(), texts.end()}; }

/// Returns the text that searches by words and meaning use.
std::string content_of(const GraphEntity& entity) {
  std::string content = entity.name + " (" + entity.type + ")";
  for (const std::string& one : entity.observations) (content += '\n') += one;
  return content;
}

Value record_of(const GraphEntity& entity) {
  return Map{{"kind", "entity"},
             {"content", content_of(entity)},
             {"metadata", Map{{"name", entity.name},
                              {"entityType", entity.type},
                              {"observations", list_of(entity.observations)}}}};
}

std::vector<GraphRelation> relations_from(const std::vector<std::vector<Value>>& rows) {
  std::vector<GraphRelation> relations;
  for (const auto& row : rows)
    relations.push_back({text_of(row[0]), text_of(row[1]), text_of(row[2])});
  return relations;
}

/// Returns what identifies a relationship: its nodes, its type if it cannot be a relationship type,
/// and `more`.
Value connection(std::int64_t from, std::int64_t to, const std::string& type, Map more) {
  if (!can_be_type(type)) more.emplace("relationType", type);
  return Map{{"source", from},
             {"target", to},
             {"type", can_be_type(type) ? type : std::string(other_type)},
             {"identity", std::move(more)}};
}

}  // namespace

Result<std::vector<std::vector<Value>>> GraphRecords::rows(std::string_view statement,
                                                           const Parameters& parameters) const {
  CAIRN_ASSIGN(CalledRows called, caller_.call_in(transaction_, statement, parameters, stop_));
  return std::move(called.rows);
}

Result<std::vector<GraphEntity>> GraphRecords::read_entities(std::string_view condition,
                                                             const Parameters& parameters) const {
  CAIRN_ASSIGN(const auto found,
               rows("MATCH (m:Memory&Entity) WHERE m.name IS NOT NULL" + std::string(condition) +
                        " RETURN id(m), m.name, coalesce(m.entityType, ''), m.observations "
                        "ORDER BY id(m)",
                    parameters));
  std::vector<GraphEntity> entities;
  for (const auto& row : found)
    entities.push_back({text_of(row[1]), text_of(row[2]), texts_of(row[3]), row[0].as_integer()});
  return entities;
}

Result<std::vector<GraphEntity>> GraphRecords::entities() const { return read_entities("", {}); }

Result<std::vector<GraphEntity>> GraphRecords::entities_of(
    const std::vector<std::string>& names) const {
  return read_entities(" AND m.name IN $names", {{"names", list_of(names)}});
}

// The conversions allow for entities to which other tools gave values that are not texts.
Result<std::vector<GraphEntity>> GraphRecords::entities_with(const std::string& text) const {
  return read_entities(
      " AND (toLower(toStringOrNull(m.name)) CONTAINS toLower($text) "
      "OR toLower(coalesce(toStringOrNull(m.entityType), '')) CONTAINS toLower($text) "
      "OR any(o IN [] + coalesce(m.observations, []) "
      "WHERE toLower(toStringOrNull(o)) CONTAINS toLower($text)))",
      {{"text", text}});
}

Result<std::vector<GraphRelation>> GraphRecords::relations() const {
  CAIRN_ASSIGN(const auto found, rows("MATCH (:(Memory&Entity)|MissingEntity)-[r]->"
                                      "(:(Memory&Entity)|MissingEntity) " +
                                          std::string(relation_columns),
                                      {}));
  return relations_from(found);
}

Result<std::vector<GraphRelation>> GraphRecords::relations_of(
    const std::vector<std::string>& names) const {
  CAIRN_ASSIGN(const auto found,
               rows("MATCH (m:(Memory&Entity)|MissingEntity)-[r]-(:(Memory&Entity)|MissingEntity) "
                    "WHERE m.name IN $names WITH DISTINCT r " +
                        std::string(relation_columns),
                    {{"names", list_of(names)}}));
  return relations_from(found);
}

Result<bool> GraphRecords::is_used() const {
  CAIRN_ASSIGN(const auto entities,
               rows("CALL memory.search({kinds: ['entity'], limit: 1, include_deleted: true}) "
                    "YIELD total WHERE total > 0 RETURN total",
                    {}));
  CAIRN_ASSIGN(const auto missing, rows("MATCH (m:MissingEntity) RETURN id(m) LIMIT 1", {}));
  return !entities.empty() || !missing.empty();
}

Status GraphRecords::add(const std::vector<GraphEntity>& entities) {
  if (entities.empty()) return {};
  List records;
  std::set<std::string> names;
  for (const GraphEntity& entity : entities) {
    records.push_back(record_of(entity));
    names.insert(entity.name);
  }
  CAIRN_TRY(rows("CALL memory.add($records) YIELD id RETURN count(id)", {{"records", records}}));
  CAIRN_ASSIGN(const auto missing,
               rows("MATCH (m:MissingEntity) WHERE m.name IN $names RETURN m.name",
                    {{"names", List(names.begin(), names.end())}}));
  for (const auto& row : missing) CAIRN_TRY(move_to_entity(text_of(row[0])));
  return {};
}

Status GraphRecords::move_to_entity(const std::string& name) {
  CAIRN_ASSIGN(const auto entities, entities_of({name}));
  CAIRN_ASSIGN(const auto found,
               rows("MATCH (m:MissingEntity {name: $name})-[r]-() WITH DISTINCT m, r "
                    "RETURN id(m), id(startNode(r)), id(endNode(r)), "
                    "coalesce(r.relationType, type(r)), coalesce(r.position, id(r))",
                    {{"name", name}}));
  List connections;
  for (const auto& row : found) {
    const auto moved = [&](const Value& end) {
      return end == row[0] ? entities.front().id : end.as_integer();
    };
    connections.push_back(
        connection(moved(row[1]), moved(row[2]), text_of(row[3]), {{"position", row[4]}}));
  }
  CAIRN_TRY(connect(connections));
  CAIRN_TRY(rows("MATCH (m:MissingEntity {name: $name}) DETACH DELETE m", {{"name", name}}));
  return {};
}

Status GraphRecords::connect(const List& connections) {
  CAIRN_TRY(
      rows("UNWIND $connections AS c MATCH (a), (b) WHERE id(a) = c.source AND id(b) = "
           "c.target CALL apoc.merge.relationship(a, c.type, c.identity, {}, b, {}) YIELD "
           "rel RETURN count(rel)",
           {{"connections", connections}}));
  return {};
}

Result<std::map<std::string, std::int64_t>> GraphRecords::ends_of(
    const std::vector<GraphRelation>& relations) {
  std::set<std::string> names;
  for (const GraphRelation& one : relations) names.insert({one.from, one.to});
  std::map<std::string, std::int64_t> ends;
  CAIRN_ASSIGN(const auto entities, entities_of({names.begin(), names.end()}));
  for (const GraphEntity& entity : entities) ends.emplace(entity.name, entity.id);
  List missing;
  for (const std::string& name : names)
    if (!ends.contains(name)) missing.push_back(name);
  if (missing.empty()) return ends;
  CAIRN_ASSIGN(const auto made, rows("UNWIND $names AS name MERGE (m:MissingEntity {name: name}) "
                                     "RETURN m.name, id(m)",
                                     {{"names", missing}}));
  for (const auto& row : made) ends.emplace(text_of(row[0]), row[1].as_integer());
  return ends;
}

Result<std::map<GraphRecords::Triple, std::int64_t>> GraphRecords::count_same(
    const std::set<Triple>& triples) const {
  List asked;
  for (const auto& [from, to, type] : triples)
    asked.push_back(Map{{"source", from}, {"target", to}, {"type", type}});
  CAIRN_ASSIGN(const auto found,
               rows("UNWIND $asked AS c MATCH (a)-[r]->(b) WHERE id(a) = c.source AND id(b) = "
                    "c.target AND coalesce(r.relationType, type(r)) = c.type "
                    "RETURN c.source, c.target, c.type, count(r)",
                    {{"asked", asked}}));
  std::map<Triple, std::int64_t> counts;
  for (const auto& row : found)
    counts.emplace(Triple{row[0].as_integer(), row[1].as_integer(), text_of(row[2])},
                   row[3].as_integer());
  return counts;
}

// A relation that exists already is created again, with a number that distinguishes it.
Status GraphRecords::add(const std::vector<GraphRelation>& relations) {
  if (relations.empty()) return {};
  CAIRN_ASSIGN(const auto ends, ends_of(relations));
  std::vector<Triple> triples;
  for (const GraphRelation& one : relations)
    triples.emplace_back(ends.at(one.from), ends.at(one.to), one.type);
  CAIRN_ASSIGN(auto counts, count_same({triples.begin(), triples.end()}));
  List connections;
  for (const Triple& triple : triples) {
    const std::int64_t copy = counts[triple]++;
    const auto& [from, to, type] = triple;
    connections.push_back(connection(from, to, type, copy == 0 ? Map() : Map{{"copy", copy}}));
  }
  return connect(connections);
}

Status GraphRecords::set_observations(const GraphEntity& entity) {
  CAIRN_TRY(
      rows("CALL memory.update($request) YIELD matched RETURN matched",
           {{"request", Map{{"id", entity.id},
                            {"content", content_of(entity)},
                            {"changes", Map{{"observations", list_of(entity.observations)}}}}}}));
  return {};
}

Status GraphRecords::hide_entities(const std::vector<std::string>& names) {
  CAIRN_ASSIGN(const auto found, entities_of(names));
  List ids;
  for (const GraphEntity& entity : found) ids.push_back(entity.id);
  if (!ids.empty())
    CAIRN_TRY(rows("CALL memory.forget($request) YIELD forgotten RETURN forgotten",
                   {{"request", Map{{"id", ids}}}}));
  CAIRN_TRY(rows("MATCH (m:MissingEntity) WHERE m.name IN $names DETACH DELETE m",
                 {{"names", list_of(names)}}));
  return {};
}

Status GraphRecords::remove(const GraphRelation& relation) {
  CAIRN_TRY(
      rows("MATCH (a:(Memory&Entity)|MissingEntity)-[r]->(b:(Memory&Entity)|MissingEntity) "
           "WHERE a.name = $from AND b.name = $to "
           "AND coalesce(r.relationType, type(r)) = $type DELETE r",
           {{"from", relation.from}, {"to", relation.to}, {"type", relation.type}}));
  return {};
}

}  // namespace cairn::tools::mcp
