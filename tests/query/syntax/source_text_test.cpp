#include "query/syntax/source_text.hpp"

#include <cairn/statement.hpp>

#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

namespace cairn::query {
namespace {

std::string message_at(std::string_view text, std::size_t begin, std::size_t end) {
  return SourceText(text).error(ErrorCode::parse_error, begin, end, "so").message;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(source_text)

BOOST_AUTO_TEST_CASE(lines_and_columns_count_from_one) {
  const SourceText source("ab\ncd\n");
  BOOST_CHECK((source.range(0, 1) == TextRange{0, 1, 1, 1}));
  BOOST_CHECK((source.range(4, 5) == TextRange{4, 5, 2, 2}));
  BOOST_CHECK((source.range(2, 2) == TextRange{2, 2, 1, 3}));
  BOOST_CHECK((source.range(6, 6) == TextRange{6, 6, 3, 1}));
}

BOOST_AUTO_TEST_CASE(columns_count_code_points) {
  const SourceText source("äö€\nüx");
  BOOST_TEST(source.range(7, 7).column == 4U);
  BOOST_TEST(source.range(10, 11).column == 2U);
  BOOST_TEST(source.range(10, 11).line == 2U);
}

BOOST_AUTO_TEST_CASE(columns_of_long_lines_are_right_everywhere) {
  std::string text;
  for (int i = 0; i < 500; ++i) text += "aä";
  const SourceText source(text);
  for (std::size_t i = 0; i < 500; ++i) BOOST_TEST(source.range(3 * i, 3 * i).column == 2 * i + 1);
  BOOST_TEST(source.range(1500, 1500).column == 1001U);
}

BOOST_AUTO_TEST_CASE(an_error_shows_its_line_and_a_caret) {
  BOOST_TEST(message_at("MATCH x\nWHERE y", 14, 15) ==
             "line 2, column 7: so\n  WHERE y\n        ^");
  BOOST_TEST(message_at("abc", 0, 2) == "line 1, column 1: so\n  abc\n  ^^");
}

BOOST_AUTO_TEST_CASE(an_error_at_the_end_points_behind_the_text) {
  BOOST_TEST(message_at("ab", 2, 2) == "line 1, column 3: so\n  ab\n    ^");
  BOOST_TEST(message_at("", 0, 0) == "line 1, column 1: so\n  \n  ^");
  BOOST_TEST(message_at("a\n", 2, 2) == "line 2, column 1: so\n  \n  ^");
}

BOOST_AUTO_TEST_CASE(a_caret_stays_on_its_line) {
  BOOST_TEST(message_at("abc\ndef", 1, 7) == "line 1, column 2: so\n  abc\n   ^^");
}

BOOST_AUTO_TEST_CASE(wide_characters_and_tabs_keep_the_caret_in_its_place) {
  BOOST_TEST(message_at("ä\tb", 3, 4) == "line 1, column 3: so\n  ä\tb\n   \t^");
}

BOOST_AUTO_TEST_CASE(a_long_line_is_shown_around_the_place) {
  std::string text(2'001, 'a');
  text[1'000] = 'X';
  const std::string message = message_at(text, 1000, 1001);
  BOOST_TEST(message.size() < 400U);
  const auto caret = message.rfind('^');
  const auto line = message.find("\n  ...");
  const auto caret_line = message.rfind('\n');
  BOOST_TEST(message[line + (caret - caret_line)] == 'X');
}

BOOST_AUTO_TEST_CASE(control_characters_do_not_reach_a_terminal) {
  BOOST_TEST(message_at("a\x1B[31mb", 0, 1).find('\x1B') == std::string::npos);
}

BOOST_AUTO_TEST_CASE(code_and_range_are_part_of_the_error) {
  const Error error = SourceText("ab").error(ErrorCode::resource_limit, 1, 2, "so");
  BOOST_CHECK(error.code == ErrorCode::resource_limit);
  BOOST_CHECK((error.where == TextRange{1, 2, 1, 2}));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::query

namespace cairn {
namespace {

std::vector<std::string> split(std::string_view text) {
  const auto parts = split_statements(text);
  return {parts.begin(), parts.end()};
}

using Parts = std::vector<std::string>;

}  // namespace

BOOST_AUTO_TEST_SUITE(script)

BOOST_AUTO_TEST_CASE(statements_end_at_semicolons) {
  BOOST_TEST(split("RETURN 1; RETURN 2;\nRETURN 3") == (Parts{"RETURN 1", "RETURN 2", "RETURN 3"}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(semicolons_in_quotes_and_comments_end_nothing) {
  BOOST_TEST(split("RETURN ';', \";\", `;` /* ; */ // ;\n; X") ==
                 (Parts{"RETURN ';', \";\", `;` /* ; */ // ;\n", "X"}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(empty_statements_are_left_out) {
  BOOST_TEST(split("").empty());
  BOOST_TEST(split(" ;; // nothing\n ; /* nothing */").empty());
}

BOOST_AUTO_TEST_CASE(what_is_open_belongs_to_the_last_statement) {
  BOOST_TEST(split("A; B 'c; d") == (Parts{"A", "B 'c; d"}), boost::test_tools::per_element());
  BOOST_TEST(split("A; 'c; d") == (Parts{"A", "'c; d"}), boost::test_tools::per_element());
  BOOST_TEST(split("A; /* c; d") == (Parts{"A", "/* c; d"}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(the_parts_are_pieces_of_the_text) {
  const std::string text = "  RETURN 1 ;";
  const auto parts = split_statements(text);
  BOOST_REQUIRE(parts.size() == 1U);
  BOOST_TEST(parts[0].data() == text.data() + 2);
}

BOOST_AUTO_TEST_CASE(a_shell_knows_when_more_must_follow) {
  BOOST_TEST(ends_inside_statement("RETURN 1"));
  BOOST_TEST(ends_inside_statement("RETURN 1; RETURN"));
  BOOST_TEST(ends_inside_statement("RETURN ';"));
  BOOST_TEST(ends_inside_statement("RETURN 1; /*"));
  BOOST_TEST(!ends_inside_statement("RETURN 1;"));
  BOOST_TEST(!ends_inside_statement("RETURN 1; // done\n"));
  BOOST_TEST(!ends_inside_statement(""));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn
