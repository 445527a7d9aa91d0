// The times that a question names, asked on Thursday, 15 June 2023, at noon.

#include "query/recall/question.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

namespace cairn::test {
namespace {

using query::named_times;
using query::TimeRange;

constexpr std::int64_t noon = 1'686'830'400'000'000;  // 2023-06-15T12:00:00Z

/// "2023-06-15": the day of UTC.
std::string day_of(std::int64_t instant) {
  using namespace std::chrono;
  const year_month_day date(floor<days>(sys_time<microseconds>(microseconds(instant))));
  char text[16];
  std::snprintf(text, sizeof text, "%04d-%02u-%02u", static_cast<int>(date.year()),
                static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
  return text;
}

/// "2023-06-15" or "2023-06-12..2023-06-18", several with a blank between them.
std::string times(std::string_view question, bool corrects_spelling = false) {
  std::string all;
  engine::TextWork unlimited(nullptr);
  const auto found = named_times(question, noon, corrects_spelling, unlimited).value();
  for (const TimeRange& time : found) {
    // A day begins in its first microsecond and ends in its last one.
    BOOST_TEST(time.first % 86'400'000'000 == 0);
    BOOST_TEST((time.last + 1) % 86'400'000'000 == 0);
    const std::string first = day_of(time.first), last = day_of(time.last);
    all += (all.empty() ? "" : " ") + first + (first == last ? "" : ".." + last);
  }
  return all;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(question_times)

BOOST_AUTO_TEST_CASE(days_are_read_in_each_way_of_writing) {
  for (const char* question : {"on 7 May 2023", "on 7th may 2023?", "May 7, 2023",
                               "since 2023-05-07", "the 7th of May 2023"})
    BOOST_TEST(times(question) == "2023-05-07", question);
}

BOOST_AUTO_TEST_CASE(months_and_years_are_ranges) {
  BOOST_TEST(times("in May 2023") == "2023-05-01..2023-05-31");
  BOOST_TEST(times("what about 2022?") == "2022-01-01..2022-12-31");
  BOOST_TEST(times("in 2022 and in Feb 2024") == "2022-01-01..2022-12-31 2024-02-01..2024-02-29");
}

BOOST_AUTO_TEST_CASE(a_range_over_the_new_year_begins_in_the_year_before) {
  BOOST_TEST(times("from December to February 2024") == "2023-12-01..2024-02-29");
  BOOST_TEST(times("between 20 December and 5 January 2023") == "2022-12-20..2023-01-05");
  BOOST_TEST(times("between May and June 2023") == "2023-05-01..2023-06-30");
}

BOOST_AUTO_TEST_CASE(a_range_over_the_new_year_without_a_year_is_the_last_one) {
  BOOST_TEST(times("between November and February") == "2022-11-01..2023-02-28");
  BOOST_TEST(times("from 20 December to 5 January") == "2022-12-20..2023-01-05");
  // That from September on is not over.
  BOOST_TEST(times("between September and July") == "2021-09-01..2022-07-31");
}

BOOST_AUTO_TEST_CASE(what_is_no_date_is_none) {
  for (const char* question :
       {"may I come on the 7th?", "20233 things, 1800 men", "", "What did April say?",
        "the last thing this man did", "this may help", "the next day", "a week of tea",
        "the summer house", "between you and me"})
    BOOST_TEST(times(question).empty(), question);
  BOOST_TEST(times("30 February 2023") == "2023-02-01..2023-02-28");
}

BOOST_AUTO_TEST_CASE(parts_of_months_and_seasons_are_ranges) {
  BOOST_TEST(times("in the second week of May 2023") == "2023-05-08..2023-05-14");
  BOOST_TEST(times("the last week of February 2024") == "2024-02-23..2024-02-29");
  BOOST_TEST(times("in early August 2023") == "2023-08-01..2023-08-10");
  BOOST_TEST(times("mid-August 2023") == "2023-08-11..2023-08-20");
  BOOST_TEST(times("late February 2023") == "2023-02-21..2023-02-28");
  BOOST_TEST(times("the summer of 2022") == "2022-06-01..2022-08-31");
  BOOST_TEST(times("winter 2022") == "2022-12-01..2023-02-28");
  BOOST_TEST(times("between August 11 and August 15 2023") == "2023-08-11..2023-08-15");
  BOOST_TEST(times("from 2020 to 2022") == "2020-01-01..2022-12-31");
}

BOOST_AUTO_TEST_CASE(times_before_and_after_a_date_are_computed) {
  BOOST_TEST(times("the week before 9 June 2023") == "2023-06-02..2023-06-08");
  BOOST_TEST(times("the day after June 9, 2023") == "2023-06-10");
  BOOST_TEST(times("the month prior to 2023-03-31") == "2023-02-28..2023-03-30");
  BOOST_TEST(times("two weeks before August 11, 2023") == "2023-07-25..2023-07-31");
  BOOST_TEST(times("3 days after 2023-12-30") == "2024-01-02");
  BOOST_TEST(times("a year before May 2023") == "2022-01-01..2022-12-31");
}

BOOST_AUTO_TEST_CASE(times_are_relative_to_that_of_the_asking) {
  BOOST_TEST(times("yesterday") == "2023-06-14");
  BOOST_TEST(times("the day before yesterday") == "2023-06-13");
  BOOST_TEST(times("today or tomorrow") == "2023-06-15 2023-06-16");
  BOOST_TEST(times("last night") == "2023-06-14");
  BOOST_TEST(times("three days ago") == "2023-06-12");
  BOOST_TEST(times("a week ago") == "2023-06-05..2023-06-11");
  BOOST_TEST(times("2 months ago") == "2023-03-31..2023-04-30");
  BOOST_TEST(times("four years ago") == "2019-01-01..2019-12-31");
  BOOST_TEST(times("in the past two weeks") == "2023-06-01..2023-06-15");
}

BOOST_AUTO_TEST_CASE(last_this_and_next_are_those_of_the_calendar) {
  BOOST_TEST(times("last week") == "2023-06-05..2023-06-11");
  BOOST_TEST(times("this week") == "2023-06-12..2023-06-18");
  BOOST_TEST(times("next month") == "2023-07-01..2023-07-31");
  BOOST_TEST(times("last year") == "2022-01-01..2022-12-31");
  BOOST_TEST(times("last weekend") == "2023-06-10..2023-06-11");
  BOOST_TEST(times("last Friday") == "2023-06-09");
  BOOST_TEST(times("last Thursday") == "2023-06-08");
  BOOST_TEST(times("next Thursday") == "2023-06-22");
  BOOST_TEST(times("this Friday") == "2023-06-16");
  BOOST_TEST(times("last summer") == "2022-06-01..2022-08-31");
  BOOST_TEST(times("this summer") == "2023-06-01..2023-08-31");
  BOOST_TEST(times("last winter") == "2022-12-01..2023-02-28");
  BOOST_TEST(times("last May") == "2023-05-01..2023-05-31");
  BOOST_TEST(times("last June") == "2022-06-01..2022-06-30");
  BOOST_TEST(times("next May") == "2024-05-01..2024-05-31");
}

BOOST_AUTO_TEST_CASE(without_a_year_that_of_each_near_year_is_meant) {
  const std::string days = times("What happened on 9 June?");
  BOOST_TEST(days.starts_with("2014-06-09 2015-06-09 "));
  BOOST_TEST(days.ends_with(" 2023-06-09 2024-06-09"));
  BOOST_TEST(times("in June").ends_with(" 2023-06-01..2023-06-30 2024-06-01..2024-06-30"));
  BOOST_TEST(times("the week before 9 June").ends_with(" 2024-06-02..2024-06-08"));
  // 29 February is a day of leap years only.
  BOOST_TEST(times("29 February") == "2016-02-29 2020-02-29 2024-02-29");
}

BOOST_AUTO_TEST_CASE(long_names_may_be_misspelt) {
  for (const char* question :
       {"in Sepetmber 2022", "in september 2022", "in Septmber 2022", "in Septenber 2022"})
    BOOST_TEST(times(question, true) == "2022-09-01..2022-09-30", question);
  BOOST_TEST(times("in Sepetmber 2022") == "2022-01-01..2022-12-31");
  BOOST_TEST(times("on 7 Augsut 2022", true) == "2022-08-07");
  BOOST_TEST(times("last Wendesday", true) == "2023-06-14");
  // Two errors, another first letter, and names that other words are near to.
  for (const char* question :
       {"in Sepetmebr 2022", "in Zeptember 2022", "in Augusta 2022", "in Jluy 2022"})
    BOOST_TEST(times(question, true) == "2022-01-01..2022-12-31", question);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
