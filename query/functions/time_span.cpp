// The one parser of lengths of time, see cairn/time_span.hpp. Whole numbers are exact; a fraction of a unit is rounded
// to microseconds.
//
// span := ISO 8601 duration | number unit     number: digits, possibly with a fraction

#include "query/functions/temporal_operations.hpp"

#include <cairn/temporal.hpp>
#include <cairn/time_span.hpp>

#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace cairn::query {
namespace {

using std::chrono::microseconds;

constexpr std::int64_t span_second = 1'000'000;
constexpr std::int64_t span_day = 86'400 * span_second;

constexpr std::array<std::pair<std::string_view, std::int64_t>, 8> span_units{
    {{"ms", 1'000},
     {"s", span_second},
     {"min", 60 * span_second},
     {"h", 3'600 * span_second},
     {"d", span_day},
     {"w", 7 * span_day},
     {"mo", 30 * span_day},
     {"y", 365 * span_day}}};

/// Returns 0 for an unknown unit. Ignores the case of ASCII letters.
std::int64_t span_unit(std::string_view unit, UnitM m) {
  std::string lower(unit);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  if (lower == "m") return m == UnitM::minutes ? 60 * span_second : 30 * span_day;
  for (const auto& [name, length] : span_units)
    if (name == lower) return length;
  return 0;
}

bool is_digit(std::string_view text) { return !text.empty() && text[0] >= '0' && text[0] <= '9'; }

/// Takes "5" or "5.25" from the front of a text; nullopt if there is no number, or if it is too
/// large.
std::optional<std::pair<std::int64_t, double>> take_number(std::string_view& text) {
  if (!is_digit(text)) return std::nullopt;
  std::int64_t whole = 0;
  const char* const end = text.data() + text.size();
  const auto [behind, problem] = std::from_chars(text.data(), end, whole);
  if (problem != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(behind - text.data()));
  double fraction = 0;
  if (!text.starts_with('.')) return std::pair(whole, fraction);
  if (!is_digit(text.substr(1))) return std::nullopt;
  const auto [stop, misread] =
      std::from_chars(text.data(), end, fraction, std::chars_format::fixed);
  if (misread != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(stop - text.data()));
  return std::pair(whole, fraction);
}

}  // namespace

// A duration has months, days and seconds apart, which are added here.
std::optional<microseconds> time_span_of(const Duration& duration) {
  const std::int64_t years = duration.months / 12;
  std::int64_t days = 0;
  std::int64_t sum = 0;
  if (__builtin_mul_overflow(years, std::int64_t{365}, &days) ||
      __builtin_add_overflow(days, duration.months % 12 * 30, &days) ||
      __builtin_add_overflow(days, duration.days, &days) ||
      __builtin_mul_overflow(days, std::int64_t{86'400}, &sum) ||
      __builtin_add_overflow(sum, duration.seconds, &sum) ||
      __builtin_mul_overflow(sum, span_second, &sum) ||
      __builtin_add_overflow(sum, duration.nanoseconds / 1'000, &sum) || sum < 0)
    return std::nullopt;
  return microseconds(sum);
}

}  // namespace cairn::query

namespace cairn {

std::optional<std::chrono::microseconds> to_time_span(std::string_view text, UnitM m) {
  if (text.starts_with('P')) {
    const auto duration = query::parse_duration(text);
    return duration ? query::time_span_of(*duration) : std::nullopt;
  }
  const auto number = query::take_number(text);
  if (!number) return std::nullopt;
  const std::int64_t unit = query::span_unit(text, m);
  std::int64_t sum = 0;
  const auto rest =
      static_cast<std::int64_t>(std::round(number->second * static_cast<double>(unit)));
  if (unit == 0 || __builtin_mul_overflow(number->first, unit, &sum) ||
      __builtin_add_overflow(sum, rest, &sum))
    return std::nullopt;
  return std::chrono::microseconds(sum);
}

}  // namespace cairn
