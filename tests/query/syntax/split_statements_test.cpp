#include <cairn/statement.hpp>

#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

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
