#pragma once

// Which Cairn a program was built with, and which one it runs with.
//
//     static_assert(cairn::version_major == 0, "look at the list of changes");
//     std::cout << cairn::version() << "\n";   // 0.1.0
#include <cairn/visibility.hpp>

#include <cstdint>
#include <string_view>

namespace cairn {

/// The version of these headers, by semantic versioning: a program sees at compile time what it was
/// built with. `version()` tells what it runs with.
inline constexpr int version_major = 0;
inline constexpr int version_minor = 1;
inline constexpr int version_patch = 0;

/// Say which version of the library is linked, as "major.minor.patch".
///
/// This is the program's version. What is on disk has a number of its own, the format version.
/// Lifetime: the text lives as long as the program.
[[nodiscard]] CAIRN_EXPORT std::string_view version() noexcept;

/// Say which format version the linked library writes, and up to which one it opens databases.
///
/// `DatabaseStatistics::format_version` is that of one database.
[[nodiscard]] CAIRN_EXPORT std::uint32_t format_version() noexcept;

}  // namespace cairn
