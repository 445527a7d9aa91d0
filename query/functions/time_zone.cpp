// Offsets and named zones by ICU's copy of the IANA database. A zone without a name is its offset
// alone. And instants as microseconds, from texts and values.
#include "query/functions/time_zone.hpp"

#include "codec/instant.hpp"

#include <unicode/basictz.h>
#include <unicode/unistr.h>

#include <array>
#include <charconv>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>

namespace cairn::query {
namespace {

using ZonePtr = std::unique_ptr<icu::BasicTimeZone>;

/// The longest names have some thirty bytes. What is longer is not a name and is not cached.
constexpr std::size_t most_zone_name_bytes = 128;

/// Null for a name that is not in the database. ICU answers those with a zone called unknown.
ZonePtr make_zone(const std::string& name) {
  const auto id = icu::UnicodeString::fromUTF8(name);
  std::unique_ptr<icu::TimeZone> zone(icu::TimeZone::createTimeZone(id));
  if (!zone || *zone == icu::TimeZone::getUnknown()) return nullptr;
  // All zones of ICU are basic ones (unicode/basictz.h).
  return ZonePtr(static_cast<icu::BasicTimeZone*>(zone.release()));
}

/// Zones of this thread, made once: making one reads the database.
const icu::BasicTimeZone* find_zone(const std::string& name) {
  constexpr std::size_t most_zones = 1'024;  // there are about 600 names; misspelt ones count too
  thread_local std::unordered_map<std::string, ZonePtr> zones;
  if (name.size() > most_zone_name_bytes) return nullptr;
  if (zones.size() >= most_zones) zones.clear();
  const auto [found, is_new] = zones.try_emplace(name);
  if (is_new) found->second = make_zone(name);
  return found->second.get();
}

constexpr std::int64_t seconds_per_era = 146'097 * codec::seconds_per_day;  // 400 years

/// An instant with the same offset that ICU counts exactly: its milliseconds are doubles and its
/// years 32-bit. Rules repeat every 400 years, and before year 1 none of them has ever applied.
double within_reach(std::int64_t seconds) {
  constexpr std::int64_t year_1 = codec::days_from_civil({1, 1, 1}) * codec::seconds_per_day;
  constexpr std::int64_t year_4000 = codec::days_from_civil({4'000, 1, 1}) * codec::seconds_per_day;
  if (seconds < year_1) seconds = year_1;
  if (seconds > year_4000) seconds = year_4000 + (seconds - year_4000) % seconds_per_era;
  return static_cast<double>(seconds) * 1'000;
}

/// ICU counts milliseconds and keeps daylight saving apart.
std::int32_t seconds_of(std::int32_t raw, std::int32_t daylight) {
  return (raw + daylight) / 1'000;
}

/// The offset that holds before a change of the clocks, for local times that it skips or repeats.
/// As java.time does: of an hour that is shown twice the earlier one, of a skipped one the time
/// after it.
std::int32_t offset_at_local(const icu::BasicTimeZone& zone, std::int64_t local_seconds) {
  std::int32_t raw = 0;
  std::int32_t daylight = 0;
  UErrorCode error = U_ZERO_ERROR;
  zone.getOffsetFromLocal(within_reach(local_seconds), UCAL_TZ_LOCAL_FORMER, UCAL_TZ_LOCAL_FORMER,
                          raw, daylight, error);
  return seconds_of(raw, daylight);
}

/// Two digits from the front of `text`; nullopt if absent.
std::optional<std::int32_t> take_two_digits(std::string_view& text) {
  std::int32_t number = 0;
  if (text.size() < 2) return std::nullopt;
  const auto [end, error] = std::from_chars(text.data(), text.data() + 2, number);
  if (error != std::errc() || end != text.data() + 2 || text[0] == '-') return std::nullopt;
  text.remove_prefix(2);
  return number;
}

}  // namespace

// Units of two digits, with colons or without; the first one is needed.
std::optional<std::int32_t> parse_offset(std::string_view text) {
  if (text == "Z" || text == "z") return 0;
  if (text.empty() || (text[0] != '+' && text[0] != '-')) return std::nullopt;
  const std::int32_t sign = text[0] == '-' ? -1 : 1;
  text.remove_prefix(1);
  std::int32_t total = 0;
  for (std::int32_t unit : {3'600, 60, 1}) {
    if (text.empty() && unit != 3'600) break;
    if (unit != 3'600 && text[0] == ':') text.remove_prefix(1);
    const auto part = take_two_digits(text);
    if (!part || (unit != 3'600 && *part > 59)) return std::nullopt;
    total += *part * unit;
  }
  if (!text.empty() || total > codec::max_offset_seconds) return std::nullopt;
  return sign * total;
}

// An offset is tried first: no name in the database begins with a sign.
Result<Zone> parse_zone(std::string_view text) {
  if (const auto offset = parse_offset(text)) return Zone{"", *offset};
  Zone zone{std::string(text), {}};
  if (find_zone(zone.name)) return zone;
  return Error{ErrorCode::invalid_argument,
               "no time zone is called '" + zone.name.substr(0, most_zone_name_bytes) +
                   "': give a name such as 'Europe/Stockholm' or an offset such as '+01:00'",
               {}};
}

// A name that is not in the database cannot come here from a text, but from stored data written by
// a newer database; its recorded offset is the best answer then.
std::int32_t offset_at(const Zone& zone, std::int64_t instant) {
  const icu::BasicTimeZone* found = zone.name.empty() ? nullptr : find_zone(zone.name);
  if (!found) return zone.offset_seconds.value_or(0);
  std::int32_t raw = 0;
  std::int32_t daylight = 0;
  UErrorCode error = U_ZERO_ERROR;
  found->getOffset(within_reach(instant), false, raw, daylight, error);
  return seconds_of(raw, daylight);
}

// With an offset for a name the value would say its offset twice, and print both.
Result<std::int32_t> named_zone_offset(std::string_view name, std::int64_t instant) {
  CAIRN_ASSIGN(const Zone zone, parse_zone(name));
  if (!zone.name.empty()) return offset_at(zone, instant);
  return Error{ErrorCode::invalid_argument,
               "'" + std::string(name) +
                   "' is an offset and no time zone: send a datetime with an offset instead",
               {}};
}

// An instant is the same everywhere; only what clocks show differs.
DateTime in_zone(std::int64_t instant, std::int32_t nanoseconds, const Zone& zone) {
  return {instant, nanoseconds, offset_at(zone, instant), zone.name};
}

// The zone's own offset is tried first: among two instants that clocks show alike it decides.
DateTime at_zone(const LocalDateTime& local, const Zone& zone) {
  if (zone.offset_seconds) {
    const std::int64_t instant = local.seconds - *zone.offset_seconds;
    if (offset_at(zone, instant) == *zone.offset_seconds)
      return in_zone(instant, local.nanoseconds, zone);
  }
  const icu::BasicTimeZone* found = zone.name.empty() ? nullptr : find_zone(zone.name);
  const std::int32_t offset = found ? offset_at_local(*found, local.seconds) : 0;
  return in_zone(local.seconds - offset, local.nanoseconds, zone);
}

Zone zone_of(const DateTime& value) { return {value.zone, value.offset_seconds}; }

// What the clocks of the value's zone show.
LocalDateTime local_of(const DateTime& value) {
  return {value.seconds + value.offset_seconds, value.nanoseconds};
}

// Instants as microseconds since 1970 UTC: the form in which dates are compared by filters and stored
// by indexes.

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
