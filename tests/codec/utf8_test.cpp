#include "codec/utf8.hpp"

#include "tests/support/value_generator.hpp"

#include <cairn/json.hpp>

#include <boost/test/unit_test.hpp>

using namespace cairn;
using namespace cairn::codec;

namespace {

constexpr std::string_view mixed = "aæ€😀";  // 1, 2, 3 and 4 bytes

bool is_utf8(std::string_view text) { return utf8_prefix(text) == text.size(); }

}  // namespace

BOOST_AUTO_TEST_SUITE(utf8_bytes)

BOOST_AUTO_TEST_CASE(characters_of_each_length_are_utf8) {
  for (const char* text : {"", "a", "\x7f", "\xc2\x80", "\xdf\xbf", "\xe0\xa0\x80", "\xed\x9f\xbf",
                           "\xee\x80\x80", "\xef\xbf\xbf", "\xf0\x90\x80\x80", "\xf4\x8f\xbf\xbf",
                           "twelve bytes, \xc3\xa9, and more than eight"})
    BOOST_TEST(is_utf8(text), text);
  BOOST_TEST(is_utf8(std::string(100, '\0')));
}

BOOST_AUTO_TEST_CASE(overlong_forms_surrogates_and_halves_are_none) {
  for (const char* text : {"\x80", "\xbf", "\xc0\x80", "\xc1\xbf", "\xe0\x9f\xbf", "\xed\xa0\x80",
                           "\xf0\x8f\xbf\xbf", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xff",
                           "\xc3", "\xc3(", "\xe2\x82", "\xe2\x82(", "\xf0\x9f\x98", "\xf0\x9f("})
    BOOST_TEST(utf8_prefix(text) == 0U, text);
  BOOST_TEST(utf8_prefix("seven b\xff and more bytes") == 7U);
  BOOST_TEST(utf8_prefix("12345678\xc3\xa9\xc3") == 10U);
}

BOOST_AUTO_TEST_CASE(each_longest_beginning_becomes_one_replacement) {
  const std::string mark = "\xef\xbf\xbd";
  BOOST_TEST(repaired_utf8("sound \xc3\xa9") == "sound \xc3\xa9");
  BOOST_TEST(repaired_utf8("a\xff\xfe"
                           "b") == "a" + mark + mark + "b");
  BOOST_TEST(repaired_utf8("\xf0\x9f\x98(") == mark + "(");
  BOOST_TEST(repaired_utf8("\xe2\x82\xc3\xa9") == mark + "\xc3\xa9");
  BOOST_TEST(repaired_utf8("\xed\xa0\x80") == mark + mark + mark);
  BOOST_TEST(repaired_utf8("end \xe2\x82") == "end " + mark);
}

BOOST_AUTO_TEST_CASE(json_has_the_same_replacements) {
  test::ValueGenerator random(test::test_seed());
  for (int i = 0; i < 2'000; ++i) {
    const std::string bytes = i % 2 == 0 ? random.bytes(12) : random.string();
    const Value read = parse_json(to_json(Value(bytes))).value();
    BOOST_TEST_REQUIRE((repaired_utf8(bytes) == read.as_string()));
  }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(utf8_code_points)

BOOST_AUTO_TEST_CASE(code_points_are_counted_not_bytes) {
  BOOST_TEST(utf8_length("") == 0);
  BOOST_TEST(utf8_length(mixed) == 4);
}

BOOST_AUTO_TEST_CASE(an_offset_lies_between_code_points) {
  const std::size_t expected[] = {0, 1, 3, 6, 10};
  for (std::int64_t count = 0; count <= 4; ++count)
    BOOST_TEST(utf8_offset(mixed, count) == expected[count]);
  BOOST_TEST(utf8_offset(mixed, 100) == mixed.size());
}

BOOST_AUTO_TEST_CASE(a_cut_never_splits_a_code_point) {
  const std::size_t expected[] = {0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10};
  for (std::size_t at = 0; at <= mixed.size(); ++at)
    BOOST_TEST(utf8_floor(mixed, at) == expected[at]);
}

BOOST_AUTO_TEST_CASE(a_code_point_is_all_of_its_bytes) {
  BOOST_TEST(utf8_at(mixed, 0) == "a");
  BOOST_TEST(utf8_at(mixed, 3) == "€");
  BOOST_TEST(utf8_at(mixed, 6) == "😀");
}

BOOST_AUTO_TEST_CASE(any_bytes_are_walked_through_to_the_end) {
  const std::uint64_t seed = cairn::test::test_seed();
  cairn::test::ValueGenerator random(seed);
  for (int i = 0; i < 20'000; ++i) {
    const std::string bytes = random.bytes(12);
    std::size_t walked = 0;
    while (walked < bytes.size()) walked += utf8_at(bytes, walked).size();
    BOOST_TEST_REQUIRE(walked == bytes.size(), "seed " << seed);
    BOOST_TEST_REQUIRE(utf8_offset(bytes, utf8_length(bytes)) == bytes.size(), "seed " << seed);
  }
}

BOOST_AUTO_TEST_SUITE_END()
