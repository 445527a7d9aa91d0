// Durations from text; the grammar is in temporal_parser.hpp.
//    P[nY][nM][nW][nD][T[nH][nM][nS]]   or   PYYYY-MM-DD[Thh:mm:ss]
// Every number may have a sign and a fraction; a fraction goes on to smaller units
// (duration_parts.cpp).

#include "query/functions/call.hpp"
#include "query/functions/duration_parts.hpp"
#include "query/functions/temporal_parser.hpp"
#include "query/functions/text_cursor.hpp"

#include <array>
#include <charconv>
#include <string>

namespace cairn::query {
namespace {

/// A unit of a duration: its letter and which part it adds how much to.
struct Unit {
  char letter;
  long double FractionalDuration::* part;
  long double size;
};

// M means months before the T and minutes behind it, hence two tables.
constexpr std::array date_units = {
    Unit{'Y', &FractionalDuration::months, 12}, Unit{'M', &FractionalDuration::months, 1},
    Unit{'W', &FractionalDuration::days, 7}, Unit{'D', &FractionalDuration::days, 1}};
constexpr std::array time_units = {Unit{'H', &FractionalDuration::seconds, 3'600},
                                   Unit{'M', &FractionalDuration::seconds, 60},
                                   Unit{'S', &FractionalDuration::seconds, 1}};

/// [sign] digits ["." digits]. A comma may stand for the point.
std::optional<long double> read_number(TextCursor& cursor) {
  std::string text;
  if (cursor.take('-'))
    text = "-";
  else
    cursor.take('+');
  const auto take_digits = [&] {
    const std::size_t count = cursor.digits_ahead();
    text += cursor.rest().substr(0, count);
    cursor.skip(count);
    return count > 0;
  };
  if (!take_digits()) return std::nullopt;
  if (cursor.take('.') || cursor.take(',')) {
    text += '.';
    if (!take_digits()) return std::nullopt;
  }
  long double number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

/// Numbers with units, each unit at most once and in order, up to the end or the T.
/// The order of units is checked by walking once over the table.
template <std::size_t count>
bool read_units(TextCursor& cursor, const std::array<Unit, count>& units, FractionalDuration& sum) {
  std::size_t next = 0;
  while (!cursor.at_end() && !cursor.rest().starts_with('T')) {
    const auto number = read_number(cursor);
    if (!number) return false;
    while (next < count && !cursor.take(units[next].letter)) ++next;
    if (next == count) return false;
    sum.*units[next].part += *number * units[next].size;
    ++next;
  }
  return next > 0;
}

/// Everything behind the P.
bool read_parts(TextCursor& cursor, FractionalDuration& sum) {
  const bool begins_with_time = cursor.rest().starts_with('T');
  if (!begins_with_time && !read_units(cursor, date_units, sum)) return false;
  return !cursor.take('T') || (read_units(cursor, time_units, sum) && cursor.at_end());
}

/// "P2012-02-02T14:37:21.545": as many years, months, days and so on as the date says.
std::optional<FractionalDuration> read_as_date(std::string_view text) {
  TextCursor cursor(text);
  std::array<std::int64_t, 3> date{};
  for (std::size_t i = 0; i < date.size(); ++i) {
    const auto part = cursor.digits(i == 0 ? 4 : 2);
    if (!part || (i < 2 && !cursor.take('-'))) return std::nullopt;
    date[i] = *part;
  }
  FractionalDuration sum{static_cast<long double>(date[0] * 12 + date[1]),
                         static_cast<long double>(date[2]), 0, 0};
  if (!cursor.take('T')) return cursor.at_end() ? std::optional(sum) : std::nullopt;
  const auto time = parse_point(local_time_type, cursor.rest());
  if (!time) return std::nullopt;
  sum.nanoseconds = static_cast<long double>(*time->nanoseconds);
  return sum;
}

/// A sign before the P turns every part round.
void negate(FractionalDuration& sum) {
  sum = {-sum.months, -sum.days, -sum.seconds, -sum.nanoseconds};
}

}  // namespace

// The form of a date is tried first: it begins like years, but no unit follows its digits.
Result<Duration> parse_duration(std::string_view text) {
  TextCursor cursor(text);
  const bool is_negative = cursor.take('-');
  FractionalDuration sum;
  bool is_read = cursor.take('P');
  if (is_read) {
    const auto as_date = read_as_date(cursor.rest());
    if (as_date) sum = *as_date;
    is_read = as_date || read_parts(cursor, sum);
  }
  if (!is_read)
    return Error{ErrorCode::invalid_argument, "not a duration: " + shown(Value(text)), {}};
  if (is_negative) negate(sum);
  return whole_duration(sum);
}

}  // namespace cairn::query
