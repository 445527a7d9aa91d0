#include "tests/metamorphic/tenants_memories.hpp"

#include <vector>

namespace cairn::test {
namespace {

using Texts = std::vector<std::string>;

std::string content(Random& random) {
  static const Texts words = {"green", "tea", "cup", "milk", "coffee", "Ada", "log"};
  std::string text = random.pick(words);
  for (std::size_t more = 1 + random.below(4); more > 0; --more) text += " " + random.pick(words);
  return text;
}

std::string name(Random& random) { return "'m" + std::to_string(random.below(4)) + "'"; }

std::string small(Random& random) { return std::to_string(random.below(4)); }

// With metadata that other conditions ask for.
std::string record(Random& random, const std::string& word, bool in_session) {
  const std::string text = content(random) + (word.empty() ? "" : " " + word);
  const std::string own = word.empty() ? "" : ", " + word + "_mood: '" + word + "'";
  const std::string id = random.one_in(2) ? ", external_id: " + name(random) : std::string();
  const std::string session =
      in_session && random.one_in(2) ? ", session: 's" + small(random) + "'" : "";
  const std::string kind = random.one_in(4) ? ", kind: 'task'" : "";
  return "{content: '" + text + "'" + kind + id + session +
         ", metadata: {importance: " + small(random) + ", mood: 'calm'" + own + "}}";
}

std::string recall(Random& random) {
  static const Texts strategies = {"", "vector", "vector_and_graph", "hybrid", "text"};
  const std::string& strategy = random.pick(strategies);
  return "CALL memory.recall({query: '" + content(random) + "'" +
         (strategy.empty() ? "" : ", strategy: '" + strategy + "'") +
         (random.one_in(3) ? ", session: 's" + small(random) + "'" : "") +
         (random.one_in(4) ? ", context: 1, max_tokens: 40" : "") +
         "}) YIELD id, record, score, stage, passage RETURN id, record.content, score, stage, "
         "[one IN passage | one.content]";
}

std::string search_in_index(Random& random) {
  static const Texts searches = {
      "CALL db.index.fulltext.queryNodes('memory_contents', 'green tea') YIELD node, score RETURN "
      "id(node), score",
      "CALL db.index.fulltext.queryNodes('memory_content', 'green tea')",
      "CALL db.index.vector.queryNodes('memory_embedding', 3, embed('green tea')) YIELD node, "
      "score RETURN id(node), score",
      "CALL db.index.vector.queryNodes('memory_embedding', 3, [1.0, 2.0])",
      "MATCH (m:Memory) SEARCH m IN (FULLTEXT INDEX memory_contents FOR 'tea cup' LIMIT 3) SCORE "
      "AS "
      "s RETURN id(m), s",
      "MATCH (m:Memory) SEARCH m IN (RANKED INDEX memory_contents FOR 'who has tea' LIMIT 3) SCORE "
      "AS s RETURN id(m), s",
      "MATCH (m:Memory) SEARCH m IN (VECTOR INDEX memory_embedding FOR embed('tea') WHERE "
      "m.importance > 1 LIMIT 3) SCORE AS s RETURN id(m), s",
      "MATCH (m) SEARCH m IN (FULLTEXT INDEX memory_contents FOR 'tea' LIMIT 2) RETURN id(m)",
      "MATCH (a:A) SEARCH a IN (FULLTEXT INDEX memory_contents FOR 'tea' LIMIT 2) RETURN id(a)",
      "MATCH (m:Memory) SEARCH m IN (FULLTEXT INDEX words FOR 'tea' LIMIT 2) RETURN id(m)",
      "MATCH (m:Memory) RETURN id(m) ORDER BY vector.similarity.cosine(m.embedding, embed('tea')) "
      "DESC, id(m) LIMIT 2",
      "CALL db.recall('green tea', {index: 'memory_contents'}) YIELD node, score RETURN id(node), "
      "score",
      "CALL db.recall('green tea')",
      "CALL db.recall.describe({index: 'memory_contents'})",
      "RETURN text.highlights('green tea', 'content:tea', {index: 'memory_contents'}) AS found",
      "CALL db.facets({operator: 'has_label', value: 'Memory'}, ['mood', 'globex_mood'])"};
  return (random.one_in(4) ? "EXPLAIN " : "") + random.pick(searches);
}

}  // namespace

TenantStatement memory_read_of_tenant(Random& random) {
  const std::string search =
      "}) YIELD records, total RETURN [one IN records | [one.id, one.content, one.metadata]] AS "
      "found, total";
  const Texts calls = {
      recall(random),
      recall(random),
      search_in_index(random),
      search_in_index(random),
      "CALL memory.search({limit: " + small(random) + search,
      "CALL memory.search({query: 'tea', session: 's" + small(random) + "'" + search,
      "CALL memory.search({filter: {field: 'importance', operator: 'greater_than', value: " +
          small(random) + "}, sort_by: 'importance'" + search,
      "CALL memory.search({filter: {field: 'globex_mood', operator: 'exists'}" + search,
      "CALL memory.list({of: 'tasks'" + search,
      "CALL memory.find({external_id: " + name(random) + "}) YIELD record RETURN record.content",
      "CALL memory.describe()",
      "CALL memory.describe({nested: true, session: 's1'})",
      "CALL memory.describe({field: 'mood'})",
      "CALL memory.describe({field: 'globex_moo'})",
      "CALL memory.history({external_id: " + name(random) + "}) YIELD event, detail",
      "MATCH (m:Memory) RETURN m.content, m.importance, m.globex_mood",
      "CALL db.rules.preview()"};
  TenantStatement statement{.text = random.pick(calls), .may_fail = true};
  statement.lists_paths = statement.text.find("memory.describe") != std::string::npos ||
                          statement.text.find("db.recall.describe") != std::string::npos;
  return statement;
}

TenantStatement memory_write_of_tenant(Random& random, Flavour flavour) {
  const auto one = [&] { return record(random, "", flavour == Flavour::mixed); };
  const Texts calls = {
      "CALL memory.add(" + one() + ") YIELD id, external_id RETURN id, external_id",
      "CALL memory.add([" + one() + ", " + one() + "]) YIELD id RETURN id",
      "CALL memory.remember({content: '" + content(random) +
          "', metadata: {mood: 'glad'}}) YIELD "
          "id RETURN id",
      "CALL memory.update({external_id: " + name(random) + ", changes: {importance: " +
          small(random) + "}}) YIELD matched, changed RETURN matched, changed",
      "CALL memory.update({external_id: " + name(random) + ", content: '" + content(random) +
          "'}) YIELD matched, changed RETURN matched, changed",
      "CALL memory.update({selection: {kinds: ['task']}, content: '" + content(random) +
          "'}) YIELD matched RETURN matched",
      "CALL memory.forget({external_id: " + name(random) + "}) YIELD matched RETURN matched",
      "CALL memory.forget({selection: {session: 's" + small(random) +
          "'}, erase: true}) YIELD matched RETURN matched",
      "CALL memory.restore({external_id: " + name(random) + "})",
      "CALL memory.file({command: 'create', path: '/memories/a.txt', file_text: '" +
          content(random) + "'})",
      "CALL memory.view_file({command: 'view', path: '/memories/a.txt'})",
      "MATCH (m:Memory) DETACH DELETE m"};
  return {.text = random.pick(calls), .may_fail = true};
}

std::string memory_write_of_another(Random& random) {
  const auto one = [&] { return record(random, "globex", true); };
  const Texts calls = {
      "CALL memory.add(" + one() + ")",
      "CALL memory.add([" + one() + ", " + one() + "])",
      "CALL memory.update({selection: {kinds: ['note']}, changes: {globex_seen: true}})",
      "CALL memory.file({command: 'create', path: '/memories/a.txt', file_text: 'of globex'})",
      "CALL memory.forget({selection: {kinds: ['task']}})",
      "MATCH (m:Memory), (n) WHERE m@namespace = 'globex' AND n@namespace = 'acme' WITH m, n LIMIT "
      "3 CREATE (m)-[:MENTIONS]->(n)",
      "MATCH (m:Memory) WHERE m@namespace = 'globex' DETACH DELETE m"};
  return random.pick(calls);
}

}  // namespace cairn::test
