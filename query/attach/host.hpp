#pragma once
// The host of a database: serves the processes that are attached to it, over the socket in its directory.

#include "engine/database/handles.hpp"

#include <cairn/database.hpp>
#include <cairn/options.hpp>
#include <cairn/result.hpp>

#include <filesystem>
#include <memory>

namespace cairn::query::attach {

/// Listens for other processes until the result is closed, and describes this process in the file HOST of the directory.
/// Errors: io_error, resource_limit.
[[nodiscard]] Result<std::unique_ptr<engine::Hosting>> open_host(
    const Database& database, const std::filesystem::path& directory, const Options& options);

}  // namespace cairn::query::attach
