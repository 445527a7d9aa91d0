#pragma once
// check_files: the part of a check that needs no open database, for one that cannot be opened.

#include <cairn/database.hpp>
#include <cairn/result.hpp>
#include <cairn/visibility.hpp>

#include <cstddef>
#include <filesystem>
#include <vector>

namespace cairn {

/// The table files of the database in `directory` that are missing, cut or damaged, each with what is in it
/// and its repair. Empty where all are whole, which Database::check() looks at too.
///
/// Writes nothing but the lock file. Stops after `limit` findings.
/// Errors: not_found; busy (open for writing elsewhere); corruption, where the store does not even say
/// which files it has, or its log is damaged; io_error. Cost: reads every table file. Threads: any.
[[nodiscard]] CAIRN_EXPORT Result<std::vector<Finding>> check_files(
    const std::filesystem::path& directory, std::size_t limit = 1'000);

}  // namespace cairn
