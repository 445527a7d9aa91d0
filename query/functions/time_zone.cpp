// Time zones: offsets, and named zones by ICU's copy of the IANA database. The second half converts values and texts
// to instants.
#include "query/functions/time_zone.hpp"

#include "codec/instant.hpp"

#include <cairn/time_span.hpp>

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

/// The longest names of zones have about 30 bytes. Longer texts are not looked up, so that the cache stays small.
constexpr std::size_t most_zone_name_bytes = 128;

/// Returns nullptr for a name that is not in the database. For such a name, ICU returns its "unknown" zone.
ZonePtr make_zone(const std::string& name) {
  const auto id = icu::UnicodeString::fromUTF8(name);
  std::unique_ptr<icu::TimeZone> zone(icu::TimeZone::createTimeZone(id));
  if (!zone || *zone == icu::TimeZone::getUnknown()) return nullptr;
  // Every zone of ICU is a BasicTimeZone (unicode/basictz.h).
  return ZonePtr(static_cast<icu::BasicTimeZone*>(zone.release()));
}

/// Returns a zone from the cache of this thread. Making a zone reads the database.
const icu::BasicTimeZone* find_zone(const std::string& name) {
  // The database has about 600 names; unknown names are cached, too.
  constexpr std::size_t most_zones = 1'024;
  thread_local std::unordered_map<std::string, ZonePtr> zones;
  if (name.size() > most_zone_name_bytes) return nullptr;
  if (zones.size() >= most_zones) zones.clear();
  const auto [found, is_new] = zones.try_emplace(name);
  if (is_new) found->second = make_zone(name);
  return found->second.get();
}

constexpr std::int64_t seconds_per_era = 146'097 * codec::seconds_per_day;  // 400 years

/// Maps an instant to one with the same offset for which ICU is exact: ICU uses doubles for milliseconds and 32 bits
/// for years. Rules repeat every 400 years, and no rule applies before year 1.
double within_reach(std::int64_t seconds) {
  constexpr std::int64_t year_1 = codec::days_from_civil({1, 1, 1}) * codec::seconds_per_day;
  constexpr std::int64_t year_4000 = codec::days_from_civil({4'000, 1, 1}) * codec::seconds_per_day;
  if (seconds < year_1) seconds = year_1;
  if (seconds > year_4000) seconds = year_4000 + (seconds - year_4000) % seconds_per_era;
  return static_cast<double>(seconds) * 1'000;
}

/// Returns the sum of ICU's two parts of an offset, standard time and daylight saving, in seconds instead of
/// milliseconds.
std::int32_t seconds_of(std::int32_t raw, std::int32_t daylight) {
  return (raw + daylight) / 1'000;
}

/// Returns the offset for a local time. If the clocks skip or repeat it, the offset before the change is used, as in
/// java.time: a repeated time is the earlier one, and a skipped time is moved forward.
std::int32_t offset_at_local(const icu::BasicTimeZone& zone, std::int64_t local_seconds) {
  std::int32_t raw = 0;
  std::int32_t daylight = 0;
  UErrorCode error = U_ZERO_ERROR;
  zone.getOffsetFromLocal(within_reach(local_seconds), UCAL_TZ_LOCAL_FORMER, UCAL_TZ_LOCAL_FORMER,
                          raw, daylight, error);
  return seconds_of(raw, daylight);
}

/// Reads two digits from the front of `text`; returns nullopt if they are missing.
std::optional<std::int32_t> take_two_digits(std::string_view& text) {
  std::int32_t number = 0;
  if (text.size() < 2) return std::nullopt;
  const auto [end, error] = std::from_chars(text.data(), text.data() + 2, number);
  if (error != std::errc() || end != text.data() + 2 || text[0] == '-') return std::nullopt;
  text.remove_prefix(2);
  return number;
}

}  // namespace

// Reads units of two digits, with or without colons. Only the first unit is required.
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

// Tries an offset first: no name in the database begins with a sign.
Result<Zone> parse_zone(std::string_view text) {
  if (const auto offset = parse_offset(text)) return Zone{"", *offset};
  Zone zone{std::string(text), {}};
  if (find_zone(zone.name)) return zone;
  return Error{ErrorCode::invalid_argument,
               "no time zone is called '" + zone.name.substr(0, most_zone_name_bytes) +
                   "': give a name such as 'Europe/Stockholm' or an offset such as '+01:00'",
               {}};
}

// An unknown name can only come from stored data that was written with a newer database. Then the stored offset is the
// best guess.
std::int32_t offset_at(const Zone& zone, std::int64_t instant) {
  const icu::BasicTimeZone* found = zone.name.empty() ? nullptr : find_zone(zone.name);
  if (!found) return zone.offset_seconds.value_or(0);
  std::int32_t raw = 0;
  std::int32_t daylight = 0;
  UErrorCode error = U_ZERO_ERROR;
  found->getOffset(within_reach(instant), false, raw, daylight, error);
  return seconds_of(raw, daylight);
}

// Refuses an offset instead of a name, because the value would have and print its offset twice.
Result<std::int32_t> named_zone_offset(std::string_view name, std::int64_t instant) {
  CAIRN_ASSIGN(const Zone zone, parse_zone(name));
  if (!zone.name.empty()) return offset_at(zone, instant);
  return Error{
      ErrorCode::invalid_argument,
      "'" + std::string(name) +
          "' is an offset and not the name of a time zone: send a datetime with an offset instead",
      {}};
}

// Shows the same instant in another zone.
DateTime in_zone(std::int64_t instant, std::int32_t nanoseconds, const Zone& zone) {
  return {instant, nanoseconds, offset_at(zone, instant), zone.name};
}

// Tries the given offset first: it distinguishes two instants with the same local time.
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

// Returns the local time in the zone of the value.
LocalDateTime local_of(const DateTime& value) {
  return {value.seconds + value.offset_seconds, value.nanoseconds};
}

// Instants in microseconds since 1970 UTC, the form in which filters compare dates and indexes store them.

namespace {

constexpr std::int64_t second = 1'000'000;

/// A relative time such as "7d". Returns nullopt for other texts, and if the result does not fit into 64 bits.
std::optional<std::int64_t> so_long_ago(std::string_view text, std::int64_t now) {
  const auto span = to_time_span(text);
  std::int64_t moment = 0;
  if (!span || __builtin_sub_overflow(now, span->count(), &moment)) return std::nullopt;
  return moment;
}

// Rounds down, because nanoseconds count upwards from the second. Returns nullopt on overflow.
std::optional<std::int64_t> microseconds(std::int64_t seconds, std::int32_t nanoseconds) {
  std::int64_t result = 0;
  if (__builtin_mul_overflow(seconds, second, &result) ||
      __builtin_add_overflow(result, nanoseconds / 1'000, &result))
    return std::nullopt;
  return result;
}

}  // namespace

// The wording is part of the specified interface and must not change.
Error invalid_date() {
  return {ErrorCode::invalid_argument,
          "Invalid date format. Use ISO8601 or relative (e.g., \"7d\")", std::nullopt};
}

// Tries an instant first, since it never looks like a relative time.
Result<std::int64_t> parse_moment(std::string_view text, std::int64_t now) {
  if (text.empty()) return invalid_date();
  if (const auto instant = codec::parse_instant(text)) return *instant;
  if (const auto moment = so_long_ago(text, now)) return *moment;
  return invalid_date();
}

// A local date or time is taken as UTC. A time without a date is not an instant.
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

// Uses the range check of instant_of(), and then adds the nanoseconds that it drops.
std::optional<Instant> exact_instant_of(const Value& value) {
  const auto instant = instant_of(value);
  if (!instant) return std::nullopt;
  if (const auto* time = value.get_if<DateTime>()) return Instant{time->seconds, time->nanoseconds};
  if (const auto* time = value.get_if<LocalDateTime>())
    return Instant{time->seconds, time->nanoseconds};
  return instant_at(*instant);
}

}  // namespace cairn::query
