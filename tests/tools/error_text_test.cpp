#include "tools/text/error_text.hpp"

#include <boost/test/unit_test.hpp>

using cairn::Error;
using cairn::ErrorCode;
using cairn::TextRange;
using cairn::tools::error_text;

namespace {

Error problem(std::size_t begin, std::size_t end, std::size_t line, std::size_t column) {
  return {ErrorCode::type_error, "no", TextRange{begin, end, line, column}};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(error_text_of_errors)

BOOST_AUTO_TEST_CASE(an_error_without_a_place_is_its_message) {
  BOOST_TEST(error_text({ErrorCode::conflict, "used", std::nullopt}, "RETURN 1") ==
             "error (conflict): used\n");
}

BOOST_AUTO_TEST_CASE(a_place_is_shown_with_carets_below_it) {
  BOOST_TEST(error_text(problem(9, 12, 2, 3), "RETURN\n  abc + 1\n") ==
             "error (type_error): line 2, column 3: no\n"
             "    abc + 1\n"
             "    ^^^\n");
}

BOOST_AUTO_TEST_CASE(carets_stand_below_wide_characters) {
  const std::string statement = "RETURN '日本' + x";
  const std::size_t x = statement.find(" x") + 1;
  BOOST_TEST(error_text(problem(x, x + 1, 1, 15), statement)
                 .ends_with("\n  " + statement + "\n  " + std::string(16, ' ') + "^\n"));
}

BOOST_AUTO_TEST_CASE(a_message_that_has_its_place_is_left_alone) {
  const Error error{ErrorCode::parse_error, "line 1, column 1: what\n  x\n  ^",
                    TextRange{0, 1, 1, 1}};
  BOOST_TEST(error_text(error, "x") == "error (parse_error): line 1, column 1: what\n  x\n  ^\n");
}

BOOST_AUTO_TEST_CASE(a_long_line_is_cut_around_the_place) {
  const std::string statement = std::string(500, 'a').append("b").append(500, 'c');
  const std::string text = error_text(problem(500, 501, 1, 501), statement);
  BOOST_TEST(text.size() < 400U);
  BOOST_TEST(text.find("ab") != std::string::npos);
  BOOST_TEST(text.ends_with("\n" + std::string(65, ' ') + "^\n"), text);
}

BOOST_AUTO_TEST_CASE(a_place_outside_of_the_text_is_no_harm) {
  BOOST_TEST(error_text(problem(900, 901, 1, 1), "x") == "error (type_error): no\n");
  BOOST_TEST(error_text(problem(1, 900, 1, 2), "x").ends_with("  x\n   ^\n"));
}

BOOST_AUTO_TEST_CASE(nothing_shown_steers_a_terminal) {
  const std::string text = error_text(problem(4, 5, 1, 5), "\x1b[3m x");
  BOOST_TEST(text.find('\x1b') == std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
