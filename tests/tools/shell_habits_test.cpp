// Everything that people know from psql, sqlite3 and duckdb, typed at a terminal and looked for on the screen.
#include "tests/tools/terminal.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>

using cairn::test::Call;
using cairn::test::Terminal;

namespace {

constexpr std::string_view prompt = "\x1b[32mcairn >\x1b[0m ";

std::string content(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// A shell with colours, on a database that has just been made.
struct Shell : Terminal {
  Shell() : Terminal(Call{{}, {}}) {
    wait_for("does not exist. Make a new database? [y/N] ");
    type("y\n");
    wait_for("a new database");
    wait_for_prompt(prompt);
  }

  /// Type a line, see `piece`, and be asked for the next one. What was shown is what stood between.
  std::string run(std::string_view line, std::string_view piece) {
    type(std::string(line) + "\n");
    std::string before = wait_for(piece);
    wait_for_prompt(prompt);
    return before;
  }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(shell_habits)

BOOST_AUTO_TEST_CASE(a_database_is_made_only_by_who_means_to) {
  Terminal terminal(Call{{}, {}});
  terminal.wait_for("[y/N] ");
  terminal.type("\n");
  terminal.wait_for("there is no database");
  BOOST_TEST(terminal.wait_end() == 1);
  BOOST_TEST(!std::filesystem::exists(terminal.home() / "db"));
}

BOOST_FIXTURE_TEST_CASE(results_and_errors_have_colours, Shell) {
  run("RETURN 1 AS a, null AS b;", "\x1b[36m1\x1b[0m \xe2\x94\x82 \x1b[2mnull\x1b[0m");
  type("RETRUN 1;\n");
  wait_for("\x1b[31merror (parse_error):\x1b[0m");
  wait_for("\x1b[31m  ^");
  wait_for_prompt(prompt);
  type("MATCH (n) RETURN m;\n");
  wait_for("  \x1b[35mMATCH\x1b[0m (n) \x1b[35mRETURN\x1b[0m m");
  wait_for_prompt(prompt);
  type(".color off\n");
  wait_for_prompt("cairn > ");
  type("RETURN 1 AS a;\n");
  BOOST_TEST(wait_for("(1 row)").find("\x1b[36m") == std::string::npos);
  wait_for_prompt("cairn > ");
  type(".color on\n");
  wait_for_prompt(prompt);
}

BOOST_AUTO_TEST_CASE(colours_can_be_refused_from_outside) {
  for (const Call& call :
       {Call{{"--create", "--no-color"}, {}}, Call{{"--create"}, {{"NO_COLOR", "1"}}},
        Call{{"--create"}, {{"TERM", "dumb"}}}}) {
    Terminal terminal(call);
    terminal.wait_for("cairn > ");
    terminal.type("RETURN 1 AS a;\n");
    BOOST_TEST(terminal.wait_for("(1 row)").find("\x1b[36m") == std::string::npos);
  }
}

BOOST_FIXTURE_TEST_CASE(a_terminal_shows_the_first_rows_and_counts_the_rest, Shell) {
  run(".pager off", "");
  run("UNWIND range(1, 12345) AS i RETURN i;", "(40 of 12,345 rows; .rows all shows the rest)");
  run(".rows 3", "");
  run("UNWIND range(1, 5) AS i RETURN i;", "(3 of 5 rows;");
  run("UNWIND range(1, 3) AS i RETURN i;", "(3 rows)");
  run("UNWIND range(1, 3000) AS a UNWIND range(1, 3000) AS b UNWIND range(1, 3000) AS c RETURN a;",
      "(3 of more than ");
  run(".mode vertical", "");
  run("UNWIND range(1, 5) AS i RETURN i;", "(3 of 5 rows;");
  run(".mode csv", "");
  run("UNWIND range(100, 105) AS i RETURN i;", "105");
  run(".mode table", "");
  run(".output rows.txt", "");
  type("UNWIND range(1, 5) AS i RETURN i;\n");
  wait_for_prompt(prompt);
  run(".output", "");
  BOOST_TEST(content(home() / "rows.txt").find("(5 rows)") != std::string::npos);
  BOOST_TEST(content(home() / "rows.txt").find('\x1b') == std::string::npos);
  run(".rows", "3");
  run(".rows all", "");
  run("UNWIND range(1, 50) AS i RETURN i;", "(50 rows)");
  run(".rows none", "usage: .rows N|all");
}

BOOST_FIXTURE_TEST_CASE(what_is_taller_than_the_terminal_is_paged, Shell) {
  run(".rows all", "");
  run(".pager sed s/^/paged:/", "");
  run("UNWIND range(1, 50) AS i RETURN i;", "paged:(50 rows)");
  BOOST_TEST(run("UNWIND range(1, 5) AS i RETURN i;", "(5 rows)").find("paged:") ==
             std::string::npos);
  run(".pager true", "");  // is left at once
  type("UNWIND range(1, 100000) AS i RETURN i; RETURN 'goes on' AS t;\n");
  wait_for("goes on");
  wait_for("(1 row)");
  wait_for_prompt(prompt);
  run(".pager no-such-program", "");
  run("UNWIND range(1, 50) AS i RETURN i;", "the pager no-such-program cannot be started");
  run(".pager", "no-such-program");
  run(".pager off", "");
  run("UNWIND range(1, 50) AS i RETURN i;", "(50 rows)");
}

BOOST_FIXTURE_TEST_CASE(the_history_keeps_the_lines_of_a_statement, Shell) {
  type("RETURN 'one' AS a,\n");
  wait_for("    ...");
  type("  'two' AS b;\n");
  wait_for("(1 row)");
  wait_for_prompt(prompt);
  type("\x1b[A\n");
  wait_for("(1 row)");
  wait_for_prompt(prompt);
  const std::string history = content(home() / ".cairn_history");
  BOOST_TEST(
      history.find("RETURN\\040'one'\\040AS\\040a,\\012\\040\\040'two'") != std::string::npos,
      history);
  kill_and_start();
  wait_for_prompt(prompt);
  type("\x1b[A\n");
  wait_for("two");
  wait_for("(1 row)");
}

BOOST_FIXTURE_TEST_CASE(databases_are_dumped_opened_and_loaded, Shell) {
  run("CREATE (:P {name: 'Ada'})-[:KNOWS]->(:P {name: 'Bob'});", "2 nodes created");
  run(".dump copy.jsonl", "2 nodes and 1 relationship written to copy.jsonl");
  run(".dump", "\"label\":\"KNOWS\"");
  run(".backup monday", "backed up to monday");
  BOOST_TEST(std::filesystem::is_directory(home() / "monday"));
  type(".open other\n");
  wait_for("other does not exist. Make a new database? [y/N] ");
  type("n\n");
  wait_for("there is no database other");
  wait_for_prompt(prompt);
  run("MATCH (n) RETURN count(*) AS n;", "2");  // the first one is still open
  type(".open other\n");
  wait_for("[y/N] ");
  type("y\n");
  wait_for("Cairn on other");
  wait_for_prompt(prompt);
  run("MATCH (n) RETURN count(*) AS n;", "0");
  run(".import copy.jsonl", "2 nodes and 1 relationship loaded");
  type("BEGIN;\n");
  wait_for("cairn* >");
  type(".dump never.jsonl\n");
  wait_for("a transaction is open");
}

BOOST_FIXTURE_TEST_CASE(csv_files_are_imported, Shell) {
  std::ofstream(home() / "people.csv") << "name;born\nAda;1815\n\"Bob; junior\";\n";
  run(".import people.csv", "--label");
  run(".import people.csv --label Person --id name --delimiter ;", "2 nodes and 0 relationships");
  run("MATCH (p:Person) WHERE p.born = 1815 RETURN p.name;", "Ada");
}

BOOST_FIXTURE_TEST_CASE(words_of_other_shells_are_known, Shell) {
  run("CREATE (:Harbour {name: 'Kiel'});", "1 node created");
  for (const char* word : {"help", "?", ".help", "\\?"}) run(word, ".quit");
  for (const char* word : {".tables", "\\dt", ".schema", "\\d"}) run(word, "Harbour");
  run("\\di", "row)");
  run(".indexs", "did you mean .indexes?");
  run("\\x", "");
  run("MATCH (h:Harbour) RETURN h.name;", "-[ row 1 ]-");
  run(".mode table", "");
  run(".nullvalue (nothing)", "");
  run("RETURN null AS a;", "(nothing)");
  run(".timer on", "");
  run("RETURN 1 AS a;", "time: ");
  std::ofstream(home() / "script.cypher") << ".mode jsonl\nRETURN 'read' AS a;\n";
  run(".read script.cypher", "{\"a\":\"read\"}");
  type("exit\n");
  BOOST_TEST(wait_end() == 0);
}

BOOST_AUTO_TEST_SUITE_END()
