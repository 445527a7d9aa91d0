#include "tests/support/temporary_directory.hpp"
#include "tools/transfer/export.hpp"
#include "tools/transfer/import.hpp"

#include <cairn/statement.hpp>

#include <boost/test/unit_test.hpp>

#include <fstream>
#include <sstream>

using cairn::Value;
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
  static std::string exported(cairn::Database& database) {
    std::ostringstream out;
    BOOST_TEST(export_jsonl(database, out, false).has_value());
    return out.str();
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

constexpr auto three_lines =
    R"({"type":"node","id":"a","labels":["P"],"properties":{"name":"Ada"}})"
    "\n"
    R"({"type":"node","id":"b","labels":["P"],"properties":{"name":"Bob"}})"
    "\n"
    R"({"type":"relationship","id":"0","label":"KNOWS","start":{"id":"a"},"end":{"id":"b"}})"
    "\n";

}  // namespace

BOOST_FIXTURE_TEST_SUITE(transfer, Fixture)

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

BOOST_AUTO_TEST_CASE(an_export_imports_to_an_equal_database) {
  run("CREATE (a:A:B {i: 1, f: 1.0, s: 'ä\n\"', l: [1, 2.5, 'x', true], m: 0.1 + 0.2})"
      "-[:R {w: 2}]->(b:C {big: 9007199254740993, d: date('2024-02-29'), "
      "t: datetime('2024-02-29T10:00:00.123456789+01:00'), du: duration('P1M2DT3S'), n: 0.0 / 0.0})"
      "-[:LOOP]->(b)");
  run("CREATE VECTOR INDEX e IF NOT EXISTS FOR (n:V) ON (n.e) OPTIONS {indexConfig: "
      "{`vector.dimensions`: 3, `vector.similarity_function`: 'cosine'}}");
  run("CREATE (:V {e: [0.1, 0.2, 0.3]})");
  const std::string first = exported(database);
  write(first);
  cairn::Database copy = open("copy");
  const auto report = import_jsonl(copy, file, {});
  BOOST_REQUIRE_MESSAGE(report.has_value(), (report ? "" : report.error().message));
  BOOST_TEST(exported(copy) == first);
}

BOOST_AUTO_TEST_CASE(a_missing_file_is_named) {
  const auto report = import_jsonl(database, "/nowhere/x.jsonl", {});
  BOOST_REQUIRE(!report.has_value());
  BOOST_TEST((report.error().code == cairn::ErrorCode::not_found));
}

BOOST_AUTO_TEST_SUITE_END()
