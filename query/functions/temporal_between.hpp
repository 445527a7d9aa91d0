#pragma once
// The duration from one point in time to another.

#include "query/functions/temporal_parts.hpp"

#include <cairn/temporal.hpp>

namespace cairn::query {

/// Two points made comparable: a date or zone that one lacks is taken from the other, a time of day
/// that it lacks is midnight. Whole units are counted toward zero, so both may be in any order.
class Interval {
 public:
  Interval(const TemporalParts& from, const TemporalParts& to);

  [[nodiscard]] Duration in_months() const;
  [[nodiscard]] Duration in_days() const;
  [[nodiscard]] Duration in_seconds() const;
  /// Months, then days, then the rest; only the rest where a date is missing.
  [[nodiscard]] Duration in_all_units() const;

 private:
  bool has_dates_ = false;
  DateTime from_;
  DateTime to_;  // on clocks of from_'s zone
};

}  // namespace cairn::query
