#include "query/functions/utf8.hpp"

#include "tests/support/value_generator.hpp"

#include <boost/test/unit_test.hpp>

using namespace cairn;
using namespace cairn::query;

namespace {

constexpr std::string_view mixed = "aæ€😀";  // 1, 2, 3 and 4 bytes

}  // namespace

BOOST_AUTO_TEST_SUITE(utf8)

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

BOOST_AUTO_TEST_SUITE(text_cursor)

BOOST_AUTO_TEST_CASE(what_matches_is_stepped_over) {
  TextCursor cursor("12-345x");
  BOOST_TEST(cursor.digits_ahead() == 2U);
  BOOST_TEST(cursor.digits(2).value() == 12);
  BOOST_TEST(cursor.take('-'));
  BOOST_TEST(cursor.digits(2).value() == 34);
  BOOST_TEST(cursor.rest() == "5x");
  cursor.skip(100);
  BOOST_TEST(cursor.at_end());
}

BOOST_AUTO_TEST_CASE(what_does_not_match_stays) {
  TextCursor cursor("1x");
  BOOST_TEST(!cursor.digits(2));
  BOOST_TEST(!cursor.digits(0));
  BOOST_TEST(!cursor.take('x'));
  BOOST_TEST(cursor.rest() == "1x");
}

BOOST_AUTO_TEST_CASE(numbers_beyond_18_digits_are_none) {
  TextCursor cursor("9999999999999999999");
  BOOST_TEST(!cursor.digits(19));
  BOOST_TEST(cursor.digits(18).value() == 999'999'999'999'999'999);
}

BOOST_AUTO_TEST_CASE(nothing_is_read_at_the_end) {
  TextCursor cursor("");
  BOOST_TEST(cursor.at_end());
  BOOST_TEST(cursor.digits_ahead() == 0U);
  BOOST_TEST(!cursor.digits(1));
  BOOST_TEST(!cursor.take('a'));
}

BOOST_AUTO_TEST_SUITE_END()
