#include "tools/text/cell_text.hpp"

#include <cairn/json.hpp>

#include <boost/test/unit_test.hpp>

#include <limits>

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

using namespace cairn;

BOOST_AUTO_TEST_SUITE(json_text)

BOOST_AUTO_TEST_CASE(json_comes_back_as_it_was_written) {
  const Value value = cairn::map_of(
      {{"a", cairn::list_of({1, 2.5, true, nullptr})}, {"b", cairn::map_of({{"c", "ä\"\\\n"}})}});
  const auto back = parse_json(to_json(value));
  BOOST_REQUIRE(back.has_value());
  BOOST_TEST((*back == value));
}

BOOST_AUTO_TEST_CASE(whole_numbers_that_fit_are_integers) {
  BOOST_TEST(
      (*parse_json("9223372036854775807") == Value(std::numeric_limits<std::int64_t>::max())));
  BOOST_TEST((parse_json("9223372036854775808")->type() == cairn::ValueType::floating));
  BOOST_TEST((parse_json("1.0")->type() == cairn::ValueType::floating));
}

BOOST_AUTO_TEST_CASE(a_parameter_never_becomes_another_number) {
  for (const char* text : {"9223372036854775808", "-9223372036854775809",
                           "[1,{\"9\":99999999999999999999}]", "{\"a\\\"\":99999999999999999999}"})
    BOOST_TEST(!parse_exact_json(text).has_value(), text);
  for (const char* text : {"-9223372036854775808", "99999999999999999999.0", "[1,1e30,-2E+30]",
                           "\"\\\"99999999999999999999\""})
    BOOST_TEST((parse_exact_json(text).value() == parse_json(text).value()), text);
}

BOOST_AUTO_TEST_CASE(broken_json_is_refused_with_its_place) {
  for (const char* text : {"", "{", "[1,", "{\"a\":}", "nul", "1 2", "\"\xff\""}) {
    const auto value = parse_json(text);
    BOOST_TEST_CONTEXT(text) {
      BOOST_REQUIRE(!value.has_value());
      BOOST_TEST((value.error().code == cairn::ErrorCode::invalid_argument));
    }
  }
}

BOOST_AUTO_TEST_CASE(a_key_that_stands_twice_is_refused_by_name) {
  const auto twice = parse_json(R"({"a":{"b":1,"b":2}})");
  BOOST_REQUIRE(!twice.has_value());
  BOOST_TEST(twice.error().message.find("\"b\"") != std::string::npos);
  BOOST_TEST(parse_json(R"([{"b":1},{"b":2,"c":{"b":3}}])").has_value());
}

BOOST_AUTO_TEST_CASE(nesting_is_limited) {
  BOOST_TEST(parse_json(std::string(136, '[') + std::string(136, ']')).has_value());
  BOOST_TEST(!parse_json(std::string(137, '[') + std::string(137, ']')).has_value());
  const auto deep = parse_json(std::string(100'000, '['));
  BOOST_REQUIRE(!deep.has_value());
  BOOST_TEST(deep.error().message.find("136") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(numbers_that_json_lacks_become_text) {
  BOOST_TEST(to_json(Value(std::numeric_limits<double>::quiet_NaN())) == "\"NaN\"");
  BOOST_TEST(to_json(Value(-std::numeric_limits<double>::infinity())) == "\"-Infinity\"");
}

BOOST_AUTO_TEST_CASE(a_node_has_id_labels_and_properties) {
  auto content = std::make_shared<cairn::Node::Content>();
  content->labels = {"A"};
  content->properties["x"] = 1;
  BOOST_TEST(to_json(Value(cairn::Node(cairn::NodeId{7}, content))) ==
             R"({"id":7,"labels":["A"],"properties":{"x":1}})");
}

BOOST_AUTO_TEST_SUITE_END()
