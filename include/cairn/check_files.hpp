#pragma once
// check_files: checks the table files of a database that cannot be opened.

#include <cairn/database.hpp>
#include <cairn/result.hpp>
#include <cairn/visibility.hpp>

#include <cstddef>
#include <filesystem>
#include <vector>

namespace cairn {

/// Finds table files of the database in `directory` that are missing, truncated or damaged. A
/// finding says what the file contains and how to repair it. The result is empty if all files are
/// intact. Database::check() includes this check.
///
/// Writes nothing but the lock file. Stops after `limit` findings. Errors: not_found; busy if the
/// database is open for writing; corruption if the store's list of files, or its log, is damaged;
/// io_error. Cost: reads every table file. Threads: any.
[[nodiscard]] CAIRN_EXPORT Result<std::vector<Finding>> check_files(
    const std::filesystem::path& directory, std::size_t limit = 1'000);

}  // namespace cairn
