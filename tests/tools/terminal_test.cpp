// The shell as a person at a terminal meets it: the program on a pseudo terminal.
#include "tests/tools/terminal.hpp"

using cairn::test::Terminal;

BOOST_FIXTURE_TEST_SUITE(terminal, Terminal)

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

BOOST_AUTO_TEST_CASE(leaving_tells_that_a_transaction_is_rolled_back) {
  wait_for_prompt("cairn > ");
  type("BEGIN;\n");
  wait_for_prompt("cairn* > ");
  type("\x04");
  wait_for("rolled back");
  BOOST_TEST(wait_end() == 0);
}

BOOST_AUTO_TEST_SUITE_END()
