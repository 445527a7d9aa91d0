// The shell as a person at a terminal meets it: the program on a pseudo terminal.
#include "tests/tools/terminal.hpp"

#include "tests/support/graph_builder.hpp"
#include "tests/support/run_query.hpp"

#include <cairn/bolt.hpp>
#include <cairn/tokens.hpp>

#include <filesystem>
#include <fstream>
#include <string>

using cairn::test::Call;
using cairn::test::Terminal;

BOOST_FIXTURE_TEST_SUITE(terminal, Terminal)

namespace {

void write_lines(const std::filesystem::path& file, std::string_view head, int count) {
  std::ofstream stream(file, std::ios::binary);
  stream << head;
  for (int i = 0; i < count; ++i) stream << i << "\n";
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_prompt_shows_the_namespace) {
  wait_for_prompt("cairn > ");
  type(".namespace acme\n");
  wait_for_prompt("cairn:acme > ");
  type("BEGIN\n");
  wait_for_prompt("cairn:acme* > ");
  type("CREATE (:A);\n");
  wait_for_prompt("cairn:acme* > ");
  type("COMMIT\n");
  wait_for_prompt("cairn:acme > ");
  type(".namespace ''\n");
  wait_for_prompt("cairn > ");
  type(".namespace 'a\\u001bb'\n");
  wait_for_prompt("cairn:a");
  BOOST_TEST(shown().find("\x1b"
                          "b > ") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(every_character_that_is_typed_arrives) {
  wait_for_prompt("cairn > ");
  type("RETURN 'äß 日本 😀' AS a;\n");
  wait_for(R"({"a":"äß 日本 😀"})");
  type("RETURN '\xff' AS b;\n");  // bytes that are no character are shown as such
  wait_for("{\"b\":\"\xef\xbf\xbd\"}");
}

BOOST_AUTO_TEST_CASE(an_interrupt_drops_the_line_and_keeps_the_transaction) {
  wait_for_prompt("cairn > ");
  type("BEGIN;\n");
  wait_for_prompt("cairn* > ");
  type("CREATE (:A);\n");
  wait_for_prompt("cairn* > ");
  type("MATCH (n)\n");
  wait_for_prompt("... ");
  type("RETURN dropped");
  wait_for("dropped");
  type("\x03");
  wait_for_prompt("cairn* > ");
  type("MATCH (n:A) RETURN count(*) AS n;\n");
  wait_for(R"({"n":1})");
  wait_for_prompt("cairn* > ");
  type("\x03");
  wait_for_prompt("cairn* > ");
  type("COMMIT;\n");
  wait_for_prompt("cairn > ");
  type("\x04");
  BOOST_TEST(wait_end() == 0);
  BOOST_TEST(shown().find("rolled back") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_new_size_draws_the_line_in_its_place) {
  wait_for_prompt("cairn > ");
  type("RETURN 'kept whole'");
  wait_for("whole'");
  type("\x01");  // the cursor is not at the end
  wait_for("\x1b[9G");
  resize(40, 100);
  wait_for("\r\x1b[J");
  wait_for("cairn > RETURN 'kept whole'");
  type("\x05 AS a, '" + std::string(150, 'x') + "' AS b");
  wait_for("AS b");
  resize(40, 90);
  wait_for("\r\x1b[2A\x1b[J");  // from its third row
  wait_for("AS b");
  type(";\n");
  wait_for("{\"a\":\"kept whole\"");
}

// The end of the line is column 28, behind the prompt.
BOOST_AUTO_TEST_CASE(an_interrupt_leaves_what_was_typed_to_be_read) {
  wait_for_prompt("cairn > ");
  type("RETURN 'kept whole'");
  wait_for("whole'");
  type("\x01");
  wait_for("\x1b[9G");
  type("\x03");
  BOOST_TEST(wait_for("^C").find("\x1b[28G") != std::string::npos);
  wait_for_prompt("cairn > ");
}

BOOST_AUTO_TEST_CASE(tab_completes_words_of_the_language_and_of_the_database) {
  wait_for_prompt("cairn > ");
  type("CREATE (:Lighthouse {keeper: 'Ada'});\n");
  wait_for_prompt("cairn > ");
  type("MAT\t(l:Ligh\t) RET\tl.kee\t AS k;\n");
  wait_for(R"({"k":"Ada"})");
  wait_for_prompt("cairn > ");
  type(".prop\t\n");
  wait_for("keeper");
  wait_for_prompt("cairn > ");
  type("CALL db.la\t() YIELD label;\n");
  wait_for(R"({"label":"Lighthouse"})");
  wait_for_prompt("cairn > ");
  type("RETURN toLow\t('A') AS t;\n");
  wait_for(R"({"t":"a"})");
  wait_for_prompt("cairn > ");
  type("RETURN date\t\t");  // several fit: they are listed
  wait_for("datetime");
}

BOOST_AUTO_TEST_CASE(the_history_survives_a_kill_and_is_searched_while_typing) {
  wait_for_prompt("cairn > ");
  type("RETURN 'first' AS a;\n");
  wait_for(R"({"a":"first"})");
  wait_for_prompt("cairn > ");
  type("RETURN 'second' AS a;\n");
  wait_for(R"({"a":"second"})");
  wait_for_prompt("cairn > ");
  kill_and_start();
  wait_for_prompt("cairn > ");
  type(
      "\x12"
      "fir");
  wait_for("'first'");
  type("\n");
  wait_for(R"({"a":"first"})");
  wait_for_prompt("cairn > ");
  type("\x1b[A\n");
  wait_for(R"({"a":"first"})");
}

// An arrow is an escape and two characters, which would be text if the search took the escape for itself.
BOOST_AUTO_TEST_CASE(a_key_that_moves_takes_what_the_search_has_found) {
  wait_for_prompt("cairn > ");
  for (const char* line : {"RETURN 'first' AS a;\n", "RETURN 'found' AS a;\n"}) {
    type(line);
    wait_for("{\"a\":");
    wait_for_prompt("cairn > ");
  }
  for (const char* key : {"\x1b[C", "\x1b[D", "\x1bOC", "\x1b[F", "\x1b"}) {
    type(
        "\x12"
        "foun");
    wait_for("'found'");
    type(key);
    usleep(100'000);  // a person's next key; at once it would be a part of this one
    type("\n");
    wait_for(R"({"a":"found"})");
    wait_for_prompt("cairn > ");
  }
  type(
      "\x12"
      "foun");
  wait_for("'found'");
  type("\x1b[A\n");  // the one before
  wait_for(R"({"a":"first"})");
}

BOOST_AUTO_TEST_CASE(what_is_typed_is_there_again_when_the_program_goes_on) {
  wait_for_prompt("cairn > ");
  type("RETURN 'ke");
  wait_for("'ke");
  send(SIGSTOP);
  wait_for_stop();
  leave_raw_mode();
  send(SIGCONT);
  wait_for("\r\x1b[J");
  wait_for_prompt("RETURN 'ke");
  type("pt' AS a;\n");
  wait_for(R"({"a":"kept"})");
}

BOOST_AUTO_TEST_CASE(the_shell_around_has_the_terminal_after_ctrl_z) {
  Terminal outer(Call{{"-i"}, {{"NO_COLOR", "1"}, {"PS1", "outer> "}}, "/bin/sh"});
  outer.wait_for("outer> ");
  outer.type(CAIRN_PROGRAM " db --create --format jsonl\n");
  outer.wait_for_prompt("cairn > ");
  outer.type("RETURN 'ke");
  outer.wait_for("'ke");
  outer.type("\x1a");
  outer.wait_for("\x1b[?2004l");  // pastes are marked for us alone
  outer.wait_for("outer> ");
  outer.type("echo si''de\n");
  outer.wait_for("side");
  outer.wait_for("outer> ");
  outer.type("fg\n");
  outer.wait_for("\x1b[?2004h");
  outer.wait_for_prompt("RETURN 'ke");
  usleep(200'000);
  outer.type("pt' AS a;\n");
  BOOST_TEST(outer.wait_for(R"({"a":"kept"})").find("RETURN") == std::string::npos);  // drawn once
}

BOOST_AUTO_TEST_CASE(an_interrupt_stops_the_statement_that_runs) {
  wait_for_prompt("cairn > ");
  type(
      "UNWIND range(1, 3000) AS a UNWIND range(1, 3000) AS b UNWIND range(1, 3000) AS c "
      "RETURN sum(a * b * c) AS s;\n");
  wait_for("AS s;");
  wait_for("\n");
  type("\x03");
  wait_for("error (cancelled)");
  wait_for_prompt("cairn > ");
  type(".quit\n");
  BOOST_TEST(wait_end() == 0);
}

// The server stops it too, and the session goes on.
BOOST_AUTO_TEST_CASE(an_interrupt_stops_a_statement_that_runs_in_a_server) {
  using namespace cairn;
  test::TemporaryDatabase database;
  const std::string secret =
      test::must(create_token(*database, {.name = "shell", .role = Role::write}));
  const BoltListener listener = test::must(BoltListener::open(*database, {"127.0.0.1", 0}));
  Terminal remote({.arguments = {"bolt://127.0.0.1:" + std::to_string(listener.address().port),
                                 "--format", "jsonl"},
                   .environment = {{"NO_COLOR", "1"}, {"CAIRN_TOKEN", secret}},
                   .program = CAIRN_PROGRAM});
  const auto runs = [&] {
    const std::string all = test::result_of(*database, "SHOW TRANSACTIONS YIELD currentQuery");
    return all.find("UNWIND range(1, 3000)") != std::string::npos;
  };
  remote.wait_for_prompt("> ");
  remote.type(".timer on\n");
  remote.wait_for_prompt("> ");
  remote.type(
      "UNWIND range(1, 3000) AS a UNWIND range(1, 3000) AS b UNWIND range(1, 3000) AS c "
      "RETURN sum(a * b * c) AS s;\n");
  for (int left = 20'000; left > 0 && !runs(); --left) usleep(1'000);
  BOOST_TEST(runs());
  remote.type("\x03");
  remote.wait_for("error (cancelled)");
  remote.wait_for("time: ");
  BOOST_TEST(!runs());
  remote.wait_for_prompt("> ");
  remote.type("RETURN 6 * 7 AS n;\n");
  remote.wait_for(R"({"n":42})");
  remote.wait_for("time: ");
  remote.wait_for_prompt("> ");
  remote.type(".quit\n");
  BOOST_TEST(remote.wait_end() == 0);
}

BOOST_AUTO_TEST_CASE(an_interrupt_stops_a_file_that_is_read) {
  std::ofstream(home() / "slow.cypher")
      << "UNWIND range(1, 3000) AS a UNWIND range(1, 3000) AS b UNWIND range(1, 3000) AS c\n"
         "RETURN sum(a * b * c) AS s;\nCREATE (:NotReached);\n";
  wait_for_prompt("cairn > ");
  type(".read slow.cypher\n");
  wait_for("\n");
  usleep(200'000);
  type("\x03");
  wait_for("error (cancelled)");
  wait_for_prompt("cairn > ");
  type("MATCH (n:NotReached) RETURN count(*) AS n;\n");
  wait_for(R"({"n":0})");
}

BOOST_AUTO_TEST_CASE(an_interrupt_stops_an_import_and_tells_what_is_kept) {
  write_lines(home() / "many.csv", "i\n", 400'000);
  wait_for_prompt("cairn > ");
  type(".import many.csv --label N --batch 1000\n");
  wait_for("nodes [");
  type("\x03");
  wait_for("error (cancelled): the import was stopped: it committed ");
  wait_for(" nodes");
  wait_for_prompt("cairn > ");
}

BOOST_AUTO_TEST_CASE(an_interrupt_stops_a_dump_and_leaves_no_file) {
  wait_for_prompt("cairn > ");
  type("UNWIND range(1, 150000) AS i CREATE (:N {i: i});\n");
  wait_for("150,000 nodes created");
  wait_for_prompt("cairn > ");
  type(".dump many.jsonl\n");
  wait_for("records [");
  type("\x03");
  wait_for("error (cancelled): the export was stopped after ");
  wait_for_prompt("cairn > ");
  BOOST_TEST(!std::filesystem::exists(home() / "many.jsonl"));
  BOOST_TEST(!std::filesystem::exists(home() / "many.jsonl.new"));
}

// The segments that a backup needs are built before it, or waited for.
BOOST_AUTO_TEST_CASE(an_interrupt_stops_a_backup_and_tells_what_is_kept) {
  wait_for_prompt("cairn > ");
  type(".backup there\n");
  wait_for("backed up to there");
  wait_for_prompt("cairn > ");
  type(
      "CREATE VECTOR INDEX v FOR (n:V) ON (n.e) OPTIONS {indexConfig: {`vector.dimensions`: 64, "
      "`vector.similarity_function`: 'cosine'}};\n");
  wait_for_prompt("cairn > ");
  type("UNWIND range(1, 40000) AS i CREATE (:V {e: [j IN range(1, 64) | rand()]});\n");
  wait_for("40,000 nodes created");
  wait_for_prompt("cairn > ");
  const auto interrupt = [&](const char* text) {
    type(text);
    wait_for("\n");
    type("\x03");
    wait_for("error (cancelled): ");
  };
  interrupt(".backup there\n");
  wait_for("the backup was stopped: ");
  wait_for("there still has the backup of commit 0");
  wait_for_prompt("cairn > ");
  interrupt("BACKUP TO 'there';\n");  // it may be stopped before the backup has begun
  wait_for_prompt("cairn > ");
}

BOOST_AUTO_TEST_CASE(what_is_pasted_is_text) {
  wait_for("\x1b[?2004h");  // the terminal is asked to mark pastes
  wait_for_prompt("cairn > ");
  type("\x1b[200~CREATE (:TabTest {t: 'a\tb'});\x1b[201~\n");
  wait_for("1 node created");
  wait_for_prompt("cairn > ");
  type("\x1b[200~MATCH (n:TabTest)\r\rRETURN\r  n.t AS t;\rRETURN 'both' AS b;\x1b[201~");
  type("\n");
  wait_for(R"({"t":"a\tb"})");
  wait_for(R"({"b":"both"})");
  wait_for_prompt("cairn > ");
  type("\x1b[200~.param x 5\r.print \x1b[31mred\r\x1b[201~\n");
  wait_for("[31mred");
  wait_for_prompt("cairn > ");
  type("RETURN $x AS x;\n");
  wait_for(R"({"x":5})");
}

BOOST_AUTO_TEST_CASE(an_empty_line_goes_on_inside_a_statement) {
  wait_for_prompt("cairn > ");
  type("CREATE (:A);\n");
  wait_for_prompt("cairn > ");
  type("MATCH (n:A)\n");
  wait_for_prompt("... ");
  type("\n");
  wait_for_prompt("... ");
  type("RETURN count(n) AS n;\n");
  wait_for(R"({"n":1})");
  wait_for_prompt("cairn > ");
  type("RETURN 'a\n\nb' AS t;\n");
  wait_for(R"({"t":"a\n\nb"})");
}

BOOST_AUTO_TEST_CASE(two_shells_keep_the_history_of_both) {
  wait_for_prompt("cairn > ");
  type("RETURN 'mine' AS a;\n");
  wait_for(R"({"a":"mine"})");
  wait_for_prompt("cairn > ");
  std::ofstream(home() / ".cairn_history", std::ios::app) << "RETURN\\040'theirs'\\040AS\\040a;\n";
  type("RETURN 'mine too' AS a;\n");
  wait_for(R"({"a":"mine too"})");
  wait_for_prompt("cairn > ");
  kill_and_start();
  wait_for_prompt("cairn > ");
  type("\x1b[A\x1b[A\n");
  wait_for(R"({"a":"theirs"})");
  wait_for_prompt("cairn > ");
  type("\x12mine to");
  wait_for("mine too");
}

// Ten lines of 161 columns take 30 lines of a terminal of 80 columns, and a statement tells its rows.
BOOST_AUTO_TEST_CASE(wrapped_lines_count_for_the_pager) {
  resize(24, 80);
  wait_for_prompt("cairn > ");
  type(".pager sed s/^/paged:/\n");
  wait_for_prompt("cairn > ");
  type("UNWIND range(1, 10) AS i RETURN reduce(s = '', x IN range(1, 153) | s + 'x') AS t;\n");
  wait_for("paged:{\"t\":\"xxx");
  wait_for_prompt("cairn > ");
  type("UNWIND range(1, 10) AS i RETURN 'short' AS t;\n");
  wait_for("\n{\"t\":\"short\"}");
}

BOOST_AUTO_TEST_CASE(leaving_tells_that_a_transaction_is_rolled_back) {
  wait_for_prompt("cairn > ");
  type("BEGIN;\n");
  wait_for_prompt("cairn* > ");
  type("\x04");
  wait_for("rolled back");
  BOOST_TEST(wait_end() == 0);
}

BOOST_AUTO_TEST_SUITE_END()
