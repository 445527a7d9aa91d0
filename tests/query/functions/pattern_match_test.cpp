#include "query/functions/pattern_match.hpp"

#include "query/functions/filter_test.hpp"
#include "query/functions/value_semantics.hpp"
#include "tests/query/functions/few_steps.hpp"
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

// RE2 would read all of it before it refuses it.
BOOST_AUTO_TEST_CASE(a_pattern_of_megabytes_is_refused_by_its_length) {
  const std::string pattern(6'000'000, 'a');
  const std::string expected = "a regular expression has at most 524288 bytes, got 6000000";
  BOOST_TEST(matches_pattern("a", pattern).error().message == expected);
  BOOST_TEST(finds_pattern("a", pattern).error().message == expected);
  BOOST_TEST(check_pattern(pattern).error().message == expected);
  BOOST_TEST(text_of(matches_pattern(std::string(100'000, 'a'), std::string(100'000, 'a'))) ==
             "true");
}

BOOST_AUTO_TEST_CASE(a_hostile_pattern_takes_linear_time) {
  const auto begin = std::chrono::steady_clock::now();
  BOOST_TEST(text_of(matches_pattern(std::string(100'000, 'a'), "(a*)*b")) == "false");
  BOOST_TEST((std::chrono::steady_clock::now() - begin < std::chrono::seconds(5)));
}

// On both sides of the length from which a thread of its own matches.
BOOST_AUTO_TEST_CASE(long_texts_match_as_short_ones_do) {
  FewSteps limits(1'000'000'000);
  for (const std::size_t repeats : {10U, 5'000U, 200'000U}) {
    std::string text;
    for (std::size_t i = 0; i < repeats; ++i) text += "ab ";
    BOOST_TEST(text_of(matches_pattern(text, "(ab )*", &limits)) == "true");
    BOOST_TEST(text_of(matches_pattern(text + "c", "(ab )*", &limits)) == "false");
    BOOST_TEST(finds_pattern(text + "c", "b c$", &limits).value());
    BOOST_TEST(!finds_pattern(text, "bb", &limits).value());
  }
}

/// A pattern for which RE2 cannot use its fast path: about a microsecond for each byte.
constexpr const char* slow = ".*\\p{L}{1,100}!";

// What it would take some two seconds for.
BOOST_AUTO_TEST_CASE(a_match_in_a_long_text_is_stopped) {
  const Value text = std::string(2'000'000, 'x');
  FewSteps limits(20 * 256);  // twenty looks, of two milliseconds each
  const auto begin = std::chrono::steady_clock::now();
  const auto stopped = matches_pattern(text, slow, &limits);
  const auto taken = std::chrono::steady_clock::now() - begin;
  BOOST_REQUIRE(!stopped);
  BOOST_TEST((stopped.error().code == ErrorCode::resource_limit));
  BOOST_TEST((taken < std::chrono::milliseconds(1'500)));
  BOOST_TEST(text_of(matches_pattern("still", "st.*", &limits)) == "true");
}

BOOST_AUTO_TEST_CASE(so_is_one_of_a_filter) {
  const Value text = std::string(2'000'000, 'x');
  const Value pattern = std::string(slow);
  FewSteps limits(20 * 256);
  const auto begin = std::chrono::steady_clock::now();
  const auto stopped =
      query::passes({FilterOperator::matches, pattern, false, false, 0, &limits}, {&text, 1});
  const auto taken = std::chrono::steady_clock::now() - begin;
  BOOST_REQUIRE(!stopped);
  BOOST_TEST((stopped.error().code == ErrorCode::resource_limit));
  BOOST_TEST((taken < std::chrono::milliseconds(1'500)));
}

// Those that nobody waits for any more are bounded: more wait for their turn, and can be stopped meanwhile.
BOOST_AUTO_TEST_CASE(abandoned_matches_do_not_pile_up) {
  const Value text = std::string(200'000, 'x');
  for (int i = 0; i < 40; ++i) {
    FewSteps none(0);
    static_cast<void>(matches_pattern(text, slow, &none));
  }
  FewSteps limits(1'000'000'000);
  BOOST_TEST(text_of(matches_pattern(Value(std::string(100'000, 'a')), "a*", &limits)) == "true");
}

BOOST_AUTO_TEST_CASE(more_patterns_than_are_kept_all_match) {
  for (int i = 0; i < 300; ++i)
    BOOST_TEST(text_of(matches_pattern(std::to_string(i), std::to_string(i))) == "true");
}

BOOST_AUTO_TEST_SUITE_END()
