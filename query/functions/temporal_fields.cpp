// Builds a day and a time of day from named numbers. The numbers come from maps and texts, and may change the parts of
// a base value. A day is named by month, week, quarter or ordinal day, and by only one of these at a time.
#include "query/functions/temporal_fields.hpp"

#include "query/functions/call.hpp"

#include <algorithm>
#include <array>

namespace cairn::query {
namespace {

/// How a field names a day. Fields of two different kinds contradict each other. Only the year fits all kinds.
enum class Kind : std::uint8_t { any_day, month, week, quarter, ordinal, clock };

/// A field with its kind and its range.
struct Rule {
  std::string_view name;
  Kind kind;
  std::int64_t least;
  std::int64_t most;
};

// The largest range of each field. Whether the day exists in its month is checked later.
constexpr Rule rules[] = {
    {"year", Kind::any_day, -999'999'999, 999'999'999},
    {"month", Kind::month, 1, 12},
    {"day", Kind::month, 1, 31},
    {"week", Kind::week, 1, 53},
    {"dayOfWeek", Kind::week, 1, 7},
    {"quarter", Kind::quarter, 1, 4},
    {"dayOfQuarter", Kind::quarter, 1, 92},
    {"ordinalDay", Kind::ordinal, 1, 366},
    {"hour", Kind::clock, 0, 23},
    {"minute", Kind::clock, 0, 59},
    {"second", Kind::clock, 0, 59},
    {"millisecond", Kind::clock, 0, 999},
    {"microsecond", Kind::clock, 0, 999'999},
    {"nanosecond", Kind::clock, 0, 999'999'999},
};

/// Linear search, which is fast enough for this small table.
const Rule* find_rule(std::string_view name) {
  const auto* found = std::ranges::find(rules, name, &Rule::name);
  return found == std::end(rules) ? nullptr : found;
}

Error wrong(std::string message) { return {ErrorCode::invalid_argument, std::move(message), {}}; }

std::optional<std::int64_t> year_of(std::optional<std::int64_t> days) {
  return days ? std::optional(codec::civil_from_days(*days).year) : std::nullopt;
}

/// Returns the day number `count` of a period that begins at `first` and has `size` days. Errors: invalid_argument if
/// the period is shorter.
Result<std::int64_t> nth_day(std::string_view field, std::int64_t first, std::int64_t count,
                             std::int64_t size) {
  if (count > size)
    return wrong(std::string(field) + " " + std::to_string(count) + " does not exist: there are " +
                 std::to_string(size) + " days");
  return first + count - 1;
}

}  // namespace

// Stores the name of the rule, which is a literal, because the name in the map may not live as long. If a field is set
// twice, find() returns the first value; a map has each name only once.
Status PointFields::put(const PointType& type, std::string_view name, const Value& value) {
  const Rule* rule = find_rule(name);
  const bool fits = rule && (rule->kind == Kind::clock ? type.has_time : type.has_date);
  if (!fits) return wrong(std::string(type.name) + "() has no field " + std::string(name));
  const auto* number = value.get_if<std::int64_t>();
  if (!number)
    return Error{ErrorCode::type_error,
                 std::string(type.name) + "() needs an integer as " + std::string(name) + ", got " +
                     described(value),
                 {}};
  set(rule->name, *number);
  return {};
}

void PointFields::set(std::string_view name, std::int64_t value) {
  fields_.push_back({name, value});
}

std::optional<std::int64_t> PointFields::find(std::string_view name) const {
  const auto found = std::ranges::find(fields_, name, &Field::name);
  return found == fields_.end() ? std::nullopt : std::optional(found->value);
}

// Returns the field, else the part of the base, else `otherwise`.
std::int64_t PointFields::pick(std::string_view name, std::optional<std::int64_t> base,
                               std::int64_t otherwise) const {
  if (const auto own = find(name)) return *own;
  return base.value_or(otherwise);
}

// Called first, because the calendar functions rely on these ranges.
Status PointFields::check_ranges() const {
  for (const Field& field : fields_) {
    const Rule& rule = *find_rule(field.name);
    if (field.value < rule.least || field.value > rule.most)
      return wrong(std::string(field.name) + " must be between " + std::to_string(rule.least) +
                   " and " + std::to_string(rule.most) + ", not " + std::to_string(field.value));
  }
  return {};
}

// {month: 1, week: 2} could mean two different days, so it is refused.
Status PointFields::check_kinds_of_day() const {
  const Field* first = nullptr;
  for (const Field& field : fields_) {
    const Kind kind = find_rule(field.name)->kind;
    if (kind == Kind::any_day || kind == Kind::clock) continue;
    if (first && find_rule(first->name)->kind != kind)
      return wrong(std::string(first->name) + " and " + std::string(field.name) +
                   " cannot both name the day");
    first = &field;
  }
  return {};
}

/// Each field needs the field before it, unless a base value provides it.
Status PointFields::check_order(std::initializer_list<std::string_view> names) const {
  const std::string_view* missing = nullptr;
  for (const std::string_view& name : names) {
    if (missing && has(name))
      return wrong(std::string(name) + " needs " + std::string(*missing) + " beside it");
    if (!missing && !has(name)) missing = &name;
  }
  return {};
}

// The year is the year of the week: the last days of December may belong to week 1 of the next year.
std::int64_t PointFields::day_of_week_date(std::optional<std::int64_t> base) const {
  const WeekDate from = week_from_days(base.value_or(0));
  const auto of_base = [&](std::int64_t part) { return base ? std::optional(part) : std::nullopt; };
  return days_from_week({pick("year", of_base(from.year), 1970),
                         pick("week", of_base(from.week), 1),
                         pick("dayOfWeek", of_base(from.day), 1)});
}

// Called only if ordinalDay is given, so only the year may come from the base.
Result<std::int64_t> PointFields::day_of_year(std::optional<std::int64_t> base) const {
  const std::int64_t year = pick("year", year_of(base), 1970);
  return nth_day("ordinalDay", first_day_of_year(year), *find("ordinalDay"),
                 codec::is_leap_year(year) ? 366 : 365);
}

// Quarters have 90 to 92 days. If dayOfQuarter is not given, the day within the quarter of the base is used.
Result<std::int64_t> PointFields::day_of_quarter(std::optional<std::int64_t> base) const {
  const codec::CivilDate from = codec::civil_from_days(base.value_or(0));
  const unsigned base_quarter = quarter_of_month(from.month);
  const auto first_of = [](std::int64_t year, std::int64_t quarter) {
    return codec::days_from_civil(
        {year, first_month_of_quarter(static_cast<unsigned>(quarter)), 1});
  };
  std::optional<std::int64_t> base_day;
  if (base) base_day = *base - first_of(from.year, base_quarter) + 1;
  const std::int64_t year = pick("year", year_of(base), 1970);
  const std::int64_t quarter = pick("quarter", base_quarter, 1);
  const std::int64_t end = quarter == 4 ? first_of(year + 1, 1) : first_of(year, quarter + 1);
  const std::int64_t first = first_of(year, quarter);
  return nth_day("dayOfQuarter", first, pick("dayOfQuarter", base_day, 1), end - first);
}

// If the day of the base does not exist in the new month, this is an error, because the language defines no day for
// this case.
Result<std::int64_t> PointFields::day_of_month(std::optional<std::int64_t> base) const {
  const codec::CivilDate from = codec::civil_from_days(base.value_or(0));
  const std::int64_t year = pick("year", year_of(base), 1970);
  const auto month = static_cast<unsigned>(
      pick("month", base ? std::optional<std::int64_t>(from.month) : std::nullopt, 1));
  const std::int64_t day =
      pick("day", base ? std::optional<std::int64_t>(from.day) : std::nullopt, 1);
  return nth_day("day", codec::days_from_civil({year, month, 1}), day,
                 codec::days_in_month(year, month));
}

// The given fields decide the kind of day. If no field decides, month and day are used, which may come from the base.
Result<std::int64_t> PointFields::days(std::optional<std::int64_t> base) const {
  CAIRN_TRY(check_ranges());
  CAIRN_TRY(check_kinds_of_day());
  if (!base && !has("year")) return wrong("a date needs a year");
  if (!base) CAIRN_TRY(check_order({"month", "day"}));
  if (!base) CAIRN_TRY(check_order({"week", "dayOfWeek"}));
  if (!base) CAIRN_TRY(check_order({"quarter", "dayOfQuarter"}));
  if (has("ordinalDay")) return day_of_year(base);
  if (has("quarter") || has("dayOfQuarter")) return day_of_quarter(base);
  if (!has("week") && !has("dayOfWeek")) return day_of_month(base);
  const std::int64_t day = day_of_week_date(base);
  const std::int64_t week = pick("week", std::nullopt, 1);
  if (week == 53 && week_from_days(day).week != 53)
    return wrong("week 53 does not exist in that year");
  return day;
}

// Adds up the three fields: millisecond 123, microsecond 456 and nanosecond 789 are .123456789. If one of them is
// given, the sum replaces the fraction of the base or is added to it, as `fraction` says.
std::int64_t PointFields::fraction_of_second(std::int64_t base, Fraction fraction) const {
  const bool is_changed = has("millisecond") || has("microsecond") || has("nanosecond");
  const std::int64_t given = pick("millisecond", std::nullopt, 0) * 1'000'000 +
                             pick("microsecond", std::nullopt, 0) * 1'000 +
                             pick("nanosecond", std::nullopt, 0);
  if (!is_changed) return base;
  return fraction == Fraction::added_to ? base + given : given;
}

// Units that are not given are taken from the base. Milliseconds, microseconds and nanoseconds add up within the
// second.
Result<std::int64_t> PointFields::nanoseconds(std::optional<std::int64_t> base,
                                              Fraction fraction) const {
  CAIRN_TRY(check_ranges());
  if (!base) CAIRN_TRY(check_order({"hour", "minute", "second"}));
  const std::int64_t from = base.value_or(0);
  const std::int64_t part = fraction_of_second(from % codec::nanoseconds_per_second, fraction);
  if (part >= codec::nanoseconds_per_second)
    return wrong("milli-, micro- and nanoseconds exceed one second");
  const std::int64_t hour = pick("hour", from / (3'600 * codec::nanoseconds_per_second), 0);
  const std::int64_t minute = pick("minute", from / (60 * codec::nanoseconds_per_second) % 60, 0);
  const std::int64_t second = pick("second", from / codec::nanoseconds_per_second % 60, 0);
  return (hour * 3'600 + minute * 60 + second) * codec::nanoseconds_per_second + part;
}

}  // namespace cairn::query
