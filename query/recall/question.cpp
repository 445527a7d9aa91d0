// What a question in words names: texts of one to three words that may be values of properties, and
// dates. Dates are read in English and ISO forms: 7 May 2023, May 7 2023, 2023-05-07, May 2023,
// 2023.
#include "query/recall/question.hpp"

#include "engine/fulltext/stop_words.hpp"
#include "engine/fulltext/word_breaker.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>

namespace cairn::query {
namespace {

using Words = std::vector<std::string_view>;

constexpr std::size_t longest_name = 3;
constexpr int first_year = 1900;
constexpr int last_year = 2100;

Words words_of(std::string_view text) {
  Words words;
  for (const engine::WordRange& word : engine::break_words(text))
    words.push_back(text.substr(word.begin, word.end - word.begin));
  return words;
}

std::optional<int> number_in(std::string_view word, int least, int most) {
  int number = 0;
  const auto read = std::from_chars(word.data(), word.data() + word.size(), number);
  // 7th, 1st
  const std::string_view rest(read.ptr,
                              static_cast<std::size_t>(word.data() + word.size() - read.ptr));
  const bool ends = rest.empty() || rest == "st" || rest == "nd" || rest == "rd" || rest == "th";
  if (read.ec != std::errc() || !ends || number < least || number > most) return std::nullopt;
  return number;
}

std::optional<int> year_in(std::string_view word) {
  return word.size() == 4 ? number_in(word, first_year, last_year) : std::nullopt;
}

/// In full or by three letters, in any case: "sept" is not one.
std::optional<int> month_in(std::string_view word) {
  constexpr std::array<std::string_view, 12> months = {
      "january", "february", "march",     "april",   "may",      "june",
      "july",    "august",   "september", "october", "november", "december"};
  const std::string folded = engine::fold_word(word);
  for (std::size_t i = 0; i < months.size(); ++i)
    if (folded == months[i] || (folded.size() == 3 && months[i].starts_with(folded)))
      return static_cast<int>(i) + 1;
  return std::nullopt;
}

std::int64_t start_of(std::chrono::year_month_day day) {
  return std::chrono::duration_cast<std::chrono::microseconds>(
             std::chrono::sys_days(day).time_since_epoch())
      .count();
}

/// Of a year, of a month in it, or of a day in that; nothing for a day that there is not.
/// First and last microsecond, both included.
std::optional<TimeRange> range_of(int year, std::optional<int> month, std::optional<int> day) {
  using namespace std::chrono;
  const std::chrono::year y(year);
  const std::chrono::month m(static_cast<unsigned>(month.value_or(1)));
  const year_month_day first(y, m, std::chrono::day(static_cast<unsigned>(day.value_or(1))));
  if (!first.ok()) return std::nullopt;
  year_month_day end = first;
  if (day)
    end = year_month_day(sys_days(first) + days(1));
  else if (month)
    end = first + months(1);
  else
    end = first + years(1);
  return TimeRange{start_of(first), start_of(end) - 1};
}

/// Reads a date that begins at a word; `used` says how many words it has.
/// The longest form first, as its parts are dates themselves.
std::optional<TimeRange> date_at(const Words& words, std::size_t at, std::size_t& used) {
  const auto word = [&](std::size_t i) { return at + i < words.size() ? words[at + i] : ""; };
  const auto month = month_in(word(0));
  used = 3;
  if (const auto day = number_in(word(0), 1, 31); day && month_in(word(1)) && year_in(word(2)))
    return range_of(*year_in(word(2)), month_in(word(1)), day);
  if (const auto day = number_in(word(1), 1, 31); month && day && year_in(word(2)))
    return range_of(*year_in(word(2)), month, day);
  const auto iso_month = number_in(word(1), 1, 12);
  const auto iso_day = number_in(word(2), 1, 31);
  if (year_in(word(0)) && iso_month && iso_day && word(1).size() == 2 && word(2).size() == 2)
    return range_of(*year_in(word(0)), iso_month, iso_day);
  used = 2;
  if (month && year_in(word(1))) return range_of(*year_in(word(1)), month, std::nullopt);
  used = 1;
  if (const auto year = year_in(word(0))) return range_of(*year, std::nullopt, std::nullopt);
  return std::nullopt;
}

std::string_view without_possessive(std::string_view word) {
  for (const std::string_view ending : {"'s", "\xe2\x80\x99s"})
    if (word.ends_with(ending)) return word.substr(0, word.size() - ending.size());
  return word;
}

/// A stop word that is not written like a name; at the beginning every word is.
bool is_filling(const Words& words, std::size_t at, std::string_view language) {
  const bool is_capital = words[at].front() >= 'A' && words[at].front() <= 'Z';
  return (at == 0 || !is_capital) && engine::is_stop_word(language, engine::fold_word(words[at]));
}

}  // namespace

// Neither begins nor ends with a filling word. Cut from the question as written, possessives off
// the end.
std::vector<NamedText> named_texts(std::string_view question, std::string_view language) {
  const Words words = words_of(question);
  std::vector<NamedText> texts;
  for (std::size_t first = 0; first < words.size(); ++first) {
    if (is_filling(words, first, language)) continue;
    for (std::size_t count = 1; count <= longest_name && first + count <= words.size(); ++count) {
      if (is_filling(words, first + count - 1, language)) continue;
      const char* const begin = words[first].data();
      const std::string_view last = words[first + count - 1];
      const auto size = static_cast<std::size_t>(last.data() + last.size() - begin);
      texts.push_back({std::string(without_possessive({begin, size})), first, count});
    }
  }
  return texts;
}

// From left to right, and words are used once: "7 May 2023" is one day and not also the month.
std::vector<TimeRange> named_times(std::string_view question) {
  const Words words = words_of(question);
  std::vector<TimeRange> ranges;
  for (std::size_t at = 0; at < words.size();) {
    std::size_t used = 1;
    const auto range = date_at(words, at, used);
    if (range) ranges.push_back(*range);
    at += range ? used : 1;
  }
  return ranges;
}

}  // namespace cairn::query
