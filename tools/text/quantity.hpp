#pragma once
// Times and sizes as people write them: 500ms, 5s, 64MiB. A number, which may have a fraction, and a unit.

#include <cairn/result.hpp>

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

namespace cairn::tools {

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

}  // namespace cairn::tools
