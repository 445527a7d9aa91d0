#pragma once
// A database with markers in every place where a text of a user can be, some of them erased.

#include "tests/engine/scrub/file_scan.hpp"
#include "tests/support/graph_builder.hpp"
#include "tests/support/run_query.hpp"

#include <cairn/database.hpp>
#include <cairn/tokens.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

namespace cairn::test {

inline constexpr std::size_t dimension = 8;

/// Records with a marker in every place where a text of a user can be, among others.
struct MarkedDatabase {
  TemporaryDatabase db{with_segments()};
  std::mt19937_64 random{7};
  std::vector<std::string> markers;
  std::vector<NodeId> victims;
  std::string memory_id;  ///< external
  std::string rule_name;
  std::string brief_session;  ///< of a memory that expires
  std::string token, name_space, index, constraint, file;

  static Options with_segments() {
    Options options;
    options.segments = Segments::always;
    return options;
  }
  /// A word that nothing else has, and that no stemmer shortens.
  std::string marker() {
    std::string text = "zq";
    for (int i = 0; i < 14; ++i) text.push_back("0123456789"[random() % 10]);
    return markers.emplace_back(text + "w");
  }
  std::vector<float> vector() {
    std::vector<float> components;
    for (std::size_t i = 0; i < dimension; ++i)
      components.push_back(static_cast<float>(random() % 100'000) / 7.0F + 1.0F);
    return components;
  }
  /// A vector whose first half is looked for.
  Value marked_vector() {
    std::vector<float> components = vector();
    std::string bytes(dimension / 2 * sizeof(float), '\0');
    std::memcpy(bytes.data(), components.data(), bytes.size());
    markers.push_back(bytes);
    return Value(Vector(std::move(components)));
  }

  void define() {
    run_all(*db, {"CREATE FULLTEXT INDEX texts FOR (m:Doc) ON EACH [m.content]",
                  "CREATE VECTOR INDEX meanings FOR (m:Doc) ON (m.v) OPTIONS {indexConfig: "
                  "{`vector.dimensions`: 8, `vector.similarity_function`: 'euclidean'}}",
                  "CREATE VECTOR INDEX ties FOR ()-[r:TIED]-() ON (r.v) OPTIONS {indexConfig: "
                  "{`vector.dimensions`: 8}}"});
  }
  void fill(std::size_t count) {
    must(db->write([&](Transaction& transaction) -> Status {
      for (std::size_t i = 0; i < count; ++i)
        CAIRN_TRY(transaction.create_node(
            {{"Doc"},
             {{"content", "moss and tea " + std::to_string(random() % 1'000)},
              {"number", static_cast<std::int64_t>(random() % 100)},
              {"v", Value(Vector(vector()))}}}));
      return {};
    }));
  }
  void add_victims() {
    must(db->write([&](Transaction& transaction) -> Status {
      const std::string name = marker();
      const Properties properties{
          {"content", "a text about " + marker() + " and tea"},
          {"short", marker()},
          {"long", std::string(2'000, 'x') + marker() + std::string(2'000, 'y')},
          {"list", List{marker(), 1, marker()}},
          {"map", Map{{"inner", Map{{"deep", marker()}, {marker(), 2}}}}},
          {name, 7},
          {"v", marked_vector()},
          {"spaced" + marker(), Value(Vector(vector()))}};
      CAIRN_ASSIGN(const NodeId node,
                   transaction.create_node({{"Doc", marker()}, properties, marker()}));
      CAIRN_ASSIGN(const NodeId other, transaction.create_node({{"Doc"}, {{"short", marker()}}}));
      CAIRN_TRY(transaction.create_relationship({node, marker(), other, {{"why", marker()}}}));
      victims = {node, other};
      return {};
    }));
  }
  /// What calls make: a memory of a session and its author, a rule that tags, a vector between records.
  void add_made_by_calls() {
    StatementOptions options;
    options.author = marker();
    memory_id = marker();
    rule_name = marker();
    const std::string memory = "CALL memory.add({content: 'a memory of " + marker() +
                               "', external_id: '" + memory_id + "', session: '" + marker() +
                               "', metadata: {" + marker() + ": '" + marker() + "', tags: ['" +
                               marker() + "']}}) YIELD id RETURN id";
    must(must(execute(*db, memory, {}, options)).all());
    brief_session = marker();
    run_all(*db, {"CALL memory.add({content: 'brief', session: '" + brief_session +
                  "', time_to_live: '1h'})"});
    run_all(*db, {"CALL db.rules.put('" + rule_name + "', '" + marker() + "', ['" + marker() +
                  "'], {fields: ['content']})"});
    must(must(execute(*db,
                      "CREATE (:Doc {tied: 1})-[:TIED {v: vector($v, 8, FLOAT)}]->(:Doc {tied: 2})",
                      {{"v", marked_vector()}}))
             .all());
  }
  void erase_made_by_calls() {
    run_all(*db, {"MATCH (m:Memory {sessionId: '" + brief_session +
                      "'}) SET m@expires_at = datetime('2020-01-01T00:00:00Z')",
                  "CALL db.expire()"});
    run_all(*db, {"CALL memory.forget({external_id: '" + memory_id +
                      "', erase: true}) YIELD matched RETURN matched",
                  "CALL db.rules.drop('" + rule_name + "')",
                  "MATCH (:Doc {tied: 1})-[r:TIED]->() DELETE r"});
  }
  /// Names that are no part of records: of a token, a namespace, an index, a constraint, and a file of the memory tool.
  void add_named() {
    for (std::string* name : {&token, &name_space, &index, &constraint, &file}) *name = marker();
    must(create_token(*db, {.name = token}));
    StatementOptions options;
    options.name_space = name_space;
    must(must(execute(*db, "CREATE (:Doc {short: '" + marker() + "'})", {}, options)).all());
    run_all(*db, {"CREATE INDEX " + index + " FOR (d:Doc) ON (d.number)",
                  "CREATE CONSTRAINT " + constraint + " FOR (d:Doc) REQUIRE d.once IS UNIQUE",
                  "CALL memory.file({command: 'create', path: '/memories/" + file +
                      "/notes.md', file_text: 'before " + marker() + "'})",
                  "CALL memory.file({command: 'str_replace', path: '/memories/" + file +
                      "/notes.md', old_str: 'before', new_str: 'after " + marker() + "'})"});
  }
  void erase_named() {
    BOOST_TEST(must(revoke_token(*db, token)));
    run_all(*db,
            {"DROP NAMESPACE " + name_space, "DROP INDEX " + index, "DROP CONSTRAINT " + constraint,
             "CALL memory.forget({selection: {filter: {field: 'file_path', operator: "
             "'starts_with', value: '/memories/" +
                 file + "'}}, erase: true})",
             "MATCH (d:MemoryDirectory) DETACH DELETE d"});
  }
  /// What stays, but not as it was.
  void replace_values() {
    const std::string first = marker();
    const std::string second = marker();
    run_all(*db, {"CREATE (:Doc {content: '" + first + "', kept: '" + second + "'})",
                  "MATCH (d:Doc {kept: '" + second + "'}) SET d.content = 'other', d.kept = 'x'"});
    run_all(*db, {"CREATE (:Doc {gone: '" + marker() + "', here: 1})",
                  "MATCH (d:Doc {here: 1}) REMOVE d.gone"});
  }
  void erase_victims() {
    must(db->write([&](Transaction& transaction) -> Status {
      for (const NodeId node : victims) CAIRN_TRY(transaction.erase_node_and_relationships(node));
      return {};
    }));
  }
  /// Packs what has markers into segments, which the next checkpoint saves.
  void pack() {
    run_all(*db, {"MATCH (d:Doc) RETURN count(DISTINCT d.short), max(d.content), max(d.kept), "
                  "max(d.gone)",
                  "MATCH ()-[r]->() RETURN max(r.why)"});
  }
  void make_history() {
    define();
    add_victims();
    add_made_by_calls();
    add_named();
    // So many vectors that a segment is built, with the victim's among them.
    fill(8'300);
    pack();
    replace_values();
    must(db->checkpoint());
    fill(20);
    erase_victims();
    erase_made_by_calls();
    erase_named();
  }
  /// Markers that are nowhere in a copy of the closed database.
  std::vector<std::string> not_in(const std::filesystem::path& path) {
    const auto found = find_in_files(path, markers);
    std::vector<std::string> missing;
    for (const std::string& one : markers)
      if (!found.contains(one)) missing.push_back(one);
    return missing;
  }
  /// How many markers are in segment files.
  std::ptrdiff_t in_segment_files(const std::filesystem::path& path) {
    return std::ranges::count_if(find_in_files(path, markers), [](const auto& found) {
      return std::ranges::any_of(found.second, [](const std::string& place) {
        return place.find(".seg") != std::string::npos;
      });
    });
  }
  void expect_nothing(const std::filesystem::path& path) {
    for (const auto& [text, places] : find_in_files(path, markers))
      BOOST_ERROR("marker " << std::ranges::find(markers, text) - markers.begin() << " is in "
                            << places.front() << " and " << places.size() - 1 << " more places");
  }
};

}  // namespace cairn::test
