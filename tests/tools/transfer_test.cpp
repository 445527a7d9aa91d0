#include "query/transfer/earlier_records.hpp"
#include "query/transfer/index_statements.hpp"
#include "tests/support/rounds.hpp"
#include "tests/support/temporary_directory.hpp"
#include "tests/support/value_generator.hpp"
#include "tools/transfer/export_files.hpp"
#include "tools/transfer/index_file.hpp"
#include "tools/transfer/transfer_report.hpp"

#include <cairn/check_files.hpp>
#include <cairn/statement.hpp>
#include <cairn/transfer.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <sstream>

using cairn::ExportOptions;
using cairn::ExportReport;
using cairn::ImportOptions;
using cairn::Value;
using cairn::query::are_stored_as;
using namespace cairn::tools;
namespace fs = std::filesystem;

namespace {

struct Fixture {
  cairn::test::TemporaryDirectory temporary;
  fs::path file = temporary.path() / "in.jsonl";
  cairn::Database database = open("db");

  cairn::Database open(const std::string& name) const {
    return cairn::Database::open(temporary.path() / name).value();
  }
  void write(const std::string& text) const { std::ofstream(file, std::ios::binary) << text; }
  static std::string read(const fs::path& one) {
    std::ifstream input(one, std::ios::binary);
    return {std::istreambuf_iterator<char>(input), {}};
  }
  void expect_nothing_unfinished() const {
    for (const auto& entry : fs::directory_iterator(temporary.path()))
      BOOST_TEST(entry.path().extension() != ".new", entry.path());
  }
  static std::string exported(cairn::Database& database) {
    std::ostringstream out;
    BOOST_TEST(export_jsonl(database, out, {}).has_value());
    return out.str();
  }
  /// An imported export must export as the same text.
  void expect_round_trip() {
    const std::string first = exported(database);
    write(first);
    cairn::Database copy = open("copy");
    const auto report = import_jsonl(copy, file, {});
    BOOST_REQUIRE_MESSAGE(report.has_value(), (report ? "" : report.error().message));
    BOOST_TEST(exported(copy) == first);
  }
  std::int64_t count(std::string_view text) {
    auto rows = cairn::execute(database, text);
    BOOST_REQUIRE_MESSAGE(rows.has_value(), (rows ? "" : rows.error().message));
    return rows->all().value()[0][0].as_integer();
  }
  void run(std::string_view text) {
    auto rows = cairn::execute(database, text);
    BOOST_REQUIRE_MESSAGE(rows.has_value(), (rows ? "" : rows.error().message));
  }
};

/// Some nodes and relationships with values that are awkward to write.
void fill_randomly(cairn::Database& database, cairn::test::ValueGenerator& random) {
  constexpr std::array<std::string_view, 8> names = {
      "a", "id", "types", "system", "labels", "a.b`\"", "\xc3\xa4 \xe8\x8c\xb6", "\n\\"};
  const auto name = [&] { return std::string(names[random.below(names.size())]); };
  // A program can store a zone with an offset that it never has, of which the language reads no text.
  const auto readable = [&] {
    Value value = random.storable();
    while (!cairn::parse_literal(value.to_text())) value = random.storable();
    return value;
  };
  const auto properties = [&] {
    cairn::Properties made;
    for (std::size_t i = random.below(4); i > 0; --i) made[name()] = readable();
    return made;
  };
  auto transaction = database.begin().value();
  std::vector<cairn::NodeId> nodes;
  for (std::size_t i = 1 + random.below(6); i > 0; --i) {
    cairn::NewNode node{{}, properties(), ""};
    if (random.boolean()) node.labels.push_back(name());
    if (random.boolean()) node.external_id = name() + std::to_string(i);
    nodes.push_back(transaction.create_node(node).value());
  }
  for (std::size_t i = random.below(6); i > 0; --i)
    BOOST_TEST(transaction
                   .create_relationship({nodes[random.below(nodes.size())], name(),
                                         nodes[random.below(nodes.size())], properties()})
                   .has_value());
  BOOST_REQUIRE(transaction.commit().has_value());
}

/// All values of a statement, in the form of the language.
std::string all_text(cairn::Database& database, std::string_view statement) {
  std::string text;
  auto rows = cairn::execute(database, statement);
  BOOST_REQUIRE_MESSAGE(rows.has_value(), (rows ? "" : rows.error().message));
  for (const auto& row : rows->all().value()) {
    for (const Value& value : row) text += value.to_text() + " ";
    text += "\n";
  }
  return text;
}

constexpr auto three_lines =
    R"({"type":"node","id":"a","labels":["P"],"properties":{"name":"Ada"}})"
    "\n"
    R"({"type":"node","id":"b","labels":["P"],"properties":{"name":"Bob"}})"
    "\n"
    R"({"type":"relationship","id":"0","label":"KNOWS","start":{"id":"a"},"end":{"id":"b"}})"
    "\n";

}  // namespace

BOOST_FIXTURE_TEST_SUITE(transfer, Fixture)

BOOST_AUTO_TEST_CASE(a_line_has_a_largest_size) {
  const auto line_of = [](const std::string& id, std::size_t size) {
    std::string line = R"({"type":"node","id":")" + id + R"(","labels":["P"],"properties":{"t":")";
    const std::string end = "\"}}";
    return line + std::string(size - line.size() - end.size(), 'x') + end;
  };
  // Both sides of the limit, in the buffer of the reader and beyond it.
  for (const std::size_t limit :
       {std::size_t{1'000}, std::size_t{64 * 1'024 - 1}, std::size_t{200'000}}) {
    const std::string name = std::to_string(limit);
    cairn::Database db = open("db" + name);
    write(line_of("a", limit) + "\n\n" + line_of("b", limit + 1) + "\n" + line_of("c", 100));
    ImportOptions options;
    options.max_line_bytes = limit;
    const auto refused = import_jsonl(db, file, options);
    BOOST_REQUIRE(!refused);
    BOOST_TEST(refused.error().message.starts_with("line 3: it has more than " + name + " bytes"),
               refused.error().message);
    BOOST_TEST(refused.error().message.find("--max-line-mib") != std::string::npos);
    options.skip_errors = true;
    const auto report = import_jsonl(db, file, options);
    BOOST_REQUIRE_MESSAGE(report.has_value(), (report ? "" : report.error().message));
    BOOST_TEST(report->nodes == 2u);
    BOOST_TEST(report->skipped == 1u);
    options.max_line_bytes = limit + 1;
    cairn::Database whole = open("whole" + name);
    const auto all = import_jsonl(whole, file, options);
    BOOST_REQUIRE_MESSAGE(all.has_value(), (all ? "" : all.error().message));
    BOOST_TEST(all->nodes == 3u);
  }
}

BOOST_AUTO_TEST_CASE(nodes_and_relationships_are_loaded) {
  write(three_lines);
  const auto report = import_jsonl(database, file, {});
  BOOST_REQUIRE_MESSAGE(report.has_value(), (report ? "" : report.error().message));
  BOOST_TEST(report->nodes == 2U);
  BOOST_TEST(report->relationships == 1U);
  BOOST_TEST(count("MATCH (:P {name: 'Ada'})-[:KNOWS]->(:P {name: 'Bob'}) RETURN count(*)") == 1);
}

BOOST_AUTO_TEST_CASE(a_broken_line_keeps_nothing_of_its_batch) {
  write(std::string(three_lines) + "{broken\n");
  const auto report = import_jsonl(database, file, {});
  BOOST_REQUIRE(!report.has_value());
  BOOST_TEST(report.error().message.find("line 4") != std::string::npos);
  BOOST_TEST(count("MATCH (n) RETURN count(*)") == 0);
}

BOOST_AUTO_TEST_CASE(skipped_lines_are_reported_with_their_reason) {
  write(std::string("{broken\n") + three_lines +
        R"({"type":"relationship","label":"R","start":{"id":"a"},"end":{"id":"zz"}})" + "\n");
  const auto report = import_jsonl(database, file, {.skip_errors = true});
  BOOST_REQUIRE(report.has_value());
  BOOST_TEST(report->skipped == 2U);
  BOOST_TEST(report->problems[0].line == 1U);
  BOOST_TEST(report->problems[1].line == 5U);
  BOOST_TEST(report->problems[1].reason.find("zz") != std::string::npos);
  BOOST_TEST(count("MATCH (n) RETURN count(*)") == 2);
}

BOOST_AUTO_TEST_CASE(ids_become_external_ids_only_when_asked) {
  write(three_lines);
  BOOST_REQUIRE(import_jsonl(database, file, {.id_prefix = "file:"}).has_value());
  const auto snapshot = database.snapshot();
  BOOST_TEST(snapshot->find_node("file:a").value().has_value());
  BOOST_TEST(!snapshot->find_node("a").value().has_value());
}

// As after an interruption: a part is there, and the whole file is given again.
BOOST_AUTO_TEST_CASE(an_import_is_repeated_and_loses_and_doubles_nothing) {
  const std::string lines =
      std::string(three_lines) +
      R"({"type":"relationship","id":"1","label":"KNOWS","start":{"id":"a"},"end":{"id":"b"}})"
      "\n"
      R"({"type":"node","id":"c","labels":["P"],"properties":{"name":"Eve"}})"
      "\n"
      R"({"type":"relationship","id":"2","label":"KNOWS","properties":{"w":1},"start":{"id":"a"},"end":{"id":"b"}})"
      "\n"
      R"({"type":"relationship","id":"3","label":"KNOWS","start":{"id":"c"},"end":{"id":"b"}})"
      "\n";
  const ImportOptions options{.skip_errors = true, .id_prefix = "x:"};
  write(three_lines);
  BOOST_REQUIRE(import_jsonl(database, file, options).has_value());
  write(lines);
  const auto second = import_jsonl(database, file, options);
  BOOST_REQUIRE_MESSAGE(second.has_value(), (second ? "" : second.error().message));
  BOOST_TEST(second->nodes == 1U);
  BOOST_TEST(second->relationships == 3U);  // one of two equal lines was there
  BOOST_TEST(second->earlier == 3U);
  BOOST_TEST(second->skipped == 0U);
  BOOST_TEST(to_text(*second).find("3 records were there already") != std::string::npos);
  // One of another type, and one the other way round, are no such relationship.
  run("MATCH (a:P {name: 'Ada'}), (b:P {name: 'Bob'}) CREATE (a)-[:`MET ``}`]->(b)-[:KNOWS]->(a)");
  const auto third = import_jsonl(database, file, options);
  BOOST_REQUIRE(third.has_value());
  BOOST_TEST(third->nodes + third->relationships == 0U);
  BOOST_TEST(third->earlier == 7U);
  BOOST_TEST(count("MATCH (n) RETURN count(*)") == 3);
  BOOST_TEST(count("MATCH (:P {name: 'Ada'})-[:KNOWS]->(:P {name: 'Bob'}) RETURN count(*)") == 3);
  BOOST_TEST(count("MATCH (:P {name: 'Eve'})-[:KNOWS]->(:P {name: 'Bob'}) RETURN count(*)") == 1);
}

// Lines and records differ in form alone: null is no property, and an index makes lists to vectors.
BOOST_AUTO_TEST_CASE(what_is_stored_in_another_form_is_known_again) {
  const std::string of = "OPTIONS {indexConfig: {`vector.dimensions`: 2}}";
  run("CREATE VECTOR INDEX n FOR (n:P) ON (n.e) " + of);
  run("CREATE VECTOR INDEX r FOR ()-[r:R]-() ON (r.e) " + of);
  const std::vector<std::string> forms = {
      R"("x":1,"w":null)",
      R"("e":[0.1,16777217])",  // neither is a float as it stands
      R"("e":[])", R"("e":["a",null],"m":{"a":null},"l":[null,1,2.0,-0.0])",
      R"-("t":"datetime('2024-02-29T10:00:00.5[Europe/Berlin]')","n":"NaN"},)-"
      R"("types":{"t":"cypher","n":"cypher")"};
  std::string lines;
  for (std::size_t i = 0; i < forms.size(); ++i)
    lines += R"({"type":"node","id":")" + std::to_string(i) +
             R"(","labels":["P","A","P"],"properties":{)" + forms[i] + "}}\n";
  for (const std::string& form : forms)
    lines += R"({"type":"relationship","id":"0","label":"R","start":{"id":"0"},"end":{"id":"1"},)"
             R"("properties":{)" +
             form + "}}\n";
  write(lines);
  const ImportOptions options{.skip_errors = true, .id_prefix = "x:"};
  const auto first = import_jsonl(database, file, options);
  BOOST_REQUIRE(first.has_value());
  BOOST_TEST(first->nodes + first->relationships == 2 * forms.size());
  BOOST_TEST(count("MATCH (n:P) WHERE n.e[1] = 16777216 RETURN count(*)") == 1);
  for (int again = 0; again < 2; ++again) {
    const auto report = import_jsonl(database, file, options);
    BOOST_REQUIRE(report.has_value());
    BOOST_TEST(report->earlier == 2 * forms.size());
    BOOST_TEST(to_text(*report).find("line ") == std::string::npos, to_text(*report));
  }
  BOOST_TEST(count("MATCH ()-[r]->() RETURN count(*)") == static_cast<int>(forms.size()));
}

BOOST_AUTO_TEST_CASE(another_vector_or_property_makes_another_record) {
  using cairn::Properties;
  using cairn::Vector;
  const Properties stored{{"e", Vector({0.5F, 2.0F})}};
  BOOST_TEST(are_stored_as({{"e", cairn::list_of({0.5, 2})}, {"w", nullptr}}, stored));
  BOOST_TEST(are_stored_as(stored, stored));
  BOOST_TEST(!are_stored_as({{"e", cairn::list_of({0.5, 3})}}, stored));
  BOOST_TEST(!are_stored_as({{"e", cairn::list_of({0.5})}}, stored));
  BOOST_TEST(!are_stored_as({{"e", cairn::list_of({0.5, "2"})}}, stored));
  BOOST_TEST(!are_stored_as({{"e", cairn::list_of({0.5, 2, 1})}}, stored));
  BOOST_TEST(!are_stored_as({{"e", nullptr}}, stored));
  BOOST_TEST(!are_stored_as({}, stored));
  BOOST_TEST(!are_stored_as({{"e", stored.at("e")}, {"f", 1}}, stored));
  BOOST_TEST(!are_stored_as({{"e", 1}}, {{"e", 1.0}}));
}

BOOST_AUTO_TEST_CASE(a_null_property_becomes_no_external_id) {
  write(R"({"type":"node","id":"a","properties":{"name":null}})"
        "\n"
        R"({"type":"node","id":"b","properties":{"name":null}})"
        "\n");
  const auto report = import_jsonl(database, file, {.id_property = "name"});
  BOOST_REQUIRE_MESSAGE(report.has_value(), (report ? "" : report.error().message));
  BOOST_TEST(report->nodes == 2U);
  BOOST_TEST(!database.snapshot()->find_node("null").value().has_value());
}

BOOST_AUTO_TEST_CASE(a_node_that_is_there_and_differs_stays_and_is_reported) {
  const ImportOptions options{.skip_errors = true, .id_prefix = "x:"};
  write(three_lines);
  BOOST_REQUIRE(import_jsonl(database, file, options).has_value());
  run("MATCH (n {name: 'Ada'}) SET n.name = 'Eve'");
  const auto report = import_jsonl(database, file, options);
  BOOST_REQUIRE(report.has_value());
  BOOST_TEST(report->earlier == 2U);
  BOOST_TEST(report->skipped == 1U);
  BOOST_TEST(report->problems[0].reason.find("x:a") != std::string::npos);
  BOOST_TEST(count("MATCH (:P {name: 'Eve'})-[:KNOWS]->(:P {name: 'Bob'}) RETURN count(*)") == 1);
}

BOOST_AUTO_TEST_CASE(two_nodes_of_one_import_are_never_taken_for_one) {
  write(R"({"type":"node","id":"a","labels":["P"],"properties":{"name":"Ada","x":1}})"
        "\n"
        R"({"type":"node","id":"b","labels":["P"],"properties":{"name":"Ada","x":1}})"
        "\n"
        R"({"type":"node","id":"c","labels":["P"],"properties":{"name":"Bob"}})"
        "\n"
        R"({"type":"relationship","id":"1","label":"KNOWS","start":{"id":"b"},"end":{"id":"c"}})"
        "\n");
  const ImportOptions options{.skip_errors = true, .id_property = "name"};
  const auto report = import_jsonl(database, file, options);
  BOOST_REQUIRE_MESSAGE(report.has_value(), (report ? "" : report.error().message));
  BOOST_TEST(report->nodes == 2U);
  BOOST_TEST(report->earlier == 0U);
  BOOST_TEST(report->skipped == 2U);  // the second of the name, and what starts at it
  BOOST_TEST(report->problems[0].reason.find("earlier line") != std::string::npos);
  BOOST_TEST(count("MATCH ()-[r]->() RETURN count(*)") == 0);
}

BOOST_AUTO_TEST_CASE(indexes_go_along_as_statements) {
  const std::vector<std::string> made = {
      "CREATE VECTOR INDEX `my ``v` FOR (n:A|B) ON (n.v) OPTIONS {indexConfig: "
      "{`vector.dimensions`: 2, `vector.similarity_function`: 'euclidean', `vector.hnsw.m`: 8}}",
      "CREATE FULLTEXT INDEX t FOR (n:A) ON EACH [n.a, n.`b c`] OPTIONS {indexConfig: "
      "{`fulltext.analyzer`: 'german', `fulltext.weights`: [2, 0.5], `fulltext.edge_ngrams`: 4, "
      "`fulltext.k1`: 0.9}}",
      "CREATE FULLTEXT INDEX r FOR ()-[r:SAID]-() ON EACH [r.text] OPTIONS {indexConfig: "
      "{`fulltext.analyzer`: ['english', 'german'], `fulltext.compounds`: false}}",
      "CREATE INDEX names FOR (n:A) ON (n.name)"};
  for (const std::string& statement : made) run(statement);
  run("CREATE (a:A {v: [1.0, 2.0], a: 'Tee', name: 'x'})-[:SAID {text: 'tea'}]->(:B {v: [3.0, "
      "1.0]})");
  const auto described = [](cairn::Database& one) {
    auto rows = cairn::execute(one,
                               "CALL db.indexes() YIELD name, type, state, entityType, "
                               "labelsOrTypes, properties, options, entries WHERE name IN "
                               "['my `v', 't', 'r', 'names'] RETURN * ORDER BY name");
    std::string text;
    const auto all = rows.value().all().value();
    for (const auto& row : all)
      for (const Value& cell : row) text += cell.to_text() + " ";
    return text;
  };
  write(exported(database));
  const std::string statements = index_statements(database.snapshot().value()).value();
  BOOST_TEST(std::ranges::count(statements, '\n') == 4);
  std::ofstream(index_file(file)) << statements;
  cairn::Database copy = open("copy");
  BOOST_REQUIRE(import_jsonl(copy, file, {}).has_value());
  BOOST_TEST(to_text(run_index_file(copy, index_file(file)).value(), "x") ==
             "4 indexes made by x\n");
  BOOST_TEST(described(copy) == described(database));
  BOOST_TEST(to_text(run_index_file(copy, index_file(file)).value(), "x") == "");  // they are there
  BOOST_TEST(to_text(run_index_file(copy, "/nowhere/x").value(), "x") == "");
  std::ofstream(index_file(file)) << "CREATE INDEX broken FOR\n";
  const auto refused = run_index_file(copy, index_file(file));
  BOOST_REQUIRE(!refused.has_value());
  BOOST_TEST(refused.error().message.find("statement 1") != std::string::npos);
  std::ofstream(index_file(file)) << "MATCH (n) DETACH DELETE n\n";
  const auto other = run_index_file(copy, index_file(file));
  BOOST_REQUIRE(!other.has_value());
  BOOST_TEST(other.error().message.find("only CREATE") != std::string::npos);
  std::filesystem::remove(index_file(file));
  std::filesystem::create_directory(index_file(file));
  BOOST_TEST(!run_index_file(copy, index_file(file)).has_value());  // there, and cannot be read
}

BOOST_AUTO_TEST_CASE(an_index_that_is_not_there_yet_goes_along_too) {
  cairn::IndexDescription index;
  index.name = "t";
  index.entity = "NODE";
  index.kind = "FULLTEXT";
  index.labels_or_types = {"A"};
  index.properties = {"a"};
  index.state = "POPULATING";
  index.options = {{"fulltext.code", Value(true)}, {"populationPercent", Value(12.5)}};
  const std::string statement =
      "CREATE FULLTEXT INDEX `t` IF NOT EXISTS FOR (n:`A`) ON EACH [n.`a`] OPTIONS {indexConfig: "
      "{`fulltext.code`: true}};\n";
  BOOST_TEST(cairn::query::to_statements(std::vector{index}) == statement);
  index.state = "FAILED";
  BOOST_TEST(cairn::query::to_statements(std::vector{index}) == statement);
}

BOOST_AUTO_TEST_CASE(an_export_imports_to_an_equal_database) {
  run("CREATE (a:A:B {i: 1, f: 1.0, s: 'ä\n\"', l: [1, 2.5, 'x', true], m: 0.1 + 0.2})"
      "-[:R {w: 2}]->(b:C {big: 9007199254740993, d: date('2024-02-29'), "
      "t: datetime('2024-02-29T10:00:00.123456789+01:00'), du: duration('P1M2DT3S'), n: 0.0 / 0.0})"
      "-[:LOOP]->(b)");
  run("CREATE VECTOR INDEX e IF NOT EXISTS FOR (n:V) ON (n.e) OPTIONS {indexConfig: "
      "{`vector.dimensions`: 3, `vector.similarity_function`: 'cosine'}}");
  run("CREATE (:V {e: [0.1, 0.2, 0.3]})");
  expect_round_trip();
}

// Any values under any names, those of the line's own members among them: an equal text, and equal values behind it.
BOOST_AUTO_TEST_CASE(any_database_is_exported_and_imported_alike) {
  cairn::test::ValueGenerator random(cairn::test::test_seed());
  for (std::size_t round = 0; round < cairn::test::rounds(12, 500); ++round) {
    BOOST_TEST_CONTEXT("CAIRN_TEST_SEED=" << cairn::test::test_seed() << ", round " << round) {
      cairn::Database original = open("original" + std::to_string(round));
      fill_randomly(original, random);
      const std::string text = exported(original);
      write(text);
      cairn::Database copy = open("copy" + std::to_string(round));
      const auto report = import_jsonl(copy, file, {});
      BOOST_REQUIRE_MESSAGE(report.has_value(), (report ? "" : report.error().message));
      BOOST_TEST(exported(copy) == text);
      for (const char* statement :
           {"MATCH (n) RETURN labels(n), properties(n), n@external_id ORDER BY id(n)",
            "MATCH ()-[r]->() RETURN type(r), properties(r) ORDER BY id(r)"})
        BOOST_TEST(all_text(copy, statement) == all_text(original, statement));
    }
  }
}

// The line of a node puts levels of its own around its values.
BOOST_AUTO_TEST_CASE(values_nested_as_deep_as_they_can_be_go_along) {
  const auto make = [&](std::size_t levels) {
    return cairn::execute(database, "CREATE (:Deep {l: " + std::string(levels, '[') + "1" +
                                        std::string(levels, ']') + "})");
  };
  std::size_t levels = 100;
  while (make(levels + 1).has_value()) ++levels;
  BOOST_TEST(levels >= 126U);
  expect_round_trip();
}

BOOST_AUTO_TEST_CASE(a_missing_file_is_named) {
  const auto report = import_jsonl(database, "/nowhere/x.jsonl", {});
  BOOST_REQUIRE(!report.has_value());
  BOOST_TEST((report.error().code == cairn::ErrorCode::not_found));
}

// The first page of a process is never mapped, so that reading its memory from the start fails as a broken disk does.
BOOST_AUTO_TEST_CASE(a_read_that_fails_is_an_error_and_not_the_end_of_the_file) {
  for (const bool skips : {false, true}) {
    const auto report = import_jsonl(database, "/proc/self/mem", {.skip_errors = skips});
    BOOST_REQUIRE(!report.has_value());
    BOOST_TEST((report.error().code == cairn::ErrorCode::io_error));
    BOOST_TEST(report.error().message.find("line 1: the file cannot be read after byte 0") !=
                   std::string::npos,
               report.error().message);
  }
}

BOOST_AUTO_TEST_CASE(what_can_be_read_is_exported_and_what_is_left_out_is_told) {
  constexpr std::uint64_t nodes = 1'000;
  {
    cairn::Transaction transaction = database.begin().value();
    for (std::uint64_t i = 1; i <= nodes; ++i) {
      const std::string text = std::to_string(i * 7'919 % 100'003) + std::string(40, 't');
      BOOST_REQUIRE(transaction.create_node({{"N"}, {{"text", text}}, ""}).has_value());
    }
    for (std::uint64_t i = 1; i < nodes; ++i)
      BOOST_REQUIRE(
          transaction.create_relationship({cairn::NodeId{i}, "R", cairn::NodeId{i + 1}, {}})
              .has_value());
    BOOST_REQUIRE(transaction.commit().has_value());
  }
  BOOST_REQUIRE(database.close().has_value());
  const auto flip = [](const fs::path& table) {
    std::fstream stream(table, std::ios::in | std::ios::out | std::ios::binary);
    const auto place = static_cast<std::streamoff>(fs::file_size(table) / 2);
    stream.seekg(place);
    const char byte = static_cast<char>(stream.get() ^ 16);
    stream.seekp(place);
    stream.put(byte);
  };
  for (const auto& entry : fs::directory_iterator(temporary.path() / "db" / "store")) {
    if (entry.path().extension() != ".sst") continue;
    flip(entry.path());
    const auto findings = cairn::check_files(temporary.path() / "db").value();
    const bool is_nodes =
        !findings.empty() && findings[0].problem.find("nodes 1 ") != std::string::npos;
    if (is_nodes) break;
    flip(entry.path());
  }
  cairn::Options reading;
  reading.mode = cairn::OpenMode::read_only;
  cairn::Database damaged = cairn::Database::open(temporary.path() / "db", reading).value();
  std::ostringstream out;
  BOOST_TEST(!export_jsonl(damaged, out, {}).has_value());
  write("an earlier export\n");
  std::ofstream(index_file(file)) << "its indexes\n";
  const auto refused = export_to_files(damaged, file, {}, false);
  BOOST_REQUIRE(!refused.has_value());
  BOOST_TEST(refused.error().message.ends_with(file.string() + " is as it was"));
  BOOST_TEST(read(file) == "an earlier export\n");
  BOOST_TEST(read(index_file(file)) == "its indexes\n");
  const auto nothing = export_to_files(damaged, temporary.path() / "new", {}, false);
  BOOST_REQUIRE(!nothing.has_value());
  BOOST_TEST(nothing.error().message.ends_with("was not made"));
  expect_nothing_unfinished();
  const ExportOptions skipping{.skip_damaged = true};
  const auto saved = export_to_files(damaged, file, skipping, false);
  BOOST_REQUIRE_MESSAGE(saved.has_value(), (saved ? "" : saved.error().message));
  BOOST_TEST(!saved->report.is_whole());
  BOOST_TEST(!saved->has_indexes);
  BOOST_TEST(!fs::exists(index_file(file)));  // of the export before
  out.str("");
  const ExportReport report = export_jsonl(damaged, out, skipping).value();
  BOOST_REQUIRE(!report.lost_nodes.empty());
  BOOST_TEST(report.lost_nodes.size() < nodes / 2);
  BOOST_TEST(report.nodes + report.lost_nodes.size() == nodes);
  BOOST_TEST(report.lost_relationships.empty());
  // The lost ones are neighbours: each has the relationship to it, and the last the one from it.
  BOOST_TEST(report.cut_relationships.size() == report.lost_nodes.size() + 1);
  BOOST_TEST(report.relationships + report.cut_relationships.size() == nodes - 1);
  const std::string told = lost_text(report);
  BOOST_TEST(told.find("nodes that cannot be read: " + std::to_string(report.lost_nodes.front()) +
                       " to " + std::to_string(report.lost_nodes.back()) + "\n") !=
             std::string::npos);
  BOOST_TEST(read(file) == out.str());
  cairn::Database copy = open("copy");
  BOOST_TEST(import_jsonl(copy, file, {}).has_value());
  BOOST_TEST(copy.statistics().value().nodes == report.nodes);
  BOOST_TEST(copy.statistics().value().relationships == report.relationships);
}

BOOST_AUTO_TEST_CASE(a_file_is_replaced_only_when_it_is_whole) {
  write("earlier");
  fs::permissions(file, fs::perms::owner_read | fs::perms::owner_write);
  const fs::path link = temporary.path() / "link";
  fs::create_symlink("in.jsonl", link);
  {
    const auto dropped = WholeFile::create(link).value();
    dropped->stream() << std::string(100'000, 'x');
    BOOST_TEST(dropped->sync().has_value());
    BOOST_TEST(read(link) == "earlier");
  }
  expect_nothing_unfinished();
  const auto kept = WholeFile::create(link).value();
  kept->stream() << "later";
  BOOST_TEST(kept->sync().has_value());
  BOOST_TEST(read(link) == "earlier");
  BOOST_TEST(kept->appear().has_value());
  BOOST_TEST(fs::is_symlink(link));
  BOOST_TEST(read(file) == "later");
  BOOST_CHECK(fs::status(file).permissions() == (fs::perms::owner_read | fs::perms::owner_write));
  expect_nothing_unfinished();
}

BOOST_AUTO_TEST_CASE(why_a_file_cannot_be_written_is_told) {
  const auto full = WholeFile::create("/dev/full").value();  // a device is written as it is
  full->stream() << "x";
  const auto failed = full->sync();
  BOOST_REQUIRE(!failed.has_value());
  BOOST_TEST(failed.error().message == "cannot write /dev/full: No space left on device");
  const auto nowhere = WholeFile::create("/nowhere/x");
  BOOST_REQUIRE(!nowhere.has_value());
  BOOST_TEST(nowhere.error().message == "cannot make /nowhere/x.new: No such file or directory");
  BOOST_CHECK(!WholeFile::create(temporary.path()).has_value());
  const auto refused = export_to_files(database, "/nowhere/x", {}, false);
  BOOST_TEST(!refused.has_value());
}

BOOST_AUTO_TEST_CASE(the_model_of_a_vector_index_goes_along) {
  run("CREATE VECTOR INDEX texts FOR (t:Text) ON (t.v) OPTIONS {indexConfig: "
      "{`vector.dimensions`: 2, `vector.model`: \"it's one\"}}");
  run("CREATE (:Text {v: [1, 2]})");
  BOOST_TEST(export_to_files(database, temporary.path() / "out.jsonl", {}, false).has_value());
  cairn::Database copy = open("copy");
  BOOST_TEST(import_jsonl(copy, temporary.path() / "out.jsonl", {}).has_value());
  BOOST_TEST(run_index_file(copy, index_file(temporary.path() / "out.jsonl")).has_value());
  auto rows = cairn::execute(copy,
                             "CALL db.indexes() YIELD name, options WITH * WHERE name = 'texts' "
                             "RETURN options.indexConfig['vector.model']");
  BOOST_TEST(rows->all().value()[0][0].to_text() == Value("it's one").to_text());
}

BOOST_AUTO_TEST_SUITE_END()
