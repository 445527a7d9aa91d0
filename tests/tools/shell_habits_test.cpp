// Everything that people know from psql, sqlite3 and duckdb, typed at a terminal and looked for on the screen.
#include "tests/tools/terminal.hpp"

#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

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

BOOST_AUTO_TEST_CASE(statements_of_the_command_line_show_every_row) {
  const std::string statement = "UNWIND range(1, 50) AS i RETURN i";
  Terminal all(Call{{"--create", "-c", statement}, {}});
  all.wait_for("(50 rows)");
  BOOST_TEST(all.wait_end() == 0);
  Terminal some(Call{{"--create", "--rows", "7", "-c", statement}, {}});
  some.wait_for("(7 of 50 rows; --rows all shows the rest)");
  BOOST_TEST(some.wait_end() == 0);
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
  wait_for("there is no database other, and none was made");
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
  run(".pager off", "");
  run("CREATE (:Harbour {name: 'Kiel'});", "1 node created");
  for (const char* word : {"help", "?", ".help", "\\?"}) run(word, ".quit");
  for (const char* word : {".tables", "\\dt", "\\dt+", ".schema", "\\d", "\\d+"})
    run(word, "Harbour");
  run("\\di", "row)");
  run("\\di+", "row)");
  run(".indexs", "did you mean .indexes?");
  run("\\x", "vertical");
  run("MATCH (h:Harbour) RETURN h.name;", "-[ row 1 ]-");
  run("\\x", "table");
  run("MATCH (h:Harbour) RETURN h.name;", "(1 row)");
  run("\\timing", "on");
  run("\\timing", "off");
  for (const char* word : {"HELP", "\\h", ":help"}) run(word, ".quit");
  for (const char* word : {"\\d Harbour", "\\dt Harbour", "  .schema Harbour"})
    run(word, "'String'");
  run("\\l", "name");
  run("\\e", "there is no command \\e");
  run(":nonsense", "there is no command :nonsense");
  run("\\c", "database ");
  run(".nullvalue (nothing)", "");
  run("RETURN null AS a;", "(nothing)");
  run(".timer on", "");
  run("RETURN 1 AS a;", "time: ");
  std::ofstream(home() / "script.cypher") << ".mode jsonl\nRETURN 'read' AS a;\n";
  run(".read script.cypher", "{\"a\":\"read\"}");
  run("\\i script.cypher", "{\"a\":\"read\"}");
  type("Exit\n");
  BOOST_TEST(wait_end() == 0);
}

BOOST_FIXTURE_TEST_CASE(a_tilde_is_the_home_directory, Shell) {
  run("CREATE (:A);", "1 node created");
  run(".backup ~/backups", "backed up to " + home().string() + "/backups");
  run(".dump ~/copy.jsonl", "1 node and 0 relationships written to");
  BOOST_TEST(std::filesystem::exists(home() / "copy.jsonl"));
  std::ofstream(home() / "script.cypher") << "RETURN 'read' AS a;\n";
  std::filesystem::create_directory(home() / "below");
  run(".cd below", "");
  run(".read ~/script.cypher", "(1 row)");
  run(".output ~/rows", "");
  run(".output", "");
  BOOST_TEST(std::filesystem::exists(home() / "rows"));
  run(".cd", "");
  run(".read script.cypher", "(1 row)");
}

BOOST_FIXTURE_TEST_CASE(tables_follow_the_width_of_the_terminal, Shell) {
  const std::string statement = "RETURN reduce(t = '', i IN range(1, 30) | t + 'wide ') AS t;";
  run(statement, "(1 row)");
  resize(40, 60);
  run(statement, "(cells are cut; .mode vertical shows them whole)");
  run(".mode vertical", "");
  BOOST_TEST(run(statement, "(1 row)").find("cut") == std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(the_help_fits_the_terminal, Shell) {
  run(".pager off", "");
  constexpr std::array<unsigned short, 4> widths{200, 100, 60, 40};
  for (const unsigned short width : widths) {
    resize(40, width);
    type(".help\n");
    wait_for("\n");
    std::istringstream help(wait_for("typed."));
    for (std::string line; std::getline(help, line);)
      BOOST_TEST(line.size() <= width + 1U, line);  // and the end of the line
    wait_for_prompt(prompt);
  }
}

BOOST_AUTO_TEST_CASE(the_help_of_the_program_fits_the_terminal) {
  Terminal terminal(Call{{"-i"}, {{"PS1", "outer> "}}, "/bin/sh"});
  terminal.wait_for("outer> ");
  terminal.resize(40, 60);
  terminal.type(CAIRN_PROGRAM " --help | cat; " CAIRN_PROGRAM " --help; echo e''nd\n");
  const std::string end = ".help lists its commands.";
  terminal.wait_for("JSON; may be repeated");  // as it is in a pipe
  terminal.wait_for(end);
  terminal.wait_for("\n");
  std::istringstream help(terminal.wait_for(end));
  for (std::string line; std::getline(help, line);) BOOST_TEST(line.size() <= 61U, line);
  terminal.wait_for("end");
}

BOOST_FIXTURE_TEST_CASE(who_is_inside_of_a_statement_is_told, Shell) {
  for (const char* word : {"exit", ".quit", "\\dt", "help"}) {
    type("RETURN 1 AS a\n");
    wait_for_prompt("...\x1b[0m ");
    type(std::string(word) + "\n");
    wait_for("still inside a statement: ';' ends it, Ctrl-C drops it");
    wait_for_prompt("...\x1b[0m ");
    type("\x03");
    wait_for_prompt(prompt);
  }
}

BOOST_FIXTURE_TEST_CASE(results_go_to_a_program_or_once_to_a_file, Shell) {
  run(".mode csv", "");
  run(".output |tr a-z A-Z > upper.txt", "");
  type("RETURN 'shout' AS a;\n");
  wait_for_prompt(prompt);
  run(".output stdout", "");
  BOOST_TEST(content(home() / "upper.txt") == "A\r\nSHOUT\r\n");
  BOOST_TEST(!std::filesystem::exists(home() / "stdout"));
  run(".once 'a b.csv'", "");
  type("RETURN 'once' AS a;\n");
  wait_for_prompt(prompt);
  run("RETURN 'again' AS a;", "\nagain");
  BOOST_TEST(content(home() / "a b.csv") == "a\r\nonce\r\n");
}

BOOST_FIXTURE_TEST_CASE(a_database_may_be_opened_again, Shell) {
  run(".open db", "Cairn on db");
  run(".open ~/db", "Cairn on");
  run("RETURN 'still here' AS a;", "(1 row)");
}

BOOST_FIXTURE_TEST_CASE(limits_are_told_in_the_words_of_the_prompt, Shell) {
  run(".memory 1MiB", "");
  run("RETURN range(1, 1000000) AS i;", "limit of 1MiB of memory; raise .memory if");
  run(".max_rows 10", "");
  BOOST_TEST(run("UNWIND range(1, 30) AS i RETURN i;", "raise .max_rows if")
                 .find("(10 rows, and then an error)") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
