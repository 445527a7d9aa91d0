// What the shell is made of and needs no terminal.

#include "tests/support/temporary_directory.hpp"
#include "tools/arguments/command_parser.hpp"
#include "tools/shell/line_editor.hpp"
#include "tools/shell/script.hpp"
#include "tools/text/palette.hpp"
#include "tools/text/progress.hpp"
#include "tools/text/quantity.hpp"
#include "tools/text/wrapped_text.hpp"
#include "tools/transfer/csv_import.hpp"

#include <cairn/statement.hpp>

#include <boost/test/unit_test.hpp>

#include <fstream>
#include <limits>
#include <sstream>

using namespace cairn;
using namespace cairn::tools;

namespace {

Value value_of(const std::string& text) { return csv_value({text, false}); }

/// Load a file of this content, as nodes P.
Result<ImportReport> load(Database& database, const std::filesystem::path& directory,
                          std::string_view text, CsvImportOptions options = {{"P"}}) {
  const std::filesystem::path file = directory / "people.csv";
  std::ofstream(file, std::ios::binary) << text;
  return import_csv(database, file, options);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(shell_parts)

BOOST_AUTO_TEST_CASE(numbers_are_grouped_and_totals_told) {
  BOOST_TEST(grouped(0) == "0");
  BOOST_TEST(grouped(999) == "999");
  BOOST_TEST(grouped(1'000) == "1,000");
  BOOST_TEST(grouped(1'234'567) == "1,234,567");
  BOOST_TEST(count_text(1) == "(1 row)\n");
  BOOST_TEST(count_text(40, {12'345, true}) == "(40 of 12,345 rows; .rows all shows the rest)\n");
  BOOST_TEST(count_text(40, {40, false}) ==
             "(40 of more than 40 rows; .rows all shows the rest)\n");
}

BOOST_AUTO_TEST_CASE(progress_has_share_rate_and_time_left) {
  BOOST_TEST(progress_text("nodes", {1'500, 0, 0, 1.5}) == "1,500 nodes, 1,000 a second");
  BOOST_TEST(progress_text("nodes", {1'500, 25, 100, 1.5}) ==
             "1,500 nodes [######------------------] 25 %, 1,000 a second, 0:04 left");
  BOOST_TEST(progress_text("files", {1, 1, 4'000, 2}) ==
             "1 files [------------------------] 0 %, 0 a second, 2:13:18 left");
  BOOST_TEST(progress_text("files", {9, 9, 4, 1}).find("100 %, 9 a second, 0:00 left") !=
             std::string::npos);
}

BOOST_AUTO_TEST_CASE(rows_of_a_line_are_those_of_the_screen) {
  BOOST_TEST(rows_above("", 10) == 0U);
  BOOST_TEST(rows_above("123456789", 10) == 0U);
  BOOST_TEST(rows_above("1234567890", 10) == 1U);
  BOOST_TEST(rows_above("12\n12\n", 10) == 2U);
  BOOST_TEST(rows_above("12345678901\n\xe6\x97\xa5\xe6\x9c\xac", 4) == 4U);  // of two columns each
  BOOST_TEST(without_marked("\1\x1b[32m\1cairn >\1\x1b[0m\1 ", '\1') == "cairn > ");
}

BOOST_AUTO_TEST_CASE(texts_are_wrapped_at_blanks) {
  BOOST_TEST(wrapped("one two three", 0, 0) == "one two three");
  BOOST_TEST(wrapped("one two three", 0, 7) == "one two\nthree");
  BOOST_TEST(wrapped("one two three", 2, 8) == "one\n  two\n  three");
  BOOST_TEST(wrapped("a longer-than-that b", 0, 6) == "a\nlonger-than-that\nb");
  BOOST_TEST(fitted_help("Options:\n  -h                          " + std::string(30, 'a') + " b\n",
                         60) == "Options:\n  -h                          " + std::string(30, 'a') +
                                    "\n" + std::string(30, ' ') + "b\n");
}

BOOST_AUTO_TEST_CASE(a_prompt_never_ends_with_a_sequence) {
  BOOST_TEST(painted_prompt("cairn > ", '\1', true) == "\1\x1b[32m\1cairn >\1\x1b[0m\1 ");
  BOOST_TEST(painted_prompt("cairn > ", '\1', false) == "cairn > ");
}

BOOST_AUTO_TEST_CASE(a_field_is_what_it_looks_like) {
  BOOST_TEST(csv_value({"", false}).is_null());
  BOOST_TEST(csv_value({"", true}).as_string().empty());
  BOOST_TEST(value_of("-12").as_integer() == -12);
  BOOST_TEST(value_of("9223372036854775807").as_integer() ==
             std::numeric_limits<std::int64_t>::max());
  BOOST_TEST(value_of("1.5").as_float() == 1.5);
  BOOST_TEST(value_of("-2e9").as_float() == -2e9);
  BOOST_TEST(*value_of("TRUE").get_if<bool>());
  BOOST_TEST(value_of("2024-02-29").to_text() == "date('2024-02-29')");
  BOOST_CHECK(value_of("2024-02-29T10:00").type() == ValueType::local_date_time);
  BOOST_CHECK(value_of("2024-02-29T10:00:00.5Z").type() == ValueType::date_time);
  BOOST_CHECK(value_of("2024-02-29T10:00+01:00").type() == ValueType::date_time);
  for (const char* text : {"007",
                           "-0",
                           "+1",
                           "1,5",
                           "1.",
                           "1e",
                           ".5",
                           "1.5x",
                           "9223372036854775808",
                           "1e999",
                           "nan",
                           "inf",
                           "truth",
                           "2023-02-29",
                           "2024-2-9",
                           " 1",
                           "2024-02-29T",
                           "2024-02-29T10",
                           "2024-02-29T10:00X",
                           "0x10",
                           "-"})
    BOOST_TEST((value_of(text).string() != nullptr), text);
}

BOOST_AUTO_TEST_CASE(records_become_nodes) {
  const test::TemporaryDirectory temporary;
  Database database = Database::open(temporary.path() / "db").value();
  const auto report =
      load(database, temporary.path(),
           "\xef\xbb\xbfname,born,note\r\nAda,1815-12-10,\"said \"\"no\"\",\r\ntwice\"\r\n"
           "Bob\r\n\r\nCleo,,\"\"\r\n",
           {{"P", "Q"}, "name"});
  BOOST_REQUIRE_MESSAGE(report.has_value(), (report ? "" : report.error().message));
  BOOST_TEST(report->nodes == 3U);
  auto rows = execute(database, "MATCH (p:P:Q) RETURN properties(p) ORDER BY p.name").value();
  const auto all = rows.all().value();
  BOOST_TEST(all[0][0].to_text() ==
             "{born: date('1815-12-10'), name: 'Ada', note: 'said \"no\",\\r\\ntwice'}");
  BOOST_TEST(all[1][0].to_text() == "{name: 'Bob'}");
  BOOST_TEST(all[2][0].to_text() == "{name: 'Cleo', note: ''}");
}

BOOST_AUTO_TEST_CASE(a_file_that_does_not_fit_is_refused_with_its_line) {
  const test::TemporaryDirectory temporary;
  Database database = Database::open(temporary.path() / "db").value();
  const auto message = [&](std::string_view text, CsvImportOptions options = {{"P"}}) {
    const auto report = load(database, temporary.path(), text, std::move(options));
    return report ? std::string("none") : report.error().message;
  };
  BOOST_TEST(message("a,a\n1,2\n").find("people.csv, line 1: two columns are named \"a\"") !=
             std::string::npos);
  BOOST_TEST(message("a,\n1,2\n").find("column 2 has no name") != std::string::npos);
  BOOST_TEST(message("").find("its first line must name the columns") != std::string::npos);
  BOOST_TEST(message("a\n1\n\"x\ny\"\n2,3\n").find("people.csv, line 5: the record has 2 fields") !=
             std::string::npos);
  BOOST_TEST(message("a\n1\n", {{"P"}, "b"}).find("there is no column \"b\"") != std::string::npos);
  BOOST_TEST(message("a\n1\n", {}).find("--label") != std::string::npos);
  // Whole batches: of the last import with one node a commit, the first is there.
  BOOST_TEST(message("a\n1\n2,3\n", {.labels = {"Kept"}, .batch = 1}) != "none");
  auto rows = execute(database, "MATCH (n) RETURN count(*), count{MATCH (:Kept)}").value();
  BOOST_TEST(rows.all().value()[0][0].as_integer() == 1);
}

BOOST_AUTO_TEST_CASE(a_record_that_breaks_a_constraint_is_refused_with_its_line) {
  const test::TemporaryDirectory temporary;
  Database database = Database::open(temporary.path() / "db").value();
  for (const char* statement : {"CREATE CONSTRAINT FOR (p:P) REQUIRE p.name IS UNIQUE",
                                "CREATE CONSTRAINT FOR (p:P) REQUIRE p.number IS NOT NULL"})
    BOOST_REQUIRE(execute(database, statement).value().all().has_value());
  const auto message = [&](std::string_view text, std::size_t batch, const char* name_space = "") {
    CsvImportOptions options{{"P"}};
    options.batch = batch;
    options.name_space = name_space;
    const auto report = load(database, temporary.path(), text, std::move(options));
    return report ? std::string("none") : report.error().message;
  };
  const std::string twice = message("name,number\nAda,1\nBob,2\nAda,3\nCleo,4\n", 1'000);
  BOOST_TEST(twice.find("people.csv, line 4: ") != std::string::npos, twice);
  BOOST_TEST(twice.find("both have :P(name) = 'Ada'") != std::string::npos, twice);
  BOOST_TEST(twice.find("nothing of its batch was stored") != std::string::npos, twice);
  const std::string lacking = message("name,number\nAda,1\nBob,\n", 1'000, "acme");
  BOOST_TEST(lacking.find("people.csv, line 3: ") != std::string::npos, lacking);
  auto rows = execute(database, "MATCH (n) RETURN count(*)").value();
  BOOST_TEST(rows.all().value()[0][0].as_integer() == 0);
  BOOST_TEST(message("name,number\nAda,1\nBob,2\n", 1) == "none");
}

BOOST_AUTO_TEST_CASE(records_with_errors_are_left_out_on_request) {
  const test::TemporaryDirectory temporary;
  Database database = Database::open(temporary.path() / "db").value();
  CsvImportOptions options{{"P"}, "name", "file:", true};
  constexpr std::string_view text = "name,number\nAda,1\nBob,2,3\nAda,4\nCleo,5\n";
  const auto first = load(database, temporary.path(), text, options).value();
  BOOST_TEST(first.nodes == 2U);
  BOOST_TEST(first.skipped == 2U);
  BOOST_REQUIRE(first.problems.size() == 2U);
  BOOST_TEST(first.problems[0].line == 3U);
  BOOST_TEST(first.problems[0].reason.find("the record has 3 fields") != std::string::npos);
  BOOST_TEST(first.problems[1].reason == "external id \"file:Ada\" was used by an earlier line");
  // Again: what is there stays, and other content is told.
  options.batch = 1;
  const auto second =
      load(database, temporary.path(), "name,number\nAda,1\nCleo,6\nDan,7\n", options).value();
  BOOST_TEST(second.nodes == 1U);
  BOOST_TEST(second.earlier == 1U);
  BOOST_REQUIRE(second.problems.size() == 1U);
  BOOST_TEST(second.problems[0].line == 3U);
  BOOST_TEST(second.problems[0].reason.find("other labels or properties") != std::string::npos);
  const Snapshot snapshot = database.snapshot().value();
  BOOST_TEST(snapshot.find_node("file:Dan").value().has_value());
  BOOST_TEST(!snapshot.find_node("Dan").value().has_value());
  auto rows = execute(database, "MATCH (p:P) RETURN p.number ORDER BY p.number").value();
  const auto all = rows.all().value();
  BOOST_REQUIRE(all.size() == 3U);
  BOOST_TEST(all[1][0].as_integer() == 5);
}

BOOST_AUTO_TEST_CASE(records_that_break_a_constraint_are_left_out_on_request) {
  for (const std::size_t batch : {1U, 2U, 1'000U}) {
    BOOST_TEST_CONTEXT("batches of " << batch) {
      const test::TemporaryDirectory temporary;
      Database database = Database::open(temporary.path() / "db").value();
      for (const char* statement : {"CREATE CONSTRAINT FOR (p:P) REQUIRE p.name IS UNIQUE",
                                    "CREATE CONSTRAINT FOR (p:P) REQUIRE p.number IS NOT NULL"})
        BOOST_REQUIRE(execute(database, statement).value().all().has_value());
      CsvImportOptions options{{"P"}};
      options.skip_errors = true;
      options.batch = batch;
      const auto report =
          load(database, temporary.path(),
               "name,number\nAda,1\nBob,2\nAda,3\nCleo,\nDan,5\nBob,6\nEve,7\n", options)
              .value();
      BOOST_TEST(report.nodes == 4U);
      BOOST_REQUIRE(report.problems.size() == 3U);
      BOOST_TEST(report.problems[0].line == 4U);
      BOOST_TEST(report.problems[1].line == 5U);
      BOOST_TEST(report.problems[2].line == 7U);
      auto rows = execute(database, "MATCH (p:P) RETURN sum(p.number), count(*)").value();
      const auto all = rows.all().value();
      BOOST_TEST(all[0][0].as_integer() == 15);
      BOOST_TEST(all[0][1].as_integer() == 4);
    }
  }
}

BOOST_AUTO_TEST_CASE(options_of_both_kinds_of_files_are_shared) {
  const auto taken = [](const ImportOptions& shared, CsvImportOptions options) {
    const Status status = take_options(shared, options);
    return status ? options.id_column + "|" + options.id_prefix : status.error().message;
  };
  BOOST_TEST(taken({.id_property = "name", .id_prefix = "x:"}, {{"P"}}) == "name|x:");
  BOOST_TEST(taken({.id_property = "name"}, {{"P"}, "name"}) == "name|");
  BOOST_TEST(taken({.id_property = "name"}, {{"P"}, "id"}).find("--id-property") !=
             std::string::npos);
  BOOST_TEST(taken({.id_prefix = "x:"}, {{"P"}}).find("--id-prefix needs") != std::string::npos);
  CsvImportOptions options;
  BOOST_REQUIRE(take_options({.batch = 7, .skip_errors = true, .name_space = "acme"}, options));
  BOOST_TEST(options.batch == 7U);
  BOOST_TEST(options.skip_errors);
  BOOST_TEST(options.name_space == "acme");
}

BOOST_AUTO_TEST_CASE(a_script_tells_what_it_does_first) {
  const auto kind = [](std::string_view text, bool is_all = true) {
    return first_kind(text, is_all);
  };
  BOOST_CHECK(kind("") == ScriptKind::nothing);
  BOOST_CHECK(kind("BEGIN; // x\n.mode csv\n") == ScriptKind::nothing);
  BOOST_CHECK(kind(".mode csv\nBEGIN;\nCREATE (:P);\n") == ScriptKind::writes);
  BOOST_CHECK(kind("RETURN 1; CREATE (:P);") == ScriptKind::reads);
  BOOST_CHECK(kind("CREATE INDEX i FOR (n:P) ON (n.a);") == ScriptKind::writes);
  BOOST_CHECK(kind(".import a.jsonl\n") == ScriptKind::writes);
  BOOST_CHECK(kind("CREATE (:P)", false) == ScriptKind::nothing);
  BOOST_CHECK(kind("CREATE (:P)", true) == ScriptKind::writes);
  BOOST_TEST(writes("RETURN 1; CREATE (:P)"));
  BOOST_TEST(writes(":auto CREATE (:P)"));
  BOOST_TEST(!writes(":auto MATCH (p) RETURN p"));
  BOOST_TEST(!writes("RETURN 1; EXPLAIN CREATE (:P)"));
}

BOOST_AUTO_TEST_CASE(a_script_is_read_no_further_than_needed) {
  std::istringstream input("BEGIN;\nCREATE\n (:P);\nRETURN 1;\nRETURN 2;\n");
  std::string begin = read_begin(input);
  BOOST_TEST(begin == "BEGIN;\nCREATE\n (:P);\n");
  BegunInput buffer(std::move(begin), input);
  std::istream whole(&buffer);
  std::ostringstream copy;
  copy << whole.rdbuf();
  BOOST_TEST(copy.str() == "BEGIN;\nCREATE\n (:P);\nRETURN 1;\nRETURN 2;\n");
}

BOOST_AUTO_TEST_SUITE_END()
