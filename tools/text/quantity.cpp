// Parses and formats counts, sizes and times with units. Parsing multiplies a decimal number with
// the size of its unit; formatting uses the largest unit that divides the value.
#include "tools/text/quantity.hpp"

#include <cairn/time_span.hpp>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <optional>
#include <span>

namespace cairn::tools {
namespace {

struct Unit {
  std::string_view name;
  std::uint64_t size;
};

// Ascending, because the largest unit that divides a value is used.
constexpr Unit time_units[] = {
    {"ms", 1}, {"s", 1'000}, {"m", 60'000}, {"h", 3'600'000}, {"d", 86'400'000}};
constexpr Unit byte_units[] = {{"B", 1},
                               {"KiB", std::uint64_t{1} << 10},
                               {"MiB", std::uint64_t{1} << 20},
                               {"GiB", std::uint64_t{1} << 30},
                               {"TiB", std::uint64_t{1} << 40}};
constexpr Unit decimal_units[] = {
    {"KB", 1'000}, {"MB", 1'000'000}, {"GB", 1'000'000'000}, {"TB", 1'000'000'000'000}};

constexpr double most = 9'007'199'254'740'992;  // 2^53: a double represents all integers up to here

bool is_same(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, [](char one, char other) {
    return std::tolower(static_cast<unsigned char>(one)) ==
           std::tolower(static_cast<unsigned char>(other));
  });
}

std::optional<std::uint64_t> size_of(std::string_view unit, std::span<const Unit> units) {
  const auto found =
      std::ranges::find_if(units, [&](const Unit& one) { return is_same(unit, one.name); });
  return found == units.end() ? std::nullopt : std::optional(found->size);
}

/// Converts `text` to the smallest unit, rounded; nullopt if it is not a quantity, 0, or too large.
std::optional<std::uint64_t> count_of(std::string_view text, std::span<const Unit> units,
                                      std::span<const Unit> more_units = {}) {
  double number = 0;
  const char* end = text.data() + text.size();
  const auto [stop, problem] = std::from_chars(text.data(), end, number, std::chars_format::fixed);
  if (problem != std::errc()) return std::nullopt;
  std::string_view unit(stop, static_cast<std::size_t>(end - stop));
  while (unit.starts_with(' ')) unit.remove_prefix(1);
  auto size = size_of(unit, units);
  if (!size) size = size_of(unit, more_units);
  if (!size) return std::nullopt;
  const double count = std::round(number * static_cast<double>(*size));
  if (!(count >= 1 && count <= most)) return std::nullopt;
  return static_cast<std::uint64_t>(count);
}

std::string text_of(std::uint64_t count, std::span<const Unit> units) {
  const Unit* fitting = &units.front();
  for (const Unit& unit : units)
    if (count != 0 && count % unit.size == 0) fitting = &unit;
  return std::to_string(count / fitting->size) + std::string(fitting->name);
}

Error expected(std::string_view what, std::string_view text) {
  return {ErrorCode::invalid_argument,
          "expected " + std::string(what) + ", got " + std::string(text), std::nullopt};
}

}  // namespace

namespace {

/// Removes the blanks between a number and its unit.
std::string without_blanks(std::string_view text) {
  const std::size_t number = std::min(text.find_first_not_of("0123456789."), text.size());
  const std::size_t unit = std::min(text.find_first_not_of(' ', number), text.size());
  return std::string(text.substr(0, number)) + std::string(text.substr(unit));
}

}  // namespace

Result<std::chrono::milliseconds> parse_duration(std::string_view text) {
  using std::chrono::milliseconds;
  constexpr milliseconds thousand_years{std::int64_t{86'400'000} * 365'000};
  const auto span = to_time_span(without_blanks(text), UnitM::minutes);
  const auto time = std::chrono::round<milliseconds>(span.value_or(std::chrono::microseconds(0)));
  if (time < milliseconds(1) || time > thousand_years)
    return expected("a time such as 500ms, 5s, 2m or 1.5h", text);
  return time;
}

Result<std::uint64_t> parse_size(std::string_view text) {
  const auto count = count_of(text, byte_units, decimal_units);
  if (!count) return expected("a size such as 512KiB, 64MiB or 1.5GiB", text);
  return *count;
}

std::string duration_text(std::chrono::milliseconds time) {
  return text_of(static_cast<std::uint64_t>(std::max<std::int64_t>(time.count(), 0)), time_units);
}

std::string byte_text(std::uint64_t bytes) { return text_of(bytes, byte_units); }

std::string count_text(std::uint64_t rows) {
  if (rows == 0) return "(no rows)\n";
  return "(" + counted(rows, "row", "rows") + ")\n";
}

std::string failed_count_text(std::uint64_t rows) {
  return "(" + counted(rows, "row", "rows") + ", and then an error)\n";
}

std::string count_text(std::uint64_t shown, const RowTotal& total, bool has_prompt) {
  return "(" + grouped(shown) + " of " + (total.is_exact ? "" : "more than ") +
         grouped(total.rows) + " rows; " + (has_prompt ? ".rows" : "--rows") +
         " all shows the rest)\n";
}

}  // namespace cairn::tools
