// Instants as microseconds since 1970 UTC: the form in which dates are compared by filters and kept
// by indexes.
#include "query/functions/moment.hpp"

#include "codec/calendar.hpp"
#include "codec/instant.hpp"

#include <charconv>
#include <string>
#include <utility>

namespace cairn::query {
namespace {

constexpr std::int64_t second = 1'000'000;
constexpr std::int64_t day = 86'400 * second;

constexpr std::pair<std::string_view, std::int64_t> units[] = {
    {"min", 60 * second}, {"h", 3'600 * second}, {"d", day},
    {"w", 7 * day},       {"m", 30 * day},       {"y", 365 * day},
};

/// 0 for a word that is not a unit. ASCII case alone is ignored.
std::int64_t unit_length(std::string_view unit) {
  std::string lower(unit);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  for (const auto& [name, length] : units)
    if (name == lower) return length;
  return 0;
}

// Absent where the numbers do not fit, as well as for other texts.
// Units are of fixed length: a month is 30 days and a year 365, as the source documents have them.
std::optional<std::int64_t> so_long_ago(std::string_view text, std::int64_t now) {
  std::int64_t count = 0;
  const char* end = text.data() + text.size();
  const auto [rest, problem] = std::from_chars(text.data(), end, count);
  if (problem != std::errc() || text.front() == '-') return std::nullopt;
  const std::int64_t unit = unit_length({rest, static_cast<std::size_t>(end - rest)});
  std::int64_t length = 0;
  std::int64_t moment = 0;
  if (unit == 0 || __builtin_mul_overflow(count, unit, &length) ||
      __builtin_sub_overflow(now, length, &moment))
    return std::nullopt;
  return moment;
}

// Rounded down, because nanoseconds are counted upwards from the second. Absent beyond the range.
std::optional<std::int64_t> microseconds(std::int64_t seconds, std::int32_t nanoseconds) {
  std::int64_t result = 0;
  if (__builtin_mul_overflow(seconds, second, &result) ||
      __builtin_add_overflow(result, nanoseconds / 1'000, &result))
    return std::nullopt;
  return result;
}

}  // namespace

// The requirement's text, word for word.
Error invalid_date() {
  return {ErrorCode::invalid_argument,
          "Invalid date format. Use ISO8601 or relative (e.g., \"7d\")", std::nullopt};
}

// Microseconds since 1970. An instant is tried first, since a time ago never looks like one.
Result<std::int64_t> parse_moment(std::string_view text, std::int64_t now) {
  if (text.empty()) return invalid_date();
  if (const auto instant = codec::parse_instant(text)) return *instant;
  if (const auto moment = so_long_ago(text, now)) return *moment;
  return invalid_date();
}

// A local date or time is taken for UTC; a time without a day is not an instant.
std::optional<std::int64_t> instant_of(const Value& value) {
  if (const std::string* text = value.string()) return codec::parse_instant(*text);
  if (const auto* time = value.get_if<DateTime>())
    return microseconds(time->seconds, time->nanoseconds);
  if (const auto* time = value.get_if<LocalDateTime>())
    return microseconds(time->seconds, time->nanoseconds);
  if (const auto* date = value.get_if<Date>()) {
    std::int64_t seconds = 0;
    if (!__builtin_mul_overflow(date->days, std::int64_t{86'400}, &seconds))
      return microseconds(seconds, 0);
  }
  return std::nullopt;
}

Instant instant_at(std::int64_t microseconds) {
  const std::int64_t seconds = codec::floor_divide(microseconds, second);
  return {seconds, static_cast<std::int32_t>(microseconds - seconds * second) * 1'000};
}

std::optional<Instant> exact_instant_of(const Value& value) {
  const auto instant = instant_of(value);
  if (!instant) return std::nullopt;
  if (const auto* time = value.get_if<DateTime>()) return Instant{time->seconds, time->nanoseconds};
  if (const auto* time = value.get_if<LocalDateTime>())
    return Instant{time->seconds, time->nanoseconds};
  return instant_at(*instant);
}

}  // namespace cairn::query
