// Temporal values from maps. Numeric fields change the parts that other entries select:
//
//    {year, month, day, hour, ...}      fields      {date: d, time: t, datetime: x}  parts of values
//    {timezone: 'Europe/Stockholm'}     the zone    {epochSeconds: s}                an instant
#include "query/functions/call.hpp"
#include "query/functions/temporal_operations.hpp"
#include "query/functions/temporal_parts.hpp"

#include <algorithm>
#include <array>

namespace cairn::query {
namespace {

// The error for a map entry of a wrong type.
Error wrong_entry(std::string_view function, std::string_view expected, std::string_view key,
                  const Value& value) {
  return {ErrorCode::type_error,
          std::string(function) + "() needs " + std::string(expected) + " as " + std::string(key) +
              ", got " + described(value),
          {}};
}

/// The content of a map: parts selected from other values, the requested zone, and numeric fields.
struct Selection {
  TemporalParts base;
  std::optional<Zone> zone;
  PointFields fields;
};

/// Reads one special entry of the map into the selection.
using Selector = Status (*)(const PointType& type, std::string_view key, const Value& value,
                            Selection& selection);

/// Takes the date of any value that has one, without its time and zone.
Status select_date(const PointType& type, std::string_view key, const Value& value,
                   Selection& selection) {
  const auto parts = parts_of(value);
  if (!parts || !parts->days) return wrong_entry(type.name, "a value with a date", key, value);
  selection.base.days = parts->days;
  return {};
}

/// Takes the time with its zone, since a time without its zone is ambiguous.
Status select_time(const PointType& type, std::string_view key, const Value& value,
                   Selection& selection) {
  const auto parts = parts_of(value);
  if (!parts || !parts->nanoseconds)
    return wrong_entry(type.name, "a value with a time", key, value);
  selection.base.nanoseconds = parts->nanoseconds;
  selection.base.zone = parts->zone;
  return {};
}

/// Takes date and time from one value.
Status select_date_time(const PointType& type, std::string_view key, const Value& value,
                        Selection& selection) {
  CAIRN_TRY(select_date(type, key, value, selection));
  return select_time(type, key, value, selection);
}

/// Stores the zone separately: whether it converts the time or only sets the zone depends on the base.
Status select_zone(const PointType& type, std::string_view key, const Value& value,
                   Selection& selection) {
  if (!value.string()) return wrong_entry(type.name, "a string", key, value);
  CAIRN_ASSIGN(selection.zone, parse_zone(value.as_string()));
  return {};
}

/// Takes an instant in units of 1 / per_second seconds.
template <std::int64_t per_second>
Status select_epoch(const PointType& type, std::string_view key, const Value& value,
                    Selection& selection) {
  const auto* count = value.get_if<std::int64_t>();
  if (!count) return wrong_entry(type.name, "an integer", key, value);
  const DateTime instant{codec::floor_divide(*count, per_second),
                         static_cast<std::int32_t>(codec::floor_modulo(*count, per_second) *
                                                   (codec::nanoseconds_per_second / per_second)),
                         0, ""};
  CAIRN_TRY(checked(instant));
  selection.base = *parts_of(instant);
  return {};
}

/// A special entry, and the parts that a type must have for it.
struct SpecialKey {
  std::string_view name;
  bool needs_date;
  bool needs_time;
  bool needs_zone;
  Selector select;
};

// A zone needs a type with a zone, and an epoch needs a type that denotes an instant.
constexpr SpecialKey special_keys[] = {
    {"date", true, false, false, select_date},
    {"time", false, true, false, select_time},
    {"datetime", true, true, false, select_date_time},
    {"timezone", false, true, true, select_zone},
    {"epochSeconds", true, true, true, select_epoch<1>},
    {"epochMillis", true, true, true, select_epoch<1'000>},
};

/// Returns nullptr for a numeric field, and for a special key of another type. The caller refuses such a key as an
/// unknown field.
const SpecialKey* find_special(const PointType& type, std::string_view key) {
  const auto* found = std::ranges::find(special_keys, key, &SpecialKey::name);
  if (found == std::end(special_keys)) return nullptr;
  const bool fits = (type.has_date || !found->needs_date) &&
                    (type.has_time || !found->needs_time) && (type.has_zone || !found->needs_zone);
  return fits ? found : nullptr;
}

/// Reads all entries before a value is built, because the entries of a map have no order.
Result<Selection> read_map(const PointType& type, const Map& map, TemporalParts base) {
  Selection selection{std::move(base), {}, {}};
  for (const auto& [key, value] : map) {
    if (const SpecialKey* special = find_special(type, key))
      CAIRN_TRY(special->select(type, key, value, selection));
    else
      CAIRN_TRY(selection.fields.put(type, key, value));
  }
  return selection;
}

/// Returns the selected parts, changed by the numeric fields.
Result<TemporalParts> with_fields(const PointType& type, const Selection& selection,
                                  Fraction fraction) {
  TemporalParts parts = selection.base;
  if (type.has_date) {
    CAIRN_ASSIGN(parts.days, selection.fields.days(parts.days));
  }
  if (type.has_time) {
    CAIRN_ASSIGN(parts.nanoseconds, selection.fields.nanoseconds(parts.nanoseconds, fraction));
  }
  return parts;
}

/// A key of a duration: the part to which it adds, and its size in units of that part.
struct DurationKey {
  std::string_view name;
  long double FractionalDuration::* part;
  long double size;
};

// The keys are plurals, unlike the fields of a point, because they are amounts.
constexpr DurationKey duration_keys[] = {
    {"years", &FractionalDuration::months, 12},
    {"quarters", &FractionalDuration::months, 3},
    {"months", &FractionalDuration::months, 1},
    {"weeks", &FractionalDuration::days, 7},
    {"days", &FractionalDuration::days, 1},
    {"hours", &FractionalDuration::seconds, 3'600},
    {"minutes", &FractionalDuration::seconds, 60},
    {"seconds", &FractionalDuration::seconds, 1},
    {"milliseconds", &FractionalDuration::nanoseconds, 1'000'000},
    {"microseconds", &FractionalDuration::nanoseconds, 1'000},
    {"nanoseconds", &FractionalDuration::nanoseconds, 1},
};

}  // namespace

// A selected time with a zone is an instant, so another zone converts the time. A time that is built from numbers has
// no zone yet, so the zone is only set.
Result<Value> point_from_map(const PointType& type, const Map& map) {
  CAIRN_ASSIGN(const Selection selection, read_map(type, map, {}));
  CAIRN_ASSIGN(TemporalParts parts, with_fields(type, selection, Fraction::replaced));
  if (selection.zone && parts.zone)
    parts = moved_to_zone(parts, *selection.zone);
  else if (selection.zone)
    parts.zone = selection.zone;
  return make_point(type, parts);
}

// Applies fields after a truncation, which has removed the smaller units. A zone in the map only replaces the zone
// and does not convert the time.
Result<Value> changed_point(const PointType& type, TemporalParts parts, const Map& map) {
  CAIRN_ASSIGN(const Selection selection, read_map(type, map, std::move(parts)));
  CAIRN_ASSIGN(TemporalParts changed, with_fields(type, selection, Fraction::added_to));
  if (selection.zone) changed.zone = selection.zone;
  return make_point(type, changed);
}

// Each unit may be a float.
Result<Duration> duration_from_map(const Map& map) {
  FractionalDuration sum;
  for (const auto& [key, value] : map) {
    const auto* found = std::ranges::find(duration_keys, key, &DurationKey::name);
    if (found == std::end(duration_keys))
      return Error{ErrorCode::invalid_argument, "duration() has no field " + key, {}};
    if (!value.is_number()) return wrong_entry("duration", "a number", key, value);
    const auto* whole = value.get_if<std::int64_t>();
    const long double count =
        whole ? static_cast<long double>(*whole) : static_cast<long double>(value.as_float());
    sum.*found->part += count * found->size;
  }
  return whole_duration(sum);
}

}  // namespace cairn::query
