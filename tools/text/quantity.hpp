#pragma once
// Counts, sizes and times as people read them.

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

// Times and sizes as people write them: 500ms, 5s, 64MiB. A number, which may have a fraction, and a unit.

/// Read a time in ms, s, m, h or d, in any case. Errors: invalid_argument for an invalid text, a value below a
/// millisecond or more than a thousand years.
[[nodiscard]] Result<std::chrono::milliseconds> parse_duration(std::string_view text);

/// Read a number of bytes in B, KiB, MiB, GiB or TiB, or in KB, MB, GB or TB, which are powers of 1,000, in
/// any case. Errors: invalid_argument for an invalid text, a value below a byte or more than 8 PiB.
[[nodiscard]] Result<std::uint64_t> parse_size(std::string_view text);

/// In the largest unit that it is a whole number of, as parse_duration() reads it: "2m", "1500ms".
[[nodiscard]] std::string duration_text(std::chrono::milliseconds time);
/// Likewise, as parse_size() reads it: "64MiB", "1000B".
[[nodiscard]] std::string byte_text(std::uint64_t bytes);

// A number of things in words.

/// "12,345"
[[nodiscard]] inline std::string grouped(std::uint64_t number) {
  const std::string digits = std::to_string(number);
  std::string text;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i != 0 && (digits.size() - i) % 3 == 0) text += ',';
    text += digits[i];
  }
  return text;
}

/// "1 node", "12,345 nodes".
[[nodiscard]] inline std::string counted(std::uint64_t count, std::string_view one,
                                         std::string_view many) {
  return grouped(count) + " " + std::string(count == 1 ? one : many);
}

// A number of bytes in words.

/// Powers of 1,024, one digit behind the point.
[[nodiscard]] inline std::string size_text(std::uint64_t bytes) {
  constexpr std::array<const char*, 5> units{"B", "KiB", "MiB", "GiB", "TiB"};
  auto size = static_cast<double>(bytes);
  std::size_t unit = 0;
  for (; size >= 1'024 && unit + 1 < units.size(); ++unit) size /= 1'024;
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), unit == 0 ? "%.0f %s" : "%.1f %s", size, units[unit]);
  return text.data();
}

// What stands below a result: how many rows it has.

/// "(no rows)", "(1 row)", "(40 rows)", as a line.
[[nodiscard]] std::string count_text(std::uint64_t rows);
/// "(10 rows, and then an error)"
[[nodiscard]] std::string failed_count_text(std::uint64_t rows);
/// "(40 of 12,345 rows; .rows all shows the rest)", or "(40 of more than 12,345 rows; ...)"; without a prompt
/// the option --rows is named.
[[nodiscard]] std::string count_text(std::uint64_t shown, const RowTotal& total,
                                     bool has_prompt = true);

}  // namespace cairn::tools
