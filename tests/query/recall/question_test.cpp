// What a question names: runs of words that may be values, and times as ranges of microseconds.

#include "query/recall/recall_run.hpp"

#include <boost/test/unit_test.hpp>

#include <ostream>
#include <sstream>

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

/// "Ada 0+1; Ada Lovelace 0+2": each text with its words.
std::string names(std::string_view question) {
  std::ostringstream out;
  for (const query::NamedText& text : named_texts(question, "english"))
    out << (out.tellp() > 0 ? "; " : "") << text.text << ' ' << text.first << '+' << text.count;
  return out.str();
}

void check_times(std::string_view question, const std::vector<TimeRange>& expected) {
  BOOST_TEST_CONTEXT(question)
  BOOST_TEST(named_times(question) == expected, boost::test_tools::per_element());
}

}  // namespace

BOOST_AUTO_TEST_SUITE(question)

BOOST_AUTO_TEST_CASE(words_and_runs_of_up_to_three_may_be_values) {
  BOOST_TEST(names("new york tea?") ==
             "new 0+1; new york 0+2; new york tea 0+3; york 1+1; "
             "york tea 1+2; tea 2+1");
  BOOST_TEST(names("").empty());
  BOOST_TEST(names("?!").empty());
}

BOOST_AUTO_TEST_CASE(no_value_begins_or_ends_with_a_word_that_only_fills) {
  BOOST_TEST(names("what is in the Isle of Man") == "Isle 4+1; Isle of Man 4+3; Man 6+1");
  BOOST_TEST(names("Will it rain?") == "rain 2+1");
  BOOST_TEST(names("did Will say") == "Will 1+1; Will say 1+2; say 2+1");
  BOOST_TEST(named_texts("was macht er", "none").size() == 6U);
}

BOOST_AUTO_TEST_CASE(a_possessive_ending_is_no_part_of_a_name) {
  BOOST_TEST(names("Ada's") == "Ada 0+1");
  BOOST_TEST(names("Ada\xe2\x80\x99s") == "Ada 0+1");
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
