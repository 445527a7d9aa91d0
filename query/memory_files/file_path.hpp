#pragma once
// Paths of files beneath /memories, which are names of records and of nothing on the disk.

#include <cairn/result.hpp>

#include <string>
#include <string_view>

namespace cairn::query {

inline constexpr std::string_view memory_root = "/memories";

/// The one spelling of a path: without ".", ".." and empty parts. Errors: invalid_argument for one that is not beneath
/// /memories, or leaves it on its way; that is too long, or has control characters.
[[nodiscard]] Result<std::string> memory_path(std::string_view given);

/// The directory of a path; of /memories itself nothing.
[[nodiscard]] std::string_view parent_of(std::string_view path);

/// Whether a path is `directory` or beneath it.
[[nodiscard]] bool is_within(std::string_view path, std::string_view directory);

}  // namespace cairn::query
