#pragma once
// The numbers that name a point in time: {year: 1984, week: 10, dayOfWeek: 3, hour: 12}. They come
// from a map or from a text, stand alone or change the parts of another value.

#include "query/functions/temporal_point.hpp"

#include <cairn/result.hpp>
#include <cairn/value.hpp>

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace cairn::query {

/// How the fraction of a second that is being changed meets milli-, micro- and nanosecond fields.
enum class Fraction : std::uint8_t { replaced, added_to };

/// Fields in the order they came; a later one of the same name never overrides an earlier one.
class PointFields {
 public:
  /// Take a field in. Errors: invalid_argument if there is no such field or `type` has not got
  /// it, type_error if the value is no integer.
  [[nodiscard]] Status put(const PointType& type, std::string_view name, const Value& value);
  /// Take in a field that is known to exist.
  void set(std::string_view name, std::int64_t value);

  /// The day that the fields name; what they leave open is taken from `base`, or begins with 1.
  /// Errors: invalid_argument where they contradict each other, name no day, or leave out the year.
  [[nodiscard]] Result<std::int64_t> days(std::optional<std::int64_t> base) const;
  /// The nanosecond of the day that they name, in the same way.
  [[nodiscard]] Result<std::int64_t> nanoseconds(std::optional<std::int64_t> base,
                                                 Fraction fraction = Fraction::replaced) const;

 private:
  struct Field {
    std::string_view name;
    std::int64_t value = 0;
  };
  [[nodiscard]] std::optional<std::int64_t> find(std::string_view name) const;
  [[nodiscard]] bool has(std::string_view name) const { return find(name).has_value(); }
  /// The field, else what the base has, else `otherwise`.
  [[nodiscard]] std::int64_t pick(std::string_view name, std::optional<std::int64_t> base,
                                  std::int64_t otherwise) const;
  [[nodiscard]] Status check_ranges() const;
  [[nodiscard]] Status check_kinds_of_day() const;
  [[nodiscard]] Status check_order(std::initializer_list<std::string_view> names) const;
  [[nodiscard]] std::int64_t day_of_week_date(std::optional<std::int64_t> base) const;
  [[nodiscard]] Result<std::int64_t> day_of_year(std::optional<std::int64_t> base) const;
  [[nodiscard]] Result<std::int64_t> day_of_quarter(std::optional<std::int64_t> base) const;
  [[nodiscard]] Result<std::int64_t> day_of_month(std::optional<std::int64_t> base) const;
  [[nodiscard]] std::int64_t fraction_of_second(std::int64_t base, Fraction fraction) const;

  std::vector<Field> fields_;
};

}  // namespace cairn::query
