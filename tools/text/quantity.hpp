#pragma once
// Counts, sizes and times as text for people.

#include "tools/text/row_writer.hpp"

#include <cairn/result.hpp>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

namespace cairn::tools {

// Parses times and sizes such as 500ms, 5s, 64MiB: a number, possibly with a fraction, and a unit.

/// Parses a time as to_time_span() of cairn/time_span.hpp does, with `m` for minutes. Errors:
/// invalid_argument for an invalid text, a value below a millisecond or above a thousand years.
[[nodiscard]] Result<std::chrono::milliseconds> parse_duration(std::string_view text);

/// Parses a size in B, KiB, MiB, GiB or TiB, or in KB, MB, GB or TB (powers of 1,000), ignoring
/// case. Errors: invalid_argument for an invalid text, a value below a byte or above 8 PiB.
[[nodiscard]] Result<std::uint64_t> parse_size(std::string_view text);

/// Formats in the largest unit that divides the time, as parse_duration() accepts it: "2m",
/// "1500ms".
[[nodiscard]] std::string duration_text(std::chrono::milliseconds time);
/// Formats likewise, as parse_size() accepts it: "64MiB", "1000B".
[[nodiscard]] std::string byte_text(std::uint64_t bytes);

// Numbers of things in words.

/// Returns digits in groups: "12,345".
[[nodiscard]] inline std::string grouped(std::uint64_t number) {
  const std::string digits = std::to_string(number);
  std::string text;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i != 0 && (digits.size() - i) % 3 == 0) text += ',';
    text += digits[i];
  }
  return text;
}

/// Returns "1 node" or "12,345 nodes".
[[nodiscard]] inline std::string counted(std::uint64_t count, std::string_view one,
                                         std::string_view many) {
  return grouped(count) + " " + std::string(count == 1 ? one : many);
}

// Sizes in words.

/// Returns a size in B, KiB, MiB, GiB or TiB, with one digit after the point.
[[nodiscard]] inline std::string size_text(std::uint64_t bytes) {
  constexpr std::array<const char*, 5> units{"B", "KiB", "MiB", "GiB", "TiB"};
  auto size = static_cast<double>(bytes);
  std::size_t unit = 0;
  for (; size >= 1'024 && unit + 1 < units.size(); ++unit) size /= 1'024;
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), unit == 0 ? "%.0f %s" : "%.1f %s", size, units[unit]);
  return text.data();
}

// The line below a result with its number of rows.

/// Returns "(no rows)", "(1 row)" or "(40 rows)", as a line.
[[nodiscard]] std::string count_text(std::uint64_t rows);
/// Returns "(10 rows, and then an error)".
[[nodiscard]] std::string failed_count_text(std::uint64_t rows);
/// Returns "(40 of 12,345 rows; .rows all shows the rest)" or "(40 of more than 12,345 rows; ...)";
/// without a prompt it names the option --rows.
[[nodiscard]] std::string count_text(std::uint64_t shown, const RowTotal& total,
                                     bool has_prompt = true);

}  // namespace cairn::tools
