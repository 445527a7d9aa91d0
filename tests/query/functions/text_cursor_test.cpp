#include "query/functions/text_cursor.hpp"

#include <boost/test/unit_test.hpp>

using namespace cairn;
using namespace cairn::query;

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
