#pragma once
// The host of a database: the process that has it open and serves the other processes that are attached to it, over a
// Unix socket in the directory of the database.

#include "engine/database/handles.hpp"

#include <cairn/database.hpp>
#include <cairn/options.hpp>
#include <cairn/result.hpp>

#include <filesystem>
#include <memory>

namespace cairn::query::attach {

/// Listens for other processes until the result is closed or destroyed, and describes this process in the file HOST of
/// the directory. Precondition: this process holds the lock of the database.
/// Errors: io_error, resource_limit.
[[nodiscard]] Result<std::unique_ptr<engine::Hosting>> open_host(
    const Database& database, const std::filesystem::path& directory, const Options& options);

}  // namespace cairn::query::attach
