#pragma once
// The group of users that may attach to a database (Options::share_group).

#include <cairn/options.hpp>
#include <cairn/result.hpp>

#include <sys/types.h>

#include <filesystem>
#include <optional>

namespace cairn::query::attach {

/// The group that the options name, by name or by number; nullopt if they name none. Errors: invalid_argument for an
/// unknown group; io_error if the lookup fails.
[[nodiscard]] Result<std::optional<gid_t>> share_group_of(const Options& options);

/// True if the directory exists and belongs to another user. Only a process of the owner may be its host.
[[nodiscard]] bool is_of_other_user(const std::filesystem::path& directory);

}  // namespace cairn::query::attach
