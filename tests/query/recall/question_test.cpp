// What a question names: runs of words that may be values, and times as ranges of microseconds.

#include "query/recall/question.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <ostream>

namespace cairn::query {

static std::ostream& operator<<(std::ostream& out, const TimeRange& range) {
  return out << range.first << ".." << range.last;
}

}  // namespace cairn::query

namespace cairn::test {
namespace {

using query::named_texts;
using query::named_times;
using query::TimeRange;

constexpr std::int64_t second = 1'000'000;
constexpr std::int64_t day = 86'400 * second;
// Seconds since 1970, UTC.
constexpr std::int64_t seventh_of_may_2023 = 1'683'417'600 * second;
constexpr std::int64_t may_2023 = 1'682'899'200 * second;
constexpr std::int64_t year_2022 = 1'640'995'200 * second;

bool names(std::string_view question, const std::string& text) {
  const auto texts = named_texts(question);
  return std::find(texts.begin(), texts.end(), text) != texts.end();
}

void check_times(std::string_view question, const std::vector<TimeRange>& expected) {
  BOOST_TEST_CONTEXT(question)
  BOOST_TEST(named_times(question) == expected, boost::test_tools::per_element());
}

}  // namespace

BOOST_AUTO_TEST_SUITE(question)

BOOST_AUTO_TEST_CASE(words_and_runs_of_up_to_three_may_be_values) {
  const std::vector<std::string> expected = {"York",        "in",  "in New",
                                             "in New York", "New", "New York"};
  auto texts = named_texts("in New York?");
  BOOST_TEST(texts.size() == expected.size());
  for (const std::string& text : expected) BOOST_TEST(names("in New York?", text));
  BOOST_TEST(!names("a b c d", "a b c d"));
  BOOST_TEST(named_texts("").empty());
  BOOST_TEST(named_texts("?!").empty());
}

BOOST_AUTO_TEST_CASE(a_possessive_ending_is_no_part_of_a_name) {
  BOOST_TEST(names("Ada's tea", "Ada"));
  BOOST_TEST(names("Ada\xe2\x80\x99s tea", "Ada"));
  BOOST_TEST(!names("Ada's tea", "ada"));
}

BOOST_AUTO_TEST_CASE(days_are_read_in_each_way_of_writing) {
  const std::vector<TimeRange> day_range = {{seventh_of_may_2023, seventh_of_may_2023 + day - 1}};
  check_times("on 7 May 2023", day_range);
  check_times("on 7th may 2023?", day_range);
  check_times("May 7, 2023", day_range);
  check_times("since 2023-05-07", day_range);
}

BOOST_AUTO_TEST_CASE(months_and_years_are_ranges) {
  check_times("in May 2023", {{may_2023, may_2023 + 31 * day - 1}});
  check_times("what about 2022?", {{year_2022, year_2022 + 365 * day - 1}});
  check_times("in 2022 and in May 2023",
              {{year_2022, year_2022 + 365 * day - 1}, {may_2023, may_2023 + 31 * day - 1}});
}

BOOST_AUTO_TEST_CASE(what_is_no_date_is_none) {
  check_times("may I come on the 7th?", {});
  check_times("30 February 2023", {{1'675'209'600 * second, 1'677'628'800 * second - 1}});
  check_times("20233 things, 1800 men", {});
  check_times("", {});
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
