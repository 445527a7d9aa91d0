#include "tools/shell/session.hpp"

#include "tests/support/temporary_directory.hpp"
#include "tools/shell/shell.hpp"

#include <boost/test/unit_test.hpp>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <streambuf>
#include <vector>

using namespace cairn::tools;

namespace {

struct Fixture {
  cairn::test::TemporaryDirectory temporary;
  cairn::Database database = cairn::Database::open(temporary.path() / "db").value();
  std::ostringstream out;
  std::ostringstream err;
  Session session{database, {}, {Format::jsonl, false, 0, true}, out, err};

  std::string shown(std::string_view text) {
    out.str("");
    BOOST_TEST(session.run_all(text), err.str());
    return out.str();
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(session, Fixture)

BOOST_AUTO_TEST_CASE(rows_are_printed_in_the_format) {
  BOOST_TEST(shown("RETURN 1 AS a; RETURN 'x' AS b") == "{\"a\":1}\n{\"b\":\"x\"}\n");
}

BOOST_AUTO_TEST_CASE(statements_may_have_the_prefix_of_neo4js_tools) {
  shown(
      ":auto CREATE (:A);\n:AUTO\nUNWIND range(1, 3) AS i CALL (i) { CREATE (:A {i: i}) } "
      "IN TRANSACTIONS OF 2 ROWS;");
  BOOST_TEST(shown("MATCH (n:A) RETURN count(*) AS n") == "{\"n\":4}\n");
  BOOST_TEST(shown("  :auto MATCH (n:A)\nRETURN count(*) AS n;\n:param a => 'x'\n"
                   ":param {b: 2, c: [1]}\nRETURN $a, $b, $c;") ==
             "{\"n\":4}\n{\"$a\":\"x\",\"$b\":2,\"$c\":[1]}\n");
  BOOST_TEST(!session.run_all(":automatic RETURN 1"));
  BOOST_TEST(!session.run_all(":param {b"));
  BOOST_TEST(err.str().find("not a map of parameters: {b") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_transaction_is_seen_by_itself_and_undone_by_rollback) {
  BOOST_TEST(shown("BEGIN; CREATE (:A); MATCH (n:A) RETURN count(*) AS n; ROLLBACK; "
                   "MATCH (n:A) RETURN count(*) AS n")
                 .find("{\"n\":1}") != std::string::npos);
  BOOST_TEST(shown("MATCH (n:A) RETURN count(*) AS n") == "{\"n\":0}\n");
}

BOOST_AUTO_TEST_CASE(a_committed_transaction_stays) {
  shown("begin transaction; CREATE (:A); commit;");
  BOOST_TEST(shown("MATCH (n:A) RETURN count(*) AS n") == "{\"n\":1}\n");
}

BOOST_AUTO_TEST_CASE(a_control_word_may_have_comments_around_it) {
  shown("/* begin */ BEGIN // now\n; CREATE (:A);\n// " + std::string(100, '-') +
        "\nCOMMIT /* kept */ transaction // x\n;");
  BOOST_TEST(shown("MATCH (n:A) RETURN count(*) AS n") == "{\"n\":1}\n");
}

BOOST_AUTO_TEST_CASE(the_first_error_stops_a_script) {
  BOOST_TEST(!session.run_all("CREATE (:A); RETURN nothing; CREATE (:A)"));
  BOOST_TEST(err.str().find("nothing") != std::string::npos);
  BOOST_TEST(shown("MATCH (n:A) RETURN count(*) AS n") == "{\"n\":1}\n");
}

BOOST_AUTO_TEST_CASE(input_that_ends_inside_a_transaction_is_an_error) {
  BOOST_TEST(!session.run_all("BEGIN; CREATE (:A)"));
  BOOST_TEST(err.str().find("COMMIT") != std::string::npos);
  BOOST_TEST(shown("MATCH (n:A) RETURN count(*) AS n") == "{\"n\":0}\n");
}

namespace {

/// Lines, and what had been shown when each was asked for.
class WatchedLines : public std::streambuf {
 public:
  WatchedLines(std::vector<std::string> lines, const std::ostringstream& out)
      : lines_(std::move(lines)), out_(out) {}
  std::vector<std::string> shown;

 private:
  int_type underflow() override {
    shown.push_back(out_.str());
    if (next_ == lines_.size()) return traits_type::eof();
    std::string& line = lines_[next_++];
    setg(line.data(), line.data(), line.data() + line.size());
    return traits_type::to_int_type(line.front());
  }

  std::vector<std::string> lines_;
  const std::ostringstream& out_;
  std::size_t next_ = 0;
};

}  // namespace

BOOST_AUTO_TEST_CASE(a_stream_is_run_statement_by_statement) {
  WatchedLines lines({"RETURN 1 AS a;\n", "RETURN ';\n", "' AS b\n", "; RETURN 3\n", "AS c"}, out);
  std::istream input(&lines);
  BOOST_TEST(session.run_stream(input), err.str());
  const std::string first = "{\"a\":1}\n";
  const std::string second = first + "{\"b\":\";\\n\"}\n";
  BOOST_TEST(lines.shown == (std::vector<std::string>{"", first, first, first, first, first}),
             boost::test_tools::per_element());
  BOOST_TEST(out.str() == second + "{\"c\":3}\n");
}

BOOST_AUTO_TEST_CASE(a_stream_has_dot_commands_and_ends_at_quit) {
  std::istringstream input(".format csv\nRETURN 1 AS a;\n.quit\nRETURN 2 AS a;\n");
  BOOST_TEST(session.run_stream(input), err.str());
  BOOST_TEST(out.str() == "a\r\n1\r\n");
}

BOOST_AUTO_TEST_CASE(a_quote_in_a_dot_command_opens_nothing) {
  WatchedLines lines({".param a \"it's\"\n", "RETURN 'b' AS b;\n", ".param c 'd\n"}, out);
  std::istream input(&lines);
  BOOST_TEST(!session.run_stream(input));  // the last one is no JSON
  const std::string row = "{\"b\":\"b\"}\n";
  BOOST_TEST(lines.shown == (std::vector<std::string>{"", "", row}),
             boost::test_tools::per_element());
  BOOST_TEST(session.parameters().at("a").as_string() == "it's");
}

BOOST_AUTO_TEST_CASE(a_long_text_with_semicolons_is_not_read_again_at_each_line) {
  std::string text = "RETURN size('";
  for (int i = 0; i < 40'000; ++i) text += "abc; def;\n";
  std::istringstream input(text + "') AS n;\n/* over\ntwo lines */\n.quit\nRETURN 2 AS a;\n");
  BOOST_TEST(session.run_stream(input), err.str());
  BOOST_TEST(out.str() == "{\"n\":400000}\n");
}

BOOST_AUTO_TEST_CASE(a_stream_ends_at_its_first_error_and_inside_no_transaction) {
  std::istringstream broken("CREATE (:A);\nRETURN nothing;\nCREATE (:A);\n");
  BOOST_TEST(!session.run_stream(broken));
  std::istringstream open("BEGIN;\nCREATE (:A);\n");
  BOOST_TEST(!session.run_stream(open));
  BOOST_TEST(err.str().find("COMMIT") != std::string::npos);
  BOOST_TEST(shown("MATCH (n:A) RETURN count(*) AS n") == "{\"n\":1}\n");
}

BOOST_AUTO_TEST_CASE(several_texts_share_a_transaction) {
  const std::vector<std::string> kept{"BEGIN", "CREATE (:A); CREATE (:A)", "COMMIT"};
  BOOST_TEST(session.run_each(kept), err.str());
  const std::vector<std::string> undone{"BEGIN", "CREATE (:A)", "ROLLBACK"};
  BOOST_TEST(session.run_each(undone), err.str());
  BOOST_TEST(shown("MATCH (n:A) RETURN count(*) AS n") == "{\"n\":2}\n");
  const std::vector<std::string> open{"BEGIN", "CREATE (:A)"};
  BOOST_TEST(!session.run_each(open));
  BOOST_TEST(err.str().find("the input ended inside a transaction") != std::string::npos);
  const std::vector<std::string> broken{"CREATE (:A)", "RETURN nothing", "CREATE (:A)"};
  BOOST_TEST(!session.run_each(broken));
  BOOST_TEST(shown("MATCH (n:A) RETURN count(*) AS n") == "{\"n\":3}\n");
}

BOOST_AUTO_TEST_CASE(an_error_may_be_gone_on_behind_and_is_still_one) {
  session.options().keep_going = true;
  BOOST_TEST(!session.run_all("CREATE (:A); RETURN nothing; CREATE (:A)"));
  std::istringstream input("CREATE (:A);\nRETURN nothing;\n.nothing\nCREATE (:A);\n");
  BOOST_TEST(!session.run_stream(input));
  BOOST_TEST(!session.run_each(std::vector<std::string>{"RETURN nothing", "CREATE (:A)"}));
  BOOST_TEST(shown("MATCH (n:A) RETURN count(*) AS n") == "{\"n\":5}\n");
}

BOOST_AUTO_TEST_CASE(nothing_is_gone_on_behind_a_transaction_that_did_not_begin) {
  BOOST_REQUIRE(database.close().has_value());
  cairn::Options options;
  options.mode = cairn::OpenMode::read_only;
  cairn::Database reader = cairn::Database::open(temporary.path() / "db", options).value();
  Session reading{reader, {}, {Format::jsonl, false, 0, true, true}, out, err};
  BOOST_TEST(!reading.run_all("RETURN 1 AS a; BEGIN; RETURN 2 AS b; ROLLBACK; RETURN 3 AS c"));
  BOOST_TEST(out.str() == "{\"a\":1}\n");
}

BOOST_AUTO_TEST_CASE(parameters_reach_the_statement) {
  BOOST_TEST(run_dot_command(session, ".param who \"ada\""));
  BOOST_TEST(shown("RETURN $who AS who") == "{\"who\":\"ada\"}\n");
}

BOOST_AUTO_TEST_CASE(dot_commands_answer) {
  shown("CREATE (:A {x: 1})-[:R]->(:B)");
  BOOST_TEST(run_dot_command(session, ".labels"));
  BOOST_TEST(out.str().find("\"label\":\"A\"") != std::string::npos);
  BOOST_TEST(out.str().find("\"relationship type\":\"R\"") != std::string::npos);
  BOOST_TEST(run_dot_command(session, ".properties"));
  BOOST_TEST(out.str().find("\"property\":\"x\",\"count\":1") != std::string::npos);
  BOOST_TEST(run_dot_command(session, ".help"));
  BOOST_TEST(!run_dot_command(session, ".nonsense"));
  BOOST_TEST(err.str().find(".nonsense") != std::string::npos);
  BOOST_TEST(!session.is_over());
  BOOST_TEST(run_dot_command(session, ".exit"));
  BOOST_TEST(session.is_over());
}

BOOST_AUTO_TEST_CASE(mode_and_format_are_one_command) {
  BOOST_TEST(run_dot_command(session, ".mode csv"));
  BOOST_TEST((session.options().format == Format::csv));
  BOOST_TEST(run_dot_command(session, ".format json"));
  BOOST_TEST((session.options().format == Format::json));
}

BOOST_AUTO_TEST_CASE(a_script_may_hold_dot_commands_between_statements) {
  BOOST_TEST(shown(".param x 7\nRETURN $x AS x;\n.mode csv\nRETURN '\n.mode json\n' AS y;\n") ==
             "{\"x\":7}\ny\r\n\"\n.mode json\n\"\r\n");
  BOOST_TEST(shown("CREATE (:A);\n.quit\nCREATE (:A);") == "");
  BOOST_TEST(err.str() == "(1 node created, 1 label added)\n");
  BOOST_TEST(session.run("MATCH (n:A) RETURN count(*) AS n"));
  BOOST_TEST(out.str().ends_with("n\r\n1\r\n"));
}

BOOST_AUTO_TEST_CASE(a_dot_command_that_fails_stops_a_script) {
  BOOST_TEST(!session.run_all(".nonsense\nRETURN 1 AS a"));
  BOOST_TEST(out.str().empty());
}

BOOST_AUTO_TEST_CASE(a_statement_that_fails_before_its_first_row_prints_no_result) {
  for (const Format format : {Format::table, Format::json, Format::csv, Format::markdown}) {
    session.options().format = format;
    BOOST_TEST(!session.run("RETURN 5 / 0 AS a"));
  }
  BOOST_TEST(out.str() == "");
  BOOST_TEST(err.str().find("division by zero") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(an_error_while_running_shows_its_place) {
  BOOST_TEST(!session.run("RETURN 1 AS a,\n  5 / 0 AS b"));
  BOOST_TEST(err.str().find("): line 2, column 3: division by zero") != std::string::npos,
             err.str());
  BOOST_TEST(err.str().find("\n    5 / 0 AS b\n    ^") != std::string::npos, err.str());
}

// What a program reads has nothing but the result in it.
BOOST_AUTO_TEST_CASE(machine_formats_have_their_remarks_on_the_error_stream) {
  session.options().timer = true;
  for (const Format format : {Format::json, Format::jsonl, Format::csv, Format::toon, Format::rag,
                              Format::llm, Format::markdown}) {
    session.options().format = format;
    err.str("");
    session.options().show_changes = false;
    const std::string result = shown("CREATE (:Foo)");
    BOOST_TEST(err.str().starts_with("time: "));
    err.str("");
    session.options().show_changes = true;
    BOOST_TEST(shown("CREATE (:Foo)") == result);
    BOOST_TEST(err.str().starts_with("(1 node created, 1 label added)\ntime: "));
    const std::string rows = shown("MATCH (n:Foo) RETURN n.x AS x LIMIT 1");
    err.str("");
    BOOST_TEST(shown("PROFILE MATCH (n:Foo) RETURN n.x AS x LIMIT 1") == rows);
    BOOST_TEST(err.str().find("ScanNodes") != std::string::npos);
  }
}

BOOST_AUTO_TEST_CASE(a_table_has_its_remarks_below_it) {
  session.options() = {Format::table, true, 0, true};
  const std::string text = shown("CREATE (:Foo {x: 1})");
  BOOST_TEST(text.find("(1 node created, 1 property set, 1 label added)\ntime: ") !=
             std::string::npos);
  BOOST_TEST(shown("PROFILE MATCH (n:Foo) RETURN n.x AS x").find("ScanNodes") != std::string::npos);
  BOOST_TEST(err.str() == "");
}

BOOST_AUTO_TEST_CASE(leaving_with_an_open_transaction_says_that_it_is_rolled_back) {
  BOOST_TEST(session.run("BEGIN"));
  BOOST_TEST(session.run("CREATE (:A)"));
  session.end();
  BOOST_TEST(err.str().find("rolled back") != std::string::npos);
  BOOST_TEST(shown("MATCH (n:A) RETURN count(*) AS n") == "{\"n\":0}\n");
}

namespace {

void write_file(const std::filesystem::path& path, std::string_view text) {
  std::ofstream(path, std::ios::binary) << text;
}

std::string read_all(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_file_is_read_as_if_it_stood_there) {
  const auto file = temporary.path() / "two words.cypher";
  write_file(file, "CREATE (:A);\n.mode csv\nMATCH (n:A) RETURN count(*) AS n");
  BOOST_TEST(shown(".read " + file.string()) == "n\r\n1\r\n");
  write_file(file, "RETURN 1 AS a; RETURN nothing; RETURN 2 AS b");
  BOOST_TEST(!session.run_all(".read " + file.string()));
  BOOST_TEST(err.str().find("nothing") != std::string::npos);
  BOOST_TEST(err.str().find("not run to its end") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_file_that_reads_itself_is_an_error) {
  const auto file = temporary.path() / "again";
  write_file(file, ".read " + file.string() + "\n");
  BOOST_TEST(!session.run_all(".read " + file.string()));
  BOOST_TEST(err.str().find("nested too deep") != std::string::npos);
  BOOST_TEST(!session.run_all(".read nowhere/at/all"));
  BOOST_TEST(err.str().find("cannot be read") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(results_go_to_a_file_and_back) {
  const auto file = temporary.path() / "rows";
  BOOST_TEST(shown(".output " + file.string() + "\nRETURN 1 AS a;\n.output\nRETURN 2 AS a") ==
             "{\"a\":2}\n");
  BOOST_TEST(read_all(file) == "{\"a\":1}\n");
  BOOST_TEST(!session.run_all(".output " + (temporary.path() / "no" / "rows").string()));
  BOOST_TEST(shown("RETURN 3 AS a") == "{\"a\":3}\n");
}

BOOST_AUTO_TEST_CASE(tables_in_a_file_are_not_cut_to_the_terminal) {
  session.options().format = Format::table;
  session.options().width = 20;
  const auto file = temporary.path() / "rows";
  shown(".output " + file.string() + "\nRETURN '" + std::string(90, 'x') + "' AS a;\n.output");
  BOOST_TEST(read_all(file).find(std::string(90, 'x')) != std::string::npos);
}

BOOST_AUTO_TEST_CASE(statements_run_in_the_namespace_that_was_set) {
  const std::string count = "\nMATCH (n) RETURN count(*) AS n;";
  BOOST_TEST(shown("CREATE (:A);\n.namespace acme\nCREATE (:A), (:A);" + count) == "{\"n\":2}\n");
  BOOST_TEST(err.str().find("there is no namespace acme yet") != std::string::npos);
  BOOST_TEST(shown(".namespace") == "'acme'\n");
  BOOST_TEST(shown("BEGIN; CREATE (:A);" + count + " ROLLBACK;") == "{\"n\":3}\n");
  BOOST_TEST(shown(".namespace ''" + count) == "{\"n\":1}\n");
  BOOST_TEST(shown(".namespace") == "''\n");
  err.str("");
  BOOST_TEST(shown(".namespace 'a b'\nCREATE ();\n.namespace 'a b'\n.namespace") == "'a b'\n");
  BOOST_TEST(shown("SHOW NAMESPACES") ==
             "{\"name\":\"\",\"nodes\":1,\"relationships\":0}\n"
             "{\"name\":\"a b\",\"nodes\":1,\"relationships\":0}\n"
             "{\"name\":\"acme\",\"nodes\":2,\"relationships\":0}\n");
}

BOOST_AUTO_TEST_CASE(statements_read_the_namespaces_that_were_set) {
  const std::string count = "\nMATCH (n) RETURN count(*) AS n;";
  shown("CREATE (:A);\n.namespace shared\nCREATE (:A), (:A);\n.namespace acme");
  BOOST_TEST(shown(".also_read") == "-\n");
  BOOST_TEST(shown(".also_read shared,none" + count) == "{\"n\":2}\n");
  BOOST_TEST(shown(".also_read") == "shared,none\n");
  BOOST_TEST(shown(".also_read ''\n.also_read" + count) == "''\n{\"n\":1}\n");
  BOOST_TEST(shown(".also_read -" + count) == "{\"n\":0}\n");
  BOOST_TEST(shown(".author ada\nCREATE (n) RETURN n@author AS who;") == "{\"who\":\"ada\"}\n");
}

BOOST_AUTO_TEST_CASE(a_namespace_is_dropped_by_itself_and_not_in_a_transaction) {
  shown(".namespace acme\nCREATE (:A), (:A);");
  BOOST_TEST(!session.run_all("BEGIN; DROP NAMESPACE acme; COMMIT"));
  BOOST_TEST(err.str().find("cannot run inside a transaction") != std::string::npos);
  session.end();
  err.str("");
  shown("DROP NAMESPACE acme");
  BOOST_TEST(err.str() == "(2 nodes deleted)\n");
  BOOST_TEST(shown("MATCH (n) RETURN count(*) AS n") == "{\"n\":0}\n");
}

BOOST_AUTO_TEST_CASE(budgets_are_shown_set_and_kept_to) {
  BOOST_TEST(shown(".timeout\n.max_rows\n.memory") == "30s\n10000000\n256MiB\n");
  BOOST_TEST(shown(".threads\n.threads 2\n.threads\n.threads 0\n.threads") == "0\n2\n0\n");
  BOOST_TEST(shown(".timeout 2m\n.max_rows 2\n.memory 1.5 MiB\n.timeout\n.max_rows\n.memory") ==
             "2m\n2\n1536KiB\n");
  BOOST_TEST(!session.run("UNWIND range(1, 3) AS i RETURN i"));
  BOOST_TEST(err.str().find("2 rows") != std::string::npos);
  BOOST_TEST(err.str().find("--max-rows") != std::string::npos);
  shown(".max_rows 10");
  err.str("");
  BOOST_TEST(!session.run("RETURN range(1, 1000000) AS i"));
  BOOST_TEST(err.str().find("--memory") != std::string::npos);
  shown(".timeout 1ms\n.memory 1GiB");
  err.str("");
  BOOST_TEST(!session.run("UNWIND range(1, 100000000) AS i RETURN sum(i)"));
  BOOST_TEST(err.str().find("limit of 1ms") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_wrong_budget_is_named_with_what_is_accepted) {
  const auto told = [&](const std::string& line) {
    err.str("");
    BOOST_TEST(!run_dot_command(session, line));
    return err.str();
  };
  BOOST_TEST(told(".timeout 5")
                 .find(".timeout: expected a time such as 500ms, 5s, 2m or 1.5h, "
                       "got 5") != std::string::npos);
  BOOST_TEST(told(".memory much")
                 .find(".memory: expected a size such as 512KiB, 64MiB or 1.5GiB, "
                       "got much") != std::string::npos);
  for (const char* rows : {"0", "-1", "1.5", "all"})
    BOOST_TEST(told(std::string(".max_rows ") + rows)
                   .find(".max_rows: expected a whole number of at least 1, got " +
                         std::string(rows)) != std::string::npos);
  BOOST_TEST(shown(".timeout\n.max_rows\n.memory") == "30s\n10000000\n256MiB\n");
}

BOOST_AUTO_TEST_CASE(a_mistyped_command_is_told_the_nearest) {
  BOOST_TEST(!session.run_all(".indxes"));
  BOOST_TEST(err.str().find("did you mean .indexes?") != std::string::npos);
  BOOST_TEST(!session.run_all(".wholly_unknown"));
  BOOST_TEST(err.str().find(".wholly_unknown: see .help") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(the_schema_is_labels_properties_and_indexes) {
  shown("CREATE (:Person {name: 'Ada'}); CREATE INDEX names FOR (p:Person) ON (p.name)");
  const std::string all = shown(".schema");
  for (const char* name : {"Person", "\"name\"", "names"})
    BOOST_TEST(all.find(name) != std::string::npos, name);
}

BOOST_AUTO_TEST_CASE(the_schema_of_a_label_has_its_indexes_and_constraints) {
  shown(
      "CREATE (:Person {name: 'Ada'}), (:Town {name: 'Kiel'});"
      "CREATE INDEX people FOR (p:Person) ON (p.name);"
      "CREATE INDEX towns FOR (t:Town) ON (t.name);"
      "CREATE CONSTRAINT one_town FOR (t:Town) REQUIRE t.name IS UNIQUE");
  const std::string person = shown(".schema Person");
  BOOST_TEST(person.find("people") != std::string::npos);
  for (const char* other : {"towns", "one_town"})
    BOOST_TEST(person.find(other) == std::string::npos, other);
  for (const std::string& schema : {shown(".schema Town"), shown(".schema")})
    for (const char* name : {"towns", "one_town", "UNIQUENESS"})
      BOOST_TEST(schema.find(name) != std::string::npos, name << " in " << schema);
}

BOOST_AUTO_TEST_CASE(one_change_is_told_in_the_singular) {
  session.options().format = Format::table;
  BOOST_TEST(shown("CREATE (:A)").find("(1 node created, 1 label added)") != std::string::npos);
  BOOST_TEST(shown("UNWIND [1, 2] AS i CREATE (:A)").find("(2 nodes created") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(the_schema_tells_which_label_has_which_property) {
  shown("CREATE (:Person {name: 'Ada'})-[:`KNOWS ``OF`` ` {since: 1843}]->(:Town {size: 3})");
  BOOST_TEST(
      shown(".schema Town") ==
      "{\"label\":\"Town\",\"property\":\"size\",\"types\":[\"Long\"],\"mandatory\":true}\n");
  BOOST_TEST(shown(".schema 'KNOWS `OF` '")
                 .starts_with("{\"relationship type\":\"KNOWS `OF` \",\"property\":\"since\""));
  BOOST_TEST(!session.run_all(".schema Nix"));
  BOOST_TEST(err.str().find("no label and no relationship type Nix") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(listings_are_of_the_namespace_and_the_transaction) {
  shown("CREATE (:Common {a: 1});\n.namespace acme\nCREATE (:T {b: 1})-[:R]->();");
  BOOST_TEST(shown(".labels") ==
             "{\"label\":\"T\",\"count\":1}\n{\"relationship type\":\"R\",\"count\":1}\n");
  BOOST_TEST(shown(".properties") == "{\"property\":\"b\",\"count\":1}\n");
  BOOST_TEST(shown(".schema").find("Common") == std::string::npos);
  BOOST_TEST(shown("\\d").find("\"T\"") != std::string::npos);
  BOOST_TEST(shown("BEGIN;\nCREATE (:New);\n.labels\nROLLBACK;").find("New") != std::string::npos);
  BOOST_TEST(shown(".max_rows 1\n.labels").find("\"R\"") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(an_import_goes_into_the_namespace) {
  const auto csv = temporary.path() / "one.csv";
  const auto lines = temporary.path() / "two.jsonl";
  write_file(csv, "a\n1\n");
  write_file(lines,
             "{\"type\":\"node\",\"id\":\"1\",\"labels\":[\"L\"]}\n"
             "{\"type\":\"node\",\"id\":\"2\",\"labels\":[\"L\"]}\n"
             "{\"type\":\"relationship\",\"id\":\"1\",\"label\":\"R\",\"start\":{\"id\":\"1\"},"
             "\"end\":{\"id\":\"2\"}}\n"
             "{\"type\":\"node\",\"id\":\"3\",\"labels\":[\"Own\"],\"system\":{}}\n");
  shown(".namespace acme\n.import " + csv.string() + " --label 'Two Words'\n.import " +
        lines.string());
  BOOST_TEST(shown(".labels") ==
             "{\"label\":\"L\",\"count\":2}\n{\"label\":\"Two Words\",\"count\":1}\n"
             "{\"relationship type\":\"R\",\"count\":1}\n");
  BOOST_TEST(shown(".namespace ''\n.labels") == "{\"label\":\"Own\",\"count\":1}\n");
}

BOOST_AUTO_TEST_CASE(an_import_takes_the_options_of_the_program) {
  const auto file = temporary.path() / "broken.jsonl";
  write_file(file, "{\"type\":\"node\",\"id\":\"1\"}\nbroken\n");
  BOOST_TEST(!session.run_all(".import " + file.string()));
  BOOST_TEST(shown(".import " + file.string() + " --skip-errors").find("1 line left out") !=
             std::string::npos);
  BOOST_TEST(!session.run_all(".import " + file.string() + " --skip"));
  BOOST_TEST(err.str().find("--skip is not an option of .import") != std::string::npos);
  BOOST_TEST(err.str().find("--skip-errors") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(another_delimiter_is_guessed_and_told) {
  const auto file = temporary.path() / "semi.csv";
  write_file(file, "id;name\n1;Ada\n");
  shown(".import " + file.string() + " --label S");
  BOOST_TEST(err.str().find("warning: all of the first line is one column, id;name: "
                            "--delimiter \";\" splits it") != std::string::npos);
  err.str("");
  shown(".import " + file.string() + " --label S --delimiter \";\"");
  BOOST_TEST(err.str() == "");
}

BOOST_AUTO_TEST_CASE(conditions_and_clauses_follow_every_show) {
  shown("CREATE (:P {born: 1});");
  for (const char* what : {"INDEXES", "RANGE INDEXES", "CONSTRAINTS", "DATABASES", "PROCEDURES",
                           "FUNCTIONS", "BACKUPS", "NAMESPACES", "TRANSACTIONS"}) {
    const std::string show = std::string("SHOW ") + what;
    for (const char* rest :
         {"", " WHERE true", " YIELD *", " YIELD * WHERE true", " RETURN count(*) AS n",
          " YIELD * RETURN count(*) AS n", " YIELD * WHERE true RETURN count(*) AS n"})
      BOOST_TEST(session.run_all(show + rest), show + rest + err.str());
  }
  BOOST_TEST(shown("SHOW INDEXES YIELD * WHERE type = 'RANGE' RETURN name, entries") ==
             "{\"name\":\"node.born\",\"entries\":1}\n");
}

BOOST_AUTO_TEST_CASE(a_stop_ends_transfers_and_files) {
  const auto csv = temporary.path() / "one.csv";
  const auto script = temporary.path() / "script";
  write_file(csv, "a\n1\n");
  write_file(script, "RETURN nothing;\nCREATE (:NotReached);\n");
  session.options().keep_going = true;
  std::stop_source source;
  session.stop_with(source.get_token());
  source.request_stop();
  BOOST_TEST(!session.run_all(".import " + csv.string() + " --label L"));
  BOOST_TEST(err.str().find("the import was stopped: it committed 0 nodes") != std::string::npos);
  BOOST_TEST(!session.run_all(".backup " + (temporary.path() / "backup").string()));
  BOOST_TEST(err.str().find("the backup was stopped: nothing of it is stored") !=
             std::string::npos);
  BOOST_TEST(!session.run_all(".read " + script.string()));
  session.stop_with({});
  BOOST_TEST(shown("MATCH (n) RETURN count(*) AS n") == "{\"n\":0}\n");
}

BOOST_AUTO_TEST_CASE(parameters_are_json_or_literals_and_can_be_forgotten) {
  BOOST_TEST(shown(".param text 'tea'\n.param $q 3\n.param d = date('2026-01-01')\n"
                   "RETURN $text AS t, $q AS q, $d.year AS y;") ==
             "{\"t\":\"tea\",\"q\":3,\"y\":2026}\n");
  BOOST_TEST(shown(".param q") == "3\n");
  BOOST_TEST(shown(".unset $q\n.unset d\n.param") == "{\"text\":\"tea\"}\n");
  BOOST_TEST(!session.run_all(".param q"));
  BOOST_TEST(err.str().find("there is no parameter q") != std::string::npos);
  BOOST_TEST(!session.run_all(".param q tea"));
  BOOST_TEST(err.str().find("put a text in quotes: .param q 'text'") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(arguments_have_quotes_and_none_is_ignored) {
  const auto file = temporary.path() / "a b.txt";
  BOOST_TEST(shown(".output \"" + file.string() + "\"\nRETURN 1 AS a;\n.output") == "");
  BOOST_TEST(read_all(file) == "{\"a\":1}\n");
  write_file(file, "RETURN 2 AS a;");
  BOOST_TEST(shown(".read '" + file.string() + "'") == "{\"a\":2}\n");
  BOOST_TEST(
      shown(".mode csv\n.nullvalue \"\"\nRETURN null AS a;\n.nullvalue ' - '\nRETURN null AS a;") ==
      "a\r\n\r\na\r\n - \r\n");
  for (const char* line : {".tables Person", ".mode json x", ".exit now", ".timer on off",
                           ".unset a b", ".backup", ".labels all"}) {
    err.str("");
    BOOST_TEST(!session.run_all(line), line);
    BOOST_TEST(err.str().find("usage: ") != std::string::npos, err.str());
  }
  BOOST_TEST(!session.is_over());
}

BOOST_AUTO_TEST_CASE(errors_of_a_script_have_its_file_and_line) {
  const auto file = temporary.path() / "err.cypher";
  write_file(file, "RETURN 1 AS a;\n\n// a comment\nRETURN\n  nothing;\n");
  BOOST_TEST(!session.run_all(".read " + file.string()));
  BOOST_TEST(err.str().find("): " + file.string() + ", line 5, column 3: ") != std::string::npos,
             err.str());
  err.str("");
  write_file(file, "RETURN 1 AS a;\n.mode csv\n.nonsense\n");
  BOOST_TEST(!session.run_all(".read " + file.string()));
  BOOST_TEST(err.str().find(file.string() + ", line 3: there is no command") != std::string::npos,
             err.str());
  for (const bool is_stream : {true, false}) {
    err.str("");
    const std::string text = "RETURN 1 AS a;\n.mode csv\nRETURN 1 AS a; RETURN\n  5 / 0;\n";
    std::istringstream input(text);
    BOOST_TEST(!(is_stream ? session.run_stream(input) : session.run_all(text)));
    BOOST_TEST(err.str().find("): line 4, column 3: division") != std::string::npos, err.str());
  }
}

BOOST_AUTO_TEST_CASE(commands_of_other_shells_run_in_scripts_and_may_be_indented) {
  shown("CREATE (:Harbour)");
  BOOST_TEST(shown("\\dt\n").starts_with("{\"label\":\"Harbour\""));
  BOOST_TEST(shown("RETURN 1 AS a;\n  .mode csv\nRETURN 1 AS a;") == "{\"a\":1}\na\r\n1\r\n");
  std::istringstream input("RETURN '\n  .mode json\n' AS a;\n\t.print 'two  words' x\n");
  out.str("");
  BOOST_TEST(session.run_stream(input));
  BOOST_TEST(out.str() == "a\r\n\"\n  .mode json\n\"\r\ntwo  words x\n");
  BOOST_TEST(!session.run_all("\\e\n"));
  BOOST_TEST(err.str().find("there is no command \\e: see .help") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(commands_may_be_shortened_and_are_known_in_any_case) {
  shown("CREATE (:A)");
  BOOST_TEST(shown(".la") == shown(".LABELS"));
  BOOST_TEST(!session.run_all(".s"));
  BOOST_TEST(err.str().find(".s may be .schema, .show") != std::string::npos);
  BOOST_TEST(!session.run_all(".tabels"));
  BOOST_TEST(err.str().find("did you mean .tables?") != std::string::npos);
  BOOST_TEST(!session.run_all(".shell ls"));
  BOOST_TEST(err.str().find("there is no command .shell: see .help") != std::string::npos);
  BOOST_TEST(shown(".help import").starts_with(".import FILE [OPTIONS]"));
}

BOOST_AUTO_TEST_CASE(headers_echo_and_bail_are_switches) {
  session.options().show_changes = false;
  BOOST_TEST(shown(".mode csv\n.headers off\nRETURN 1 AS a;") == "1\r\n");
  BOOST_TEST(shown(".headers") == "off\n");
  session.options().format = Format::table;
  BOOST_TEST(shown("RETURN 1 AS a;") == "1\n(1 row)\n");
  BOOST_TEST(shown(".echo on\nRETURN\n 1 AS a;") == "RETURN\n 1 AS a\n1\n(1 row)\n");
  BOOST_TEST(shown(".echo off") == ".echo off\n");
  BOOST_TEST(!session.run_all(".bail off\nRETURN nothing;\nCREATE (:Reached);"));
  BOOST_TEST(shown("MATCH (n:Reached) RETURN count(*) AS n;") == "1\n(1 row)\n");
  BOOST_TEST(shown(".bail") == "off\n");
  BOOST_TEST(!session.run_all(".timer perhaps"));
  BOOST_TEST(shown(".show").find("headers     off\n") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(one_result_goes_to_a_file) {
  const auto file = temporary.path() / "rows";
  BOOST_TEST(shown(".once " + file.string() + "\n.mode csv\nRETURN 1 AS a;\nRETURN 2 AS a;") ==
             "a\r\n2\r\n");
  BOOST_TEST(read_all(file) == "a\r\n1\r\n");
}

BOOST_AUTO_TEST_CASE(a_program_that_fails_is_an_error) {
  BOOST_TEST(!session.run_all(".once |cat > /dev/null; exit 3\nRETURN 1 AS a;"));
  BOOST_TEST(session.run_all(".once |head -n 1 > /dev/null\nRETURN 1 AS a;"));
}

BOOST_AUTO_TEST_CASE(rows_before_an_error_are_no_whole_result) {
  session.options().format = Format::table;
  BOOST_TEST(!session.run_all(".max_rows 2\nUNWIND range(1, 9) AS i RETURN i;"));
  BOOST_TEST(out.str().ends_with("2\n(2 rows, and then an error)\n"), out.str());
}

BOOST_AUTO_TEST_SUITE_END()
