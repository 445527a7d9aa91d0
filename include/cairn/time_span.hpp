#pragma once
// Lengths of time as texts of users: "30d", "1.5h", "P30D".
//
//     const auto kept = cairn::to_time_span("30d");
//     if (kept) std::cout << *kept / std::chrono::hours(24) << " days\n";   // 30
//
// The memory calls read lifetimes by it, filters ages, and the program cairn the times of its options.

#include <cairn/visibility.hpp>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>

namespace cairn {

/// What the unit `m` means: months in lifetimes and ages, minutes in limits of time.
enum class UnitM : std::uint8_t { months, minutes };

/// Returns the length of time that a text names: a number with a unit, or an ISO 8601 duration such
/// as "P1DT12H".
///
/// Units, in any case: ms, s, min, h, d, w, mo, y, and m. A number may have a fraction, which is
/// rounded to microseconds. A month is 30 days, and a year 365. Returns nullopt for any other text,
/// for a negative length, and for one beyond 64 bits. Threads: any.
[[nodiscard]] CAIRN_EXPORT std::optional<std::chrono::microseconds> to_time_span(
    std::string_view text, UnitM m = UnitM::months);

}  // namespace cairn
