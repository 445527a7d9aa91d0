// Parser of ISO 8601 in the form of openCypher: basic and extended forms; week, quarter and ordinal dates; reduced
// precision; a zone as an offset or as a name in brackets. The parser is written by hand, because counting the next
// digits is the only lookahead that it needs. The second half parses durations.
#include "codec/instant.hpp"
#include "codec/value_text.hpp"
#include "query/functions/call.hpp"
#include "query/functions/temporal_fields.hpp"
#include "query/functions/temporal_operations.hpp"
#include "query/functions/temporal_parts.hpp"
#include "query/functions/text_cursor.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <string>

namespace cairn::query {
namespace {

/// The error for a text. `reason` is empty if the form of the text is wrong.
Error not_readable(std::string_view type, std::string_view text, std::string_view reason) {
  return {ErrorCode::invalid_argument,
          "not a " + std::string(type) + ": " + shown(Value(text)) +
              (reason.empty() ? "" : ": " + std::string(reason)),
          {}};
}

/// Reads a number of exactly `digits` digits into a field.
bool read(TextCursor& cursor, PointFields& fields, std::string_view field, std::size_t digits) {
  const auto number = cursor.digits(digits);
  if (number) fields.set(field, *number);
  return number.has_value();
}

/// Without a sign a year has four digits. With a sign it may have up to ten digits; the range check refuses more than
/// nine.
bool read_year(TextCursor& cursor, PointFields& fields) {
  const bool is_negative = cursor.take('-');
  const bool is_signed = is_negative || cursor.take('+');
  const auto year = cursor.digits(is_signed ? std::min<std::size_t>(cursor.digits_ahead(), 10) : 4);
  if (year) fields.set("year", is_negative ? -*year : *year);
  return year.has_value();
}

/// Reads the optional day after a week, quarter or month. The separator must be used here if it was used before.
bool read_day(TextCursor& cursor, PointFields& fields, bool is_extended, std::string_view field,
              std::size_t digits) {
  if (cursor.at_end()) return true;
  return cursor.take('-') == is_extended && read(cursor, fields, field, digits);
}

/// The first separator decides between the basic and the extended form. Mixed forms are refused, as in ISO 8601.
bool read_date(TextCursor& cursor, PointFields& fields) {
  if (!read_year(cursor, fields)) return false;
  if (cursor.at_end()) return true;
  const bool is_extended = cursor.take('-');
  if (cursor.take('W'))
    return read(cursor, fields, "week", 2) && read_day(cursor, fields, is_extended, "dayOfWeek", 1);
  if (cursor.take('Q'))
    return read(cursor, fields, "quarter", 1) &&
           read_day(cursor, fields, is_extended, "dayOfQuarter", 2);
  if (cursor.digits_ahead() == 3) return read(cursor, fields, "ordinalDay", 3);
  return read(cursor, fields, "month", 2) && read_day(cursor, fields, is_extended, "day", 2);
}

/// Reads up to nine digits after the decimal point, in units of 10^-9.
std::optional<std::int64_t> read_fraction(TextCursor& cursor) {
  const std::size_t digits = cursor.digits_ahead();
  if (digits > 9) return std::nullopt;
  auto number = cursor.digits(digits);
  for (std::size_t i = digits; number && i < 9; ++i) *number *= 10;
  return number;
}

/// Colons follow the same rule as the separators of dates. Minutes and seconds are optional.
bool read_time(TextCursor& cursor, PointFields& fields) {
  if (!read(cursor, fields, "hour", 2)) return false;
  if (cursor.at_end()) return true;
  const bool is_extended = cursor.take(':');
  if (!read(cursor, fields, "minute", 2)) return false;
  if (cursor.at_end()) return true;
  if (cursor.take(':') != is_extended || !read(cursor, fields, "second", 2)) return false;
  if (cursor.at_end()) return true;
  if (!cursor.take('.') && !cursor.take(',')) return false;
  const auto fraction = read_fraction(cursor);
  if (fraction) fields.set("nanosecond", *fraction);
  return fraction.has_value();
}

/// "+02:00[Europe/Stockholm]" is a named zone with an offset, which distinguishes local times that occur twice.
Result<std::optional<Zone>> read_zone(std::string_view text) {
  if (text.empty()) return std::optional<Zone>();
  const std::size_t bracket = text.find('[');
  if (bracket == std::string_view::npos) {
    CAIRN_ASSIGN(Zone zone, parse_zone(text));
    return std::optional(std::move(zone));
  }
  if (!text.ends_with(']'))
    return Error{ErrorCode::invalid_argument, "the name of the time zone does not end with ]", {}};
  CAIRN_ASSIGN(Zone zone, parse_zone(text.substr(bracket + 1, text.size() - bracket - 2)));
  if (bracket > 0 && !zone.name.empty()) {
    zone.offset_seconds = parse_offset(text.substr(0, bracket));
    if (!zone.offset_seconds)
      return Error{ErrorCode::invalid_argument,
                   "the text '" + std::string(text.substr(0, bracket)) +
                       "' before [ is not an offset such as +01:00",
                   {}};
  }
  return std::optional(std::move(zone));
}

/// Refuses an offset that the named zone does not have at this time. Without this check the value would silently be
/// off by an hour or more.
Status check_offset(const TemporalParts& parts) {
  if (!parts.zone || parts.zone->name.empty() || !parts.zone->offset_seconds) return {};
  if (!parts.days || !parts.nanoseconds) return {};
  const std::int32_t offset = *parts.zone->offset_seconds;
  const LocalDateTime local = local_date_time(*parts.days, *parts.nanoseconds);
  const std::int32_t real = at_zone(local, *parts.zone).offset_seconds;
  if (real == offset) return {};
  return Error{ErrorCode::invalid_argument,
               parts.zone->name + " has the offset " + codec::offset_text(real) +
                   " at that time, not " + codec::offset_text(offset),
               {}};
}

/// The pieces of a text, which are parsed separately.
struct Pieces {
  std::string_view date;
  std::string_view time;
  std::string_view zone;
};

/// The date ends at the T. The zone begins at a sign, Z or bracket after it, because a time has none of these.
Pieces cut(const PointType& type, std::string_view text) {
  Pieces pieces;
  if (type.has_date) {
    const std::size_t mark = type.has_time ? text.find('T') : std::string_view::npos;
    pieces.date = text.substr(0, mark);
    if (mark == std::string_view::npos) return pieces;
    text.remove_prefix(mark + 1);
  }
  const std::size_t zone = std::min(text.find_first_of("Zz+-["), text.size());
  pieces.time = text.substr(0, zone);
  pieces.zone = text.substr(zone);
  return pieces;
}

}  // namespace

// Checks the form before the numbers, so that the message can say which of them is wrong.
Result<TemporalParts> parse_point(const PointType& type, std::string_view text) {
  const auto fail = [&](std::string_view reason) { return not_readable(type.name, text, reason); };
  const Pieces pieces = cut(type, text);
  PointFields fields;
  TextCursor date(pieces.date);
  TextCursor time(pieces.time);
  const bool has_time = !type.has_date || pieces.date.size() < text.size();
  if (type.has_date && !(read_date(date, fields) && date.at_end())) return fail("");
  if (has_time && !(read_time(time, fields) && time.at_end())) return fail("");
  if (!type.has_zone && !pieces.zone.empty()) return fail("it must not have a time zone");
  auto zone = read_zone(pieces.zone);
  if (!zone) return fail(zone.error().message);
  TemporalParts parts;
  parts.zone = *std::move(zone);
  if (type.has_date) {
    auto days = fields.days({});
    if (!days) return fail(days.error().message);
    parts.days = *days;
  }
  if (has_time) {
    auto nanoseconds = fields.nanoseconds({});
    if (!nanoseconds) return fail(nanoseconds.error().message);
    parts.nanoseconds = *nanoseconds;
  }
  if (const auto checked = check_offset(parts); !checked) return fail(checked.error().message);
  return parts;
}

// Durations from texts; temporal_operations.hpp has the grammar:
//
//    P[nY][nM][nW][nD][T[nH][nM][nS]]   or   PYYYY-MM-DD[Thh:mm:ss]
//
// Each number may have a sign and a fraction. whole_duration() carries fractions to smaller units.

namespace {

/// A unit of a duration: its letter, the part to which it adds, and its size in units of that part.
struct Unit {
  char letter;
  long double FractionalDuration::* part;
  long double size;
};

// M means months before the T and minutes after the T, so there are two tables.
constexpr std::array duration_date_units = {
    Unit{'Y', &FractionalDuration::months, 12}, Unit{'M', &FractionalDuration::months, 1},
    Unit{'W', &FractionalDuration::days, 7}, Unit{'D', &FractionalDuration::days, 1}};
constexpr std::array duration_time_units = {Unit{'H', &FractionalDuration::seconds, 3'600},
                                            Unit{'M', &FractionalDuration::seconds, 60},
                                            Unit{'S', &FractionalDuration::seconds, 1}};

/// A number as whole and fraction. A long double represents each of them exactly, but not their sum.
struct WrittenNumber {
  long double whole = 0;
  long double fraction = 0;  // has the sign of `whole`
};

/// Reads [sign] digits ["." digits]. A comma is accepted instead of the point.
std::optional<WrittenNumber> read_number(TextCursor& cursor) {
  const bool is_negative = cursor.take('-');
  if (!is_negative) cursor.take('+');
  // If the number overflows, the result is `largest`, which is refused later as too long.
  const auto take_digits = [&](std::string text,
                               long double largest) -> std::optional<long double> {
    const std::size_t count = cursor.digits_ahead();
    if (count == 0) return std::nullopt;
    text += cursor.rest().substr(0, count);
    cursor.skip(count);
    long double number = largest;
    std::from_chars(text.data(), text.data() + text.size(), number);
    return is_negative ? -number : number;
  };
  const auto whole = take_digits("", std::numeric_limits<long double>::infinity());
  if (!whole) return std::nullopt;
  if (!cursor.take('.') && !cursor.take(',')) return WrittenNumber{*whole, 0};
  const auto fraction = take_digits("0.", 0);
  if (!fraction) return std::nullopt;
  return WrittenNumber{*whole, *fraction};
}

/// Adds the fraction of a second as nanoseconds, because a large number of seconds would absorb it.
void add(FractionalDuration& sum, const Unit& unit, const WrittenNumber& number) {
  sum.*unit.part += number.whole * unit.size;
  long double rest = number.fraction * unit.size;
  if (unit.part == &FractionalDuration::seconds) {
    const long double seconds = std::trunc(rest);
    sum.nanoseconds += (rest - seconds) * static_cast<long double>(codec::nanoseconds_per_second);
    rest = seconds;
  }
  sum.*unit.part += rest;
}

/// Reads numbers with units up to the end or the T. Each unit may occur once, in the order of the table.
template <std::size_t count>
bool read_units(TextCursor& cursor, const std::array<Unit, count>& units, FractionalDuration& sum) {
  std::size_t next = 0;
  while (!cursor.at_end() && !cursor.rest().starts_with('T')) {
    const auto number = read_number(cursor);
    if (!number) return false;
    while (next < count && !cursor.take(units[next].letter)) ++next;
    if (next == count) return false;
    add(sum, units[next], *number);
    ++next;
  }
  return next > 0;
}

/// Reads everything after the P.
bool read_parts(TextCursor& cursor, FractionalDuration& sum) {
  const bool begins_with_time = cursor.rest().starts_with('T');
  if (!begins_with_time && !read_units(cursor, duration_date_units, sum)) return false;
  return !cursor.take('T') || (read_units(cursor, duration_time_units, sum) && cursor.at_end());
}

/// Reads the form "P2012-02-02T14:37:21.545", whose numbers are amounts of years, months, days and so on.
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

/// A sign before the P negates all parts.
void negate(FractionalDuration& sum) {
  sum = {-sum.months, -sum.days, -sum.seconds, -sum.nanoseconds};
}

}  // namespace

// Tries the form of a date first: it begins with digits like a number of years, but no unit follows them.
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
