#include "tools/text/cell_text.hpp"

#include <boost/test/unit_test.hpp>

using cairn::Value;
using namespace cairn::tools;

BOOST_AUTO_TEST_SUITE(cell_text_of_values)

BOOST_AUTO_TEST_CASE(a_string_stands_without_quotes) {
  BOOST_TEST(cell_text(Value("ada")) == "ada");
}

BOOST_AUTO_TEST_CASE(a_list_stands_as_a_literal) {
  BOOST_TEST(cell_text(cairn::list_of({1, "a"})) == "[1, 'a']");
}

BOOST_AUTO_TEST_CASE(a_long_vector_is_shortened) {
  const Value vector(cairn::Vector(std::vector<float>(256, 0.5F)));
  const std::string shown = "vector([0.5, 0.5, 0.5, 0.5, ...], 256, FLOAT32)";
  BOOST_TEST(cell_text(vector) == shown);
  auto content = std::make_shared<cairn::Node::Content>();
  content->labels = {"A"};
  content->properties = {{"v", vector}};
  const cairn::Node node(cairn::NodeId{1}, content);
  BOOST_TEST(cell_text(cairn::list_of({Value(node)})) == "[(:A {v: " + shown + "})]");
  const Value whole(cairn::Vector({0.5F, 0.5F, 0.5F}));
  BOOST_TEST(cell_text(whole) == whole.to_text());
}

BOOST_AUTO_TEST_CASE(characters_that_steer_a_terminal_are_shown) {
  BOOST_TEST(make_visible("a\x1b[31mb\n") == "a\\u001B[31mb\\n");
  BOOST_TEST(make_visible("\xe2\x80\xae") == "\\u202E");
  BOOST_TEST(make_visible("\xff") == "\xef\xbf\xbd");
}

BOOST_AUTO_TEST_CASE(wide_characters_count_twice_and_combining_ones_not_at_all) {
  BOOST_TEST(display_width("ab") == 2U);
  BOOST_TEST(display_width("日本") == 4U);
  BOOST_TEST(display_width("e\xcc\x81") == 1U);
}

BOOST_AUTO_TEST_CASE(a_text_is_cut_to_its_columns) {
  BOOST_TEST(fit_width("abcdef", 6) == "abcdef");
  BOOST_TEST(fit_width("abcdef", 4) == "abc\xe2\x80\xa6");
  BOOST_TEST(display_width(fit_width("日本日本", 4)) <= 4U);
}

BOOST_AUTO_TEST_SUITE_END()
