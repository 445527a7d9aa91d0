#pragma once
// Paths of files below /memories. A path is a property of a record; it names nothing on the disk.

#include <cairn/result.hpp>

#include <string>
#include <string_view>

namespace cairn::query {

inline constexpr std::string_view memory_root = "/memories";

/// Returns the canonical spelling of a path: without ".", ".." and empty parts. Errors: invalid_argument if the path is
/// not below /memories or leaves it on the way, is longer than 1,024 bytes, or has control characters.
[[nodiscard]] Result<std::string> memory_path(std::string_view given);

/// The directory that contains a path; empty for /memories itself.
[[nodiscard]] std::string_view parent_of(std::string_view path);

/// True if a path is `directory` or is below it.
[[nodiscard]] bool is_within(std::string_view path, std::string_view directory);

}  // namespace cairn::query
