#pragma once

// The version of Cairn that a program was built with, and the version that it runs with.
//
//     static_assert(cairn::version_major == 0, "look at the list of changes");
//     std::cout << cairn::version() << "\n";   // 0.1.0
#include <cairn/visibility.hpp>

#include <cstdint>
#include <string_view>

namespace cairn {

/// The version of these headers (semantic versioning), for checks at compile time. `version()` is
/// the version at run time.
inline constexpr int version_major = 0;
inline constexpr int version_minor = 1;
inline constexpr int version_patch = 0;

/// Returns the version of the linked library, as "major.minor.patch".
///
/// The format of databases has its own version, see format_version(). Lifetime: as long as the
/// program.
[[nodiscard]] CAIRN_EXPORT std::string_view version() noexcept;

/// Returns the format version that the linked library writes, and up to which it can open
/// databases.
///
/// `DatabaseStatistics::format_version` has the same number.
[[nodiscard]] CAIRN_EXPORT std::uint32_t format_version() noexcept;

}  // namespace cairn
