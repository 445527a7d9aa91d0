#include "query/functions/value_semantics.hpp"
#include "tests/query/functions/support.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>

using namespace cairn;
using namespace cairn::query;
using cairn::query::test::text_of;

BOOST_AUTO_TEST_SUITE(pattern_match)

BOOST_AUTO_TEST_CASE(the_whole_text_must_match) {
  BOOST_TEST(text_of(matches_pattern("abc", "a.c")) == "true");
  BOOST_TEST(text_of(matches_pattern("abcd", "a.c")) == "false");
  BOOST_TEST(text_of(matches_pattern("ABC", "(?i)abc")) == "true");
  BOOST_TEST(text_of(matches_pattern("äöü", "...")) == "true");
}

BOOST_AUTO_TEST_CASE(what_is_no_text_is_unknown) {
  BOOST_TEST(text_of(matches_pattern(Value(), "a")) == "null");
  BOOST_TEST(text_of(matches_pattern("a", Value())) == "null");
  BOOST_TEST(text_of(matches_pattern(1, "1")) == "null");
}

BOOST_AUTO_TEST_CASE(a_bad_pattern_is_an_error_that_shows_it) {
  const auto result = matches_pattern("a", "(a");
  BOOST_REQUIRE(!result);
  BOOST_TEST((result.error().code == ErrorCode::invalid_argument));
  BOOST_TEST(result.error().message.find("'(a'") != std::string::npos);
  BOOST_TEST(text_of(matches_pattern("aa", "(a)\\1")) == "error: invalid_argument");
  BOOST_TEST(text_of(matches_pattern("a", 1)) == "error: type_error");
}

BOOST_AUTO_TEST_CASE(a_hostile_pattern_takes_linear_time) {
  const auto begin = std::chrono::steady_clock::now();
  BOOST_TEST(text_of(matches_pattern(std::string(100'000, 'a'), "(a*)*b")) == "false");
  BOOST_TEST((std::chrono::steady_clock::now() - begin < std::chrono::seconds(5)));
}

BOOST_AUTO_TEST_CASE(more_patterns_than_are_kept_all_match) {
  for (int i = 0; i < 300; ++i)
    BOOST_TEST(text_of(matches_pattern(std::to_string(i), std::to_string(i))) == "true");
}

BOOST_AUTO_TEST_SUITE_END()
