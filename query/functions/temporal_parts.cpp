// Every point in time as up to three parts: days since 1970, nanoseconds of the day, a zone. What
// is computed with parts is computed for all types at once.
#include "query/functions/temporal_parts.hpp"

namespace cairn::query {
namespace {

using codec::floor_divide;
using codec::floor_modulo;

/// A negative second count is a day before 1970 and a time counted upwards in it.
TemporalParts parts_of_local(const LocalDateTime& value) {
  return {floor_divide(value.seconds, codec::seconds_per_day),
          floor_modulo(value.seconds, codec::seconds_per_day) * codec::nanoseconds_per_second +
              value.nanoseconds,
          {}};
}

/// One overload a type; everything else has no parts.
struct Parter {
  std::optional<TemporalParts> operator()(const Date& x) const {
    return TemporalParts{x.days, {}, {}};
  }
  std::optional<TemporalParts> operator()(const LocalTime& x) const {
    return TemporalParts{{}, x.nanoseconds, {}};
  }
  std::optional<TemporalParts> operator()(const Time& x) const {
    return TemporalParts{{}, x.nanoseconds, Zone{"", x.offset_seconds}};
  }
  std::optional<TemporalParts> operator()(const LocalDateTime& x) const {
    return parts_of_local(x);
  }
  /// The parts of the local clock, beside the zone.
  std::optional<TemporalParts> operator()(const DateTime& x) const {
    TemporalParts parts = parts_of_local(local_of(x));
    parts.zone = zone_of(x);
    return parts;
  }
  template <class Other>
  std::optional<TemporalParts> operator()(const Other&) const {
    return std::nullopt;
  }
};

}  // namespace

std::optional<TemporalParts> parts_of(const Value& value) {
  return std::visit(Parter{}, value.content());
}

// The inverse of taking apart. Seconds of any day in the calendar fit 64 bits.
LocalDateTime local_date_time(std::int64_t days, std::int64_t nanoseconds) noexcept {
  return {days * codec::seconds_per_day + nanoseconds / codec::nanoseconds_per_second,
          static_cast<std::int32_t>(nanoseconds % codec::nanoseconds_per_second)};
}

// The range of Java's LocalDate, on which the behaviour of Cypher rests.
Error date_out_of_range() {
  return {
      ErrorCode::invalid_argument, "a date must lie within the years -999999999 and 999999999", {}};
}

}  // namespace cairn::query
