// Offsets and named zones by ICU's copy of the IANA database. A zone without a name is its offset
// alone.
#include "query/functions/time_zone.hpp"

#include "codec/temporal_order.hpp"

#include <unicode/basictz.h>
#include <unicode/unistr.h>

#include <array>
#include <charconv>
#include <memory>
#include <unordered_map>

namespace cairn::query {
namespace {

using ZonePtr = std::unique_ptr<icu::BasicTimeZone>;

/// The longest names have some thirty bytes. What is longer is not a name and is not kept.
constexpr std::size_t most_zone_name_bytes = 128;

/// Null for a name that is not in the database. ICU answers those with a zone called unknown.
ZonePtr make_zone(const std::string& name) {
  const auto id = icu::UnicodeString::fromUTF8(name);
  std::unique_ptr<icu::TimeZone> zone(icu::TimeZone::createTimeZone(id));
  if (!zone || *zone == icu::TimeZone::getUnknown()) return nullptr;
  return ZonePtr(dynamic_cast<icu::BasicTimeZone*>(zone.release()));
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

}  // namespace cairn::query
