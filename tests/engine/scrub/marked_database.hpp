#pragma once
// A database with markers in every place where a text of a user can be, some of them erased.

#include "codec/meta.hpp"
#include "codec/ordered_key.hpp"
#include "engine/database/access.hpp"
#include "engine/database/core.hpp"
#include "engine/system/clock.hpp"
#include "tests/engine/scrub/file_scan.hpp"
#include "tests/support/copy_tree.hpp"
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
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cairn::test {

inline constexpr std::size_t dimension = 8;
inline constexpr std::size_t memory_dimension = 256;  ///< of the vectors of memories

/// What a test knows of a MarkedDatabase: the markers, and the names of what is erased.
struct MarkedRecords {
  std::mt19937_64 random{7};
  std::vector<std::string> markers;
  std::vector<NodeId> victims;
  std::string memory_id;  ///< external
  std::string long_id;    ///< external, of a long text
  std::string ingested;   ///< path of a file
  std::string rule_name;
  std::string brief_session;  ///< of a memory that expires
  std::string token, name_space, index, constraint, file;
};

/// Records with a marker in every place where a text of a user can be, among others.
struct MarkedDatabase : MarkedRecords {
  TemporaryDatabase db{with_segments()};

  static Options with_segments() {
    Options options;
    options.segments = Segments::always;
    return options;
  }
  /// Returns a word that occurs nowhere else and that no stemmer shortens. Its first letters vary, and only the rest is
  /// searched for: a list of sorted terms may omit the letters that a term shares with the previous term.
  std::string marker() {
    constexpr std::string_view letters = "bcdfghjklmnpqrstvwxz";
    std::string rest;
    for (int i = 0; i < 15; ++i) rest.push_back("0123456789"[random() % 10]);
    markers.push_back(rest += 'w');
    return std::string{letters[random() % letters.size()], letters[random() % letters.size()]} +
           rest;
  }
  /// The key of a value in the index of its property is looked for.
  Value indexed(Value value) {
    codec::append_index_value(markers.emplace_back(), value);
    return value;
  }
  std::int64_t large_number() { return static_cast<std::int64_t>(random() >> 2U); }
  std::vector<float> vector(std::size_t size = dimension) {
    std::vector<float> components;
    for (std::size_t i = 0; i < size; ++i)
      components.push_back(static_cast<float>(random() % 100'000) / 7.0F + 1.0F);
    return components;
  }
  /// A vector whose first four components are looked for.
  Value marked_vector(std::size_t size = dimension) {
    std::vector<float> components = vector(size);
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
                  "{`vector.dimensions`: 8}}",
                  "CREATE FULLTEXT INDEX reasons FOR ()-[r:TIED]-() ON EACH [r.reason]",
                  "CREATE FULLTEXT INDEX chunk_content FOR (c:Chunk) ON EACH [c.content]",
                  "CREATE VECTOR INDEX chunk_embedding FOR (c:Chunk) ON (c.embedding) OPTIONS "
                  "{indexConfig: {`vector.dimensions`: 256}}"});
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
          {"integer", indexed(large_number())},
          {"float", indexed(static_cast<double>(large_number()) / 7.0)},
          {"moment", indexed(DateTime{large_number() % 200'000'000'000, 0, 0, {}})},
          {"day", indexed(Date{large_number() % 1'000'000})},
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
                      "CREATE (:Doc {tied: 1})-[:TIED {v: vector($v, 8, FLOAT), reason: $reason}]->"
                      "(:Doc {tied: 2})",
                      {{"v", marked_vector()}, {"reason", "because of " + marker()}}))
             .all());
  }
  /// A long text in parts, of which each has its metadata, and a record of something in it.
  void remember() {
    long_id = marker();
    std::string text;
    for (int i = 0; i < 4; ++i)
      text += "a part of it about " + marker() + " and tea and moss and much more\n\n";
    run_all(*db, {"CALL memory.remember({content: '" + text + "', external_id: '" + long_id +
                  "', session: '" + marker() + "', metadata: {about: '" + marker() +
                  "'}, chunk_size: 60, chunk_overlap: 10, nodes: [{kind: 'entity', content: '" +
                  marker() + "'}]}) YIELD id RETURN id"});
  }
  /// What `cairn ingest` makes of a file.
  void ingest() {
    ingested = "/src/" + marker();
    must(
        must(execute(*db,
                     "CREATE (d:Document {file_path: $path, title: $title})-[:HAS_CHUNK]->(a:Chunk "
                     "{file_path: $path, content: $first, embedding: vector($v, 256, FLOAT)})"
                     "-[:NEXT]->(b:Chunk {file_path: $path, content: $second}), "
                     "(d)-[:HAS_CHUNK]->(b)",
                     {{"path", ingested},
                      {"title", marker()},
                      {"first", "how " + marker() + " begins"},
                      {"second", "and how " + marker() + " ends"},
                      {"v", marked_vector(memory_dimension)}}))
            .all());
  }
  /// A run notes which rule gave which tags.
  void apply_rules() {
    const std::string rule = marker();
    run_all(*db, {"CALL db.rules.put('" + rule + "', 'moss', ['" + marker() +
                      "'], {fields: ['content']})",
                  "CALL db.rules.apply()", "CALL db.rules.drop('" + rule + "')"});
  }
  /// The stored result of a request of a driver. It is old enough that a scrub need not wait.
  void store_result() {
    constexpr std::int64_t three_seconds = 3'000'000;
    const codec::ClientEntry entry{1, engine::system_time() - three_seconds, "rows of " + marker()};
    must(engine_core().write_note(codec::client_entry_key("request/" + marker()),
                                  codec::encode(entry)));
  }
  engine::Core& engine_core() { return *Access::core(*db); }
  void erase_made_by_calls() {
    run_all(*db, {"MATCH (m:Memory {sessionId: '" + brief_session +
                      "'}) SET m@expires_at = datetime('2020-01-01T00:00:00Z')",
                  "CALL db.expire()"});
    run_all(
        *db,
        {"CALL memory.forget({external_id: '" + memory_id +
             "', erase: true}) YIELD matched RETURN matched",
         "CALL db.rules.drop('" + rule_name + "')", "MATCH (:Doc {tied: 1})-[r:TIED]->() DELETE r",
         "CALL memory.forget({external_id: '" + long_id +
             "', erase: true}) YIELD matched RETURN matched",
         "MATCH (d:Document {file_path: '" + ingested + "'})-[:HAS_CHUNK]->(c) DETACH DELETE c, d",
         "CALL memory.forget({selection: {kinds: ['entity']}, erase: true}) YIELD matched RETURN "
         "matched",
         "MATCH (r:MemoryTagRun) DETACH DELETE r", "MATCH (m:Memory) REMOVE m.tags"});
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
  /// Makes a record with a vector, which replace_vector() replaces.
  void add_vector() {
    run_with("CREATE (:Doc {turned: 1, v: vector($v, 8, FLOAT)})", marked_vector());
  }
  void replace_vector() {
    run_with("MATCH (d:Doc {turned: 1}) SET d.v = vector($v, 8, FLOAT)", Value(Vector(vector())));
  }
  void run_with(const char* statement, Value vector) {
    must(must(execute(*db, statement, {{"v", std::move(vector)}})).all());
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
    remember();
    ingest();
    add_named();
    add_vector();
    // So many vectors that a segment is built, with the victim's among them.
    fill(8'300);
    pack();
    replace_values();
    must(db->checkpoint());
    fill(20);
    apply_rules();
    store_result();
    replace_vector();
    erase_victims();
    erase_made_by_calls();
    erase_named();
  }
  /// Begins with a copy of a history that was made once, as a kill would have left it: building the segment of its vectors
  /// takes longer than most cases.
  void copy_history() {
    static const TemporaryDirectory kept;
    static const MarkedRecords known = [] {
      MarkedDatabase made;
      made.make_history();
      copy_running_tree(made.db.path(), kept.path() / "db");
      return MarkedRecords(made);
    }();
    static_cast<MarkedRecords&>(*this) = known;
    db.close();
    std::filesystem::remove_all(db.path());
    copy_tree(kept.path() / "db", db.path());
    db.reopen();
  }
  /// The numbers of markers that are nowhere in a copy of the database.
  std::vector<std::size_t> not_in(const std::filesystem::path& path) {
    const auto found = find_in_files(path, markers);
    std::vector<std::size_t> missing;
    for (std::size_t i = 0; i < markers.size(); ++i)
      if (!found.contains(markers[i])) missing.push_back(i);
    return missing;
  }
  /// Adds a value that is only in the log, and erases it.
  void add_to_the_log() {
    run_all(*db, {"CREATE (:Doc {late: '" + marker() + "'})", "MATCH (d:Doc) REMOVE d.late"});
  }
  /// The places in which the files have markers: names of files, and families with the part of the entry.
  std::set<std::string> places_of_markers(const std::filesystem::path& path) {
    std::set<std::string> all;
    for (const auto& [text, places] : find_in_files(path, markers))
      all.insert(places.begin(), places.end());
    return all;
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
