// JSON text to values and back: what is refused, and what JSON cannot say.
#include <cairn/graph.hpp>
#include <cairn/json.hpp>

#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

namespace cairn {
namespace {

std::string error_of(const Result<Value>& parsed) {
  return parsed ? "parsed " + parsed->to_text() : parsed.error().message;
}

std::string nested(std::size_t levels) {
  return std::string(levels, '[') + std::string(levels, ']');
}

constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace

BOOST_AUTO_TEST_SUITE(json_text)

BOOST_AUTO_TEST_CASE(texts_that_are_not_json_are_refused_by_position) {
  for (const char* text :
       {"", " ", "nan", "'a'", "01", "+1", ".5", "1.", "[1,]", "{\"a\":1,}", "{a:1}", "1 2", "[1",
        "\"a", "\"\n\"", "\"\\x\"", "\"\\ud800\"", "\"\xff\"", "// 1\n1"})
    BOOST_TEST(error_of(parse_json(text)).starts_with("invalid JSON at byte "), text);
  BOOST_TEST(error_of(parse_json("[1, x]")) == "invalid JSON at byte 5");
}

BOOST_AUTO_TEST_CASE(a_repeated_key_loses_no_value) {
  BOOST_TEST(error_of(parse_json(R"({"a": 1, "b": {"a": 2}, "a": 3})")) == "duplicate key \"a\"");
  BOOST_TEST(parse_json(R"({"": 1, "b": {"": 2}})").has_value());
}

BOOST_AUTO_TEST_CASE(nesting_is_limited) {
  BOOST_TEST(parse_json(nested(136)).has_value());
  BOOST_TEST(error_of(parse_json(nested(137))) == "nested deeper than 136 levels");
  BOOST_TEST(error_of(parse_json(std::string(1'000'000, '['))) == "nested deeper than 136 levels");
}

BOOST_AUTO_TEST_CASE(whole_numbers_of_64_bits_stay_whole) {
  BOOST_TEST((parse_json("9223372036854775807").value() ==
              Value(std::numeric_limits<std::int64_t>::max())));
  BOOST_TEST((parse_json("-9223372036854775808").value() ==
              Value(std::numeric_limits<std::int64_t>::min())));
  for (const char* text : {"9223372036854775808", "-9223372036854775809", "18446744073709551616",
                           "1.0", "1e2", "-0.0"})
    BOOST_TEST((parse_json(text).value().type() == ValueType::floating), text);
}

BOOST_AUTO_TEST_CASE(a_number_beyond_all_floats_is_called_so) {
  for (const char* text : {"1e400", "-1e400", "[1, 1e309]"}) {
    BOOST_TEST(error_of(parse_json(text)).starts_with("a number is too large for a float at byte "),
               text);
    BOOST_TEST((parse_json(text).error().code == ErrorCode::invalid_argument), text);
  }
  BOOST_TEST((parse_json("1e-400").value() == Value(0.0)));
}

BOOST_AUTO_TEST_CASE(exact_reading_refuses_digits_that_a_float_loses) {
  for (const char* text : {"9223372036854775808", "[-1, {\"a\": -9223372036854775809}]",
                           R"(["\"", 10000000000000000000])"})
    BOOST_TEST(error_of(parse_exact_json(text)).find("does not fit 64 bits") != std::string::npos,
               text);
  for (const char* text :
       {"9223372036854775807", "-9223372036854775808", "1e30", "9223372036854775808.0",
        R"({"9223372036854775808": "9223372036854775808"})", R"("\\\" 99999999999999999999")"})
    BOOST_TEST(parse_exact_json(text).has_value(), text);
}

BOOST_AUTO_TEST_CASE(escapes_are_code_points) {
  BOOST_TEST((parse_json(R"("\u0000\ud834\udd1e\/\b")").value() ==
              Value(std::string("\0\xF0\x9D\x84\x9E/\b", 7))));
  BOOST_TEST(to_json(Value(std::string("\0\x01\"\\\xF0\x9D\x84\x9E", 8))) ==
             "\"\\u0000\\u0001\\\"\\\\\xF0\x9D\x84\x9E\"");
}

BOOST_AUTO_TEST_CASE(what_json_lacks_is_written_as_text) {
  BOOST_TEST(to_json(List{infinity, -infinity, std::numeric_limits<double>::quiet_NaN()}) ==
             R"(["Infinity","-Infinity","NaN"])");
  BOOST_TEST(to_json(Value("a\xff")) == "\"a\xEF\xBF\xBD\"");
  BOOST_TEST(to_json(Map{{"b", Value()}, {"a", List{}}, {"\xff", Map{}}}) ==
             "{\"a\":[],\"b\":null,\"\xEF\xBF\xBD\":{}}");
  BOOST_TEST(to_json(Value(Vector({0.5F, -2.0F}))) == "[0.5,-2.0]");
  BOOST_TEST(to_json(Path{{Node(NodeId{1})}, {}}) ==
             R"({"nodes":[{"id":1,"labels":[],"properties":{}}],"relationships":[]})");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn
