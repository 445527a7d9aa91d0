#pragma once
// The group of users that may attach to a database (Options::share_group).

#include <cairn/options.hpp>
#include <cairn/result.hpp>

#include <sys/types.h>

#include <filesystem>
#include <optional>

namespace cairn::query::attach {

/// The group that the options name; nothing where they name none. Errors: invalid_argument for one that the system does
/// not know; io_error where it cannot tell.
[[nodiscard]] Result<std::optional<gid_t>> share_group_of(const Options& options);

/// Whether the directory is there and belongs to another user, who alone may be its host.
[[nodiscard]] bool is_of_other_user(const std::filesystem::path& directory);

}  // namespace cairn::query::attach
