// Reads times from left to right, the longest form first, and uses each word once: "7 May 2023" is only the day and not
// also the month.
#include "engine/fulltext/edit_distance.hpp"
#include "engine/fulltext/word_breaker.hpp"
#include "query/recall/question.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cstddef>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <utility>

namespace cairn::query {
namespace {

using std::chrono::day;
using std::chrono::days;
using std::chrono::month;
using std::chrono::months;
using std::chrono::sys_days;
using std::chrono::weekday;
using std::chrono::year;
using std::chrono::year_month_day;
using std::chrono::years;

constexpr int first_year = 1900;
constexpr int last_year = 2100;
/// A time without a year means this many years, up to the year after `now`.
constexpr int meant_years = 11;

constexpr std::array<std::string_view, 12> month_names = {
    "january", "february", "march",     "april",   "may",      "june",
    "july",    "august",   "september", "october", "november", "december"};
constexpr std::array<std::string_view, 7> weekday_names = {
    "sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"};
constexpr std::array<std::string_view, 12> number_names = {"one",  "two", "three",  "four",
                                                           "five", "six", "seven",  "eight",
                                                           "nine", "ten", "eleven", "twelve"};
constexpr std::array<std::string_view, 4> ordinals = {"first", "second", "third", "fourth"};

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::ranges::find(words, word) != words.end();
}

template <class Names>
std::optional<int> place_in(const Names& names, std::string_view word) {
  const auto found = std::ranges::find(names, word);
  if (found == names.end()) return std::nullopt;
  return static_cast<int>(found - names.begin());
}

/// Reads a number from `least` to `most`. The number may have an ordinal ending: 7th, 1st.
std::optional<int> number_in(std::string_view word, int least, int most) {
  int number = 0;
  const auto read = std::from_chars(word.data(), word.data() + word.size(), number);
  const std::string_view rest(read.ptr,
                              static_cast<std::size_t>(word.data() + word.size() - read.ptr));
  const bool ends = rest.empty() || is_one_of(rest, {"st", "nd", "rd", "th"});
  if (read.ec != std::errc() || !ends || number < least || number > most) return std::nullopt;
  return number;
}

std::optional<int> year_in(std::string_view word) {
  return word.size() == 4 ? number_in(word, first_year, last_year) : std::nullopt;
}

std::optional<int> whole_month_in(std::string_view word) {
  const auto place = place_in(month_names, word);
  return place ? std::optional(*place + 1) : std::nullopt;
}

/// Accepts the full name or its first three letters; "sept" is not accepted.
std::optional<int> month_in(std::string_view word) {
  for (std::size_t i = 0; i < month_names.size(); ++i)
    if (word.size() == 3 && month_names[i].starts_with(word)) return static_cast<int>(i) + 1;
  return whole_month_in(word);
}

/// Reads a count: "three", "3", "a".
std::optional<int> count_in(std::string_view word) {
  if (is_one_of(word, {"a", "an"})) return 1;
  if (const auto place = place_in(number_names, word)) return *place + 1;
  return number_in(word, 1, 99);
}

/// True if `word` may be `name` with a typing error. The limits are strict, because short names are similar to other
/// words: "Augusta" is not August.
bool is_misspelt(std::string_view word, std::string_view name) {
  constexpr std::size_t exchanged = 6;  // least number of letters for two exchanged letters
  constexpr std::size_t changed = 7;    // least number of letters for a different letter
  if (name.size() < exchanged || !word.starts_with(name.front())) return false;
  if (name.size() < changed && !std::ranges::is_permutation(word, name)) return false;
  return engine::edits_between(engine::code_points(word), engine::code_points(name), 1) == 1;
}

/// Returns the month or day of the week that a misspelt word means, or the word itself.
std::string meant_name(std::string word) {
  for (const std::span<const std::string_view> names :
       {std::span<const std::string_view>(month_names),
        std::span<const std::string_view>(weekday_names)})
    for (const std::string_view name : names)
      if (is_misspelt(word, name)) return std::string(name);
  return word;
}

enum class Unit : std::uint8_t { day, week, month, year };

std::optional<Unit> unit_in(std::string_view word) {
  if (word == "day" || word == "days") return Unit::day;
  if (word == "week" || word == "weeks") return Unit::week;
  if (word == "month" || word == "months") return Unit::month;
  if (word == "year" || word == "years") return Unit::year;
  return std::nullopt;
}

/// A range of days; the last one is included.
struct Days {
  sys_days first;
  sys_days last;
};

Days days_of_month(int of_year, int of_month) {
  const year_month_day begin(year(of_year), month(static_cast<unsigned>(of_month)), day(1));
  return {begin, sys_days(begin + months(1)) - days(1)};
}

/// Returns nullopt for a date that does not exist.
std::optional<Days> days_of(int of_year, int of_month, int of_day) {
  const year_month_day one(year(of_year), month(static_cast<unsigned>(of_month)),
                           day(static_cast<unsigned>(of_day)));
  if (!one.ok()) return std::nullopt;
  return Days{one, one};
}

Days days_of_year(int of_year) {
  return {days_of_month(of_year, 1).first, days_of_month(of_year, 12).last};
}

/// Returns the months of a season of the northern hemisphere, which begins in the given year.
Days days_of_season(int of_year, int first_month) {
  const year_month_day last = year_month_day(days_of_month(of_year, first_month).first) + months(2);
  return {days_of_month(of_year, first_month).first,
          days_of_month(static_cast<int>(last.year()),
                        static_cast<int>(static_cast<unsigned>(last.month())))
              .last};
}

/// The first month of a season.
std::optional<int> season_in(std::string_view word) {
  if (word == "spring") return 3;
  if (word == "summer") return 6;
  if (word == "autumn" || word == "fall") return 9;
  if (word == "winter") return 12;
  return std::nullopt;
}

// A day that the month does not have becomes its last one: a month after January 31 is the end of
// February.
sys_days moved(sys_days from, Unit unit, int count) {
  if (unit == Unit::day) return from + days(count);
  if (unit == Unit::week) return from + days(7 * count);
  const year_month_day date(from);
  year_month_day to = unit == Unit::month ? date + months(count) : date + years(count);
  if (!to.ok()) to = to.year() / to.month() / std::chrono::last;
  return to;
}

/// Returns a period around the time `count` units away. The period is about one unit long: "two weeks ago" is seven
/// days.
Days days_around(sys_days from, Unit unit, int count) {
  const sys_days to = moved(from, unit, count);
  const year_month_day date(to);
  if (unit == Unit::day) return {to, to};
  if (unit == Unit::week) return {to - days(3), to + days(3)};
  if (unit == Unit::month) return {to - days(15), to + days(15)};
  return days_of_year(static_cast<int>(date.year()));
}

/// Returns the calendar day, week (from Monday), month or year that is `count` units after that of `at`.
Days calendar_days(sys_days at, Unit unit, int count) {
  const year_month_day date(at);
  if (unit == Unit::day) return {at + days(count), at + days(count)};
  if (unit == Unit::year) return days_of_year(static_cast<int>(date.year()) + count);
  if (unit == Unit::month) {
    const year_month_day to = year_month_day(date.year(), date.month(), day(1)) + months(count);
    return days_of_month(static_cast<int>(to.year()),
                         static_cast<int>(static_cast<unsigned>(to.month())));
  }
  const sys_days monday = at - (weekday(at) - std::chrono::Monday) + days(7 * count);
  return {monday, monday + days(6)};
}

/// The parts of a date as they are written; 0: not written.
struct WrittenDate {
  int year = 0;
  int month = 0;
  int day = 0;
};

/// Reads the words of one question.
class TimeReader {
 public:
  TimeReader(std::int64_t now, engine::TextWork& work)
      : today_(std::chrono::floor<days>(
            std::chrono::sys_time<std::chrono::microseconds>(std::chrono::microseconds(now)))),
        work_(work) {}

  Status take_words(std::string_view question, bool corrects_spelling) {
    CAIRN_ASSIGN(const auto ranges, engine::break_words(question, work_));
    for (const engine::WordRange& range : ranges) {
      CAIRN_TRY(work_.add(bytes_of_word, words_.capacity() * 2 * sizeof(std::string)));
      auto word = engine::fold_word(question.substr(range.begin, range.end - range.begin));
      words_.push_back(corrects_spelling ? meant_name(std::move(word)) : std::move(word));
    }
    return {};
  }

  Result<std::vector<TimeRange>> read() {
    while (at_ < words_.size()) {
      CAIRN_TRY(work_.add(bytes_of_word, ranges_.capacity() * sizeof(TimeRange)));
      const std::size_t before = at_;
      if (!read_one()) at_ = before + 1;
    }
    return std::move(ranges_);
  }

 private:
  /// The word `offset` words after the current one; empty after the last one.
  [[nodiscard]] std::string_view word(std::size_t offset) const {
    return at_ + offset < words_.size() ? std::string_view(words_[at_ + offset])
                                        : std::string_view();
  }
  [[nodiscard]] std::string_view word_before() const {
    return at_ > 0 ? std::string_view(words_[at_ - 1]) : std::string_view();
  }

  /// Reads the time that begins at this word and moves past it. Returns false if no time begins here.
  bool read_one() {
    return read_between() || read_moved() || read_ago() || read_recent() || read_part_of_month() ||
           read_near() || read_season() || read_named_day() || read_date();
  }

  bool add(const Days& found, std::size_t used) {
    using std::chrono::duration_cast;
    using std::chrono::microseconds;
    ranges_.push_back(
        {duration_cast<microseconds>(found.first.time_since_epoch()).count(),
         duration_cast<microseconds>((found.last + days(1)).time_since_epoch()).count() - 1});
    at_ += used;
    return true;
  }
  /// Adds all these times, and skips `used` words once.
  bool add_all(const std::vector<Days>& found, std::size_t used) {
    for (const Days& one : found) add(one, 0);
    at_ += found.empty() ? 0 : used;
    return !found.empty();
  }

  /// Returns the date that begins `offset` words from here, and its number of words. A month without a day counts only
  /// with a year, or if `is_meant`: the word is then the month and not a name, as May may be.
  [[nodiscard]] std::optional<std::pair<WrittenDate, std::size_t>> date_at(std::size_t offset,
                                                                           bool is_meant) const {
    const auto month = month_in(word(offset));
    const std::size_t of = word(offset + 1) == "of" ? 1 : 0;  // "the 9th of June"
    if (const auto day = number_in(word(offset), 1, 31); day && month_in(word(offset + 1 + of)))
      return with_year({0, *month_in(word(offset + 1 + of)), *day}, offset, 2 + of);
    if (const auto day = number_in(word(offset + 1), 1, 31); month && day)
      return with_year({0, *month, *day}, offset, 2);
    const auto year = year_in(word(offset));
    const auto iso_month = number_in(word(offset + 1), 1, 12);
    const auto iso_day = number_in(word(offset + 2), 1, 31);
    if (year && iso_month && iso_day && word(offset + 1).size() == 2 &&
        word(offset + 2).size() == 2)
      return std::pair(WrittenDate{*year, *iso_month, *iso_day}, std::size_t{3});
    if (month && (year_in(word(offset + 1)) || (is_meant && whole_month_in(word(offset)))))
      return with_year({0, *month, 0}, offset, 1);
    if (year) return std::pair(WrittenDate{*year, 0, 0}, std::size_t{1});
    return std::nullopt;
  }
  [[nodiscard]] std::pair<WrittenDate, std::size_t> with_year(WrittenDate date, std::size_t offset,
                                                              std::size_t used) const {
    const auto year = year_in(word(offset + used));
    date.year = year.value_or(0);
    return {date, used + (year ? 1 : 0)};
  }

  /// The days that a date means.
  [[nodiscard]] std::vector<Days> meant(const WrittenDate& date) const {
    if (date.year == 0) {
      std::vector<Days> all;
      const int last = static_cast<int>(year_month_day(today_).year()) + 1;
      for (int year = last - meant_years + 1; year <= last; ++year)
        for (const Days& one : meant({year, date.month, date.day})) all.push_back(one);
      return all;
    }
    if (date.month == 0) return {days_of_year(date.year)};
    if (date.day == 0) return {days_of_month(date.year, date.month)};
    const auto one = days_of(date.year, date.month, date.day);
    return one ? std::vector{*one} : std::vector<Days>();
  }

  bool read_date() {
    const bool is_meant = is_one_of(word_before(), {"in", "during", "since", "until", "around"});
    const auto found = date_at(0, is_meant);
    return found && add_all(meant(found->first), found->second);
  }

  /// "between 11 August and 15 August 2023", "from 2021 to 2023". A year of the second date counts for the first.
  bool read_between() {
    if (!is_one_of(word(0), {"between", "from"})) return false;
    auto first = date_at(1, true);
    if (!first || !is_one_of(word(1 + first->second), {"and", "to", "until"})) return false;
    const auto second = date_at(2 + first->second, true);
    if (!second) return false;
    const bool takes_year = first->first.year == 0 && second->first.year != 0;
    if (takes_year) first->first.year = second->first.year;
    auto begins = meant(first->first);
    const auto ends = meant(second->first);
    // "from December to February 2024" begins in the year before.
    if (takes_year && !begins.empty() && !ends.empty() && begins[0].first > ends[0].last) {
      --first->first.year;
      begins = meant(first->first);
    }
    return add_all(ranges_between(begins, ends), 2 + first->second + second->second);
  }
  /// Returns the ranges from each begin to the end of the same year. For a range over the new year without a year,
  /// returns the last one that is over.
  [[nodiscard]] std::vector<Days> ranges_between(const std::vector<Days>& begins,
                                                 const std::vector<Days>& ends) const {
    std::vector<Days> all;
    if (begins.size() != ends.size()) return all;
    for (std::size_t i = 0; i < begins.size(); ++i)
      if (begins[i].first <= ends[i].last) all.push_back({begins[i].first, ends[i].last});
    for (std::size_t i = begins.size(); i-- > 1 && all.empty();)
      if (ends[i].last < today_) all.push_back({begins[i - 1].first, ends[i].last});
    return all;
  }

  /// "two weeks before 9 June 2023", "the week before 9 June": with a number, the time that far away; without a number,
  /// the whole period before the date.
  bool read_moved() {
    const auto count = count_in(word(0));
    const std::size_t of_unit = count ? 1 : 0;
    const auto unit = unit_in(word(of_unit));
    const bool is_before = is_one_of(word(of_unit + 1), {"before", "prior"});
    if (!unit || !(is_before || word(of_unit + 1) == "after")) return false;
    const std::size_t offset = of_unit + 2 + (word(of_unit + 2) == "to" ? 1 : 0);
    const auto from = date_at(offset, true);
    if (!from) return false;
    std::vector<Days> all;
    for (const Days& one : meant(from->first))
      all.push_back(
          count ? days_around(is_before ? one.first : one.last, *unit, is_before ? -*count : *count)
                : days_beside(one, *unit, is_before));
    return add_all(all, offset + from->second);
  }
  static Days days_beside(const Days& one, Unit unit, bool is_before) {
    if (is_before) return {moved(one.first, unit, -1), one.first - days(1)};
    return {one.last + days(1), moved(one.last, unit, 1)};
  }

  /// "three weeks ago".
  bool read_ago() {
    const auto count = count_in(word(0));
    const auto unit = unit_in(word(1));
    if (!count || !unit || word(2) != "ago") return false;
    return add(days_around(today_, *unit, -*count), 3);
  }

  /// "the past two months", "the last 3 days": up to today.
  bool read_recent() {
    const auto count = count_in(word(1));
    const auto unit = unit_in(word(2));
    if (!is_one_of(word(0), {"last", "past"}) || !count || !unit) return false;
    return add({moved(today_, *unit, -*count), today_}, 3);
  }

  /// "last week", "this year", "next Friday", "last summer", "last June". "The next day" is relative to a story, and
  /// the "may" of "this may" is not a month.
  bool read_near() {
    const int step = is_one_of(word(0), {"last", "past"})     ? -1
                     : is_one_of(word(0), {"next", "coming"}) ? 1
                                                              : 0;
    const bool is_near = step != 0 || (word(0) == "this" && !is_one_of(word(1), {"may", "march"}));
    if (!is_near) return false;
    if (const auto unit = unit_in(word(1)); unit && *unit != Unit::day)
      return add(calendar_days(today_, *unit, step), 2);
    if (word(1) == "night" && step < 0) return add({today_ - days(1), today_ - days(1)}, 2);
    if (word(1) == "weekend") return add(weekend(step), 2);
    if (const auto place = place_in(weekday_names, word(1)))
      return add(near_weekday(weekday(static_cast<unsigned>(*place)), step), 2);
    const int this_year = static_cast<int>(year_month_day(today_).year());
    if (const auto season = season_in(word(1)))
      return add(nearest([&](int of) { return days_of_season(of, *season); }, this_year, step), 2);
    if (const auto month = whole_month_in(word(1)); month && !year_in(word(2)))
      return add(nearest([&](int of) { return days_of_month(of, *month); }, this_year, step), 2);
    return false;
  }
  /// Returns Saturday and Sunday of this week, or of the week `step` weeks away. On a Sunday, the last weekend is that
  /// of the week before.
  [[nodiscard]] Days weekend(int step) const {
    const Days week = calendar_days(today_, Unit::week, step);
    return {week.last - days(1), week.last};
  }
  /// Returns the last such day before today, the next one after today, or the one of this week.
  [[nodiscard]] Days near_weekday(weekday wanted, int step) const {
    sys_days found = calendar_days(today_, Unit::week, 0).first + (wanted - std::chrono::Monday);
    if (step < 0) found = today_ - days(1) - (weekday(today_ - days(1)) - wanted);
    if (step > 0) found = today_ + days(1) + (wanted - weekday(today_ + days(1)));
    return {found, found};
  }
  /// Returns the last such time that is over, that of this year, or the next one that has not begun.
  template <class OfYear>
  [[nodiscard]] Days nearest(const OfYear& of_year, int this_year, int step) const {
    if (step < 0)
      return of_year(this_year).last < today_       ? of_year(this_year)
             : of_year(this_year - 1).last < today_ ? of_year(this_year - 1)
                                                    : of_year(this_year - 2);
    if (step > 0)
      return of_year(this_year).first > today_ ? of_year(this_year) : of_year(this_year + 1);
    // A winter that began in the previous year may still go on.
    return of_year(this_year - 1).last >= today_ ? of_year(this_year - 1) : of_year(this_year);
  }

  /// "the second week of May 2023", "mid-August 2023", "early June".
  bool read_part_of_month() {
    const auto ordinal = place_in(ordinals, word(0));
    const bool is_last = word(0) == "last";
    const bool is_week = (ordinal || is_last) && word(1) == "week" && word(2) == "of";
    const auto third = place_in(std::array<std::string_view, 3>{"early", "mid", "late"}, word(0));
    if (!is_week && !third) return false;
    const std::size_t offset = is_week ? 3 : 1;
    const auto found = date_at(offset, true);
    if (!found || found->first.month == 0 || found->first.day != 0) return false;
    std::vector<Days> all;
    for (const Days& month : meant(found->first))
      all.push_back(is_week ? week_of(month, ordinal) : third_of(month, *third));
    return add_all(all, offset + found->second);
  }
  static Days week_of(const Days& month, std::optional<int> ordinal) {
    if (!ordinal) return {month.last - days(6), month.last};
    return {month.first + days(7 * *ordinal), month.first + days(7 * *ordinal + 6)};
  }
  static Days third_of(const Days& month, int third) {
    const sys_days first = month.first + days(10 * third);
    return {first, third == 2 ? month.last : first + days(9)};
  }

  /// "summer 2023", "the summer of 2023".
  bool read_season() {
    const auto season = season_in(word(0));
    const std::size_t offset = word(1) == "of" ? 2 : 1;
    const auto of_year = year_in(word(offset));
    if (!season || !of_year) return false;
    return add(days_of_season(*of_year, *season), offset + 1);
  }

  /// "yesterday", "the day before yesterday", "today", "tomorrow".
  bool read_named_day() {
    if (word(0) == "day" && word(1) == "before" && word(2) == "yesterday")
      return add({today_ - days(2), today_ - days(2)}, 3);
    const int step = word(0) == "yesterday" ? -1 : word(0) == "tomorrow" ? 1 : 0;
    if (step == 0 && !is_one_of(word(0), {"today", "tonight"})) return false;
    return add({today_ + days(step), today_ + days(step)}, 1);
  }

  /// What a word costs, as TextWork counts.
  static constexpr std::uint64_t bytes_of_word = 1'024;

  sys_days today_;
  engine::TextWork& work_;
  std::vector<std::string> words_;
  std::size_t at_ = 0;
  std::vector<TimeRange> ranges_;
};

}  // namespace

Result<std::vector<TimeRange>> named_times(std::string_view question, std::int64_t now,
                                           bool corrects_spelling, engine::TextWork& work) {
  TimeReader reader(now, work);
  CAIRN_TRY(reader.take_words(question, corrects_spelling));
  return reader.read();
}

}  // namespace cairn::query
