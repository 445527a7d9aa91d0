// Printing of temporal values in the forms of openCypher, which the parser reads back to the same
// value (a law in the tests). Locale-free: integers alone go through snprintf. Years have four
// digits, and a sign where they are more or negative, as ISO 8601 asks of expanded years.
#include "codec/temporal_text.hpp"

#include "codec/calendar.hpp"

#include <array>
#include <cstdio>

namespace cairn::codec {
namespace {

// 96 bytes hold the longest: three 64-bit numbers and their marks. The format is checked by the
// compiler where it is a literal at the call.
template <class... Numbers>
std::string print(const char* format, Numbers... numbers) {
  std::array<char, 96> buffer{};
  const int size = std::snprintf(buffer.data(), buffer.size(), format, numbers...);
  return std::string(buffer.data(), static_cast<std::size_t>(size));
}

/// ".5" for half a second, empty for none.
std::string fraction_text(std::int64_t nanoseconds) {
  if (nanoseconds == 0) return {};
  std::string digits = print(".%09lld", static_cast<long long>(nanoseconds));
  digits.erase(digits.find_last_not_of('0') + 1);
  return digits;
}

std::string clock_text(std::int64_t second_of_day, std::int64_t nanoseconds) {
  std::string text = print("%02d:%02d", static_cast<int>(second_of_day / 3'600),
                           static_cast<int>(second_of_day / 60 % 60));
  if (second_of_day % 60 == 0 && nanoseconds == 0) return text;
  return text + print(":%02d", static_cast<int>(second_of_day % 60)) + fraction_text(nanoseconds);
}

std::string clock_text(std::int64_t nanoseconds) {
  return clock_text(nanoseconds / nanoseconds_per_second, nanoseconds % nanoseconds_per_second);
}

void append_part(std::string& out, std::int64_t count, char unit) {
  if (count != 0) out += std::to_string(count) + unit;
}

// stored       seconds -1, nanoseconds 500,000,000       =  -0.5 s
// text         -0.5S
/// The time of a duration. The stored fraction counts upwards from `seconds`, also below zero; the
/// text counts away from zero.
std::string duration_time_text(const Duration& value) {
  const bool borrows = value.seconds < 0 && value.nanoseconds > 0;
  const std::int64_t seconds = value.seconds + (borrows ? 1 : 0);
  const std::int64_t fraction =
      borrows ? nanoseconds_per_second - value.nanoseconds : value.nanoseconds;
  std::string out;
  append_part(out, seconds / 3'600, 'H');
  append_part(out, seconds / 60 % 60, 'M');
  const std::int64_t rest = seconds % 60;
  if (rest == 0 && fraction == 0) return out;
  // A whole part of zero cannot carry the sign.
  if (rest == 0 && value.seconds < 0) out += '-';
  return out + std::to_string(rest) + fraction_text(fraction) + "S";
}

}  // namespace

std::string offset_text(std::int64_t seconds) {
  if (seconds == 0) return "Z";
  const auto size = static_cast<int>(seconds < 0 ? -seconds : seconds);
  const std::string text =
      print("%c%02d:%02d", seconds < 0 ? '-' : '+', size / 3'600, size / 60 % 60);
  return size % 60 == 0 ? text : text + print(":%02d", size % 60);
}

std::string temporal_text(const Date& value) {
  const CivilDate date = civil_from_days(value.days);
  const bool is_plain = date.year >= 0 && date.year <= 9'999;  // others need a sign to be read back
  return print(is_plain ? "%04lld-%02u-%02u" : "%+05lld-%02u-%02u",
               static_cast<long long>(date.year), date.month, date.day);
}

std::string temporal_text(const LocalTime& value) { return clock_text(value.nanoseconds); }

std::string temporal_text(const Time& value) {
  return clock_text(value.nanoseconds) + offset_text(value.offset_seconds);
}

std::string temporal_text(const LocalDateTime& value) {
  return temporal_text(Date{floor_divide(value.seconds, seconds_per_day)}) + "T" +
         clock_text(floor_modulo(value.seconds, seconds_per_day), value.nanoseconds);
}

std::string temporal_text(const DateTime& value) {
  // Stored in UTC, shown by its own clock: is_valid() bounds both, so the sum cannot overflow.
  const LocalDateTime local{value.seconds + value.offset_seconds, value.nanoseconds};
  const std::string zone = value.zone.empty() ? "" : "[" + value.zone + "]";
  return temporal_text(local) + offset_text(value.offset_seconds) + zone;
}

std::string temporal_text(const Duration& value) {
  std::string out = "P";
  append_part(out, value.months / 12, 'Y');
  append_part(out, value.months % 12, 'M');
  append_part(out, value.days, 'D');
  const std::string time = duration_time_text(value);
  if (!time.empty()) out += "T" + time;
  return out == "P" ? "PT0S" : out;
}

}  // namespace cairn::codec
