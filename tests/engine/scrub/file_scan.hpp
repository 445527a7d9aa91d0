#pragma once
// Searches the files of a database for byte strings, independent of indexes and visibility.

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace cairn::test {

/// Returns where each of these byte strings occurs in the files of a closed database or of a copy; strings that do not
/// occur are left out. Every file is searched as it is, and file names too. The tables and logs of the store may be
/// compressed, so they are also searched in decoded form, with every version of each key, including erased ones.
[[nodiscard]] std::map<std::string, std::vector<std::string>> find_in_files(
    const std::filesystem::path& database, const std::vector<std::string>& wanted);

/// The tables that the store has, by name, and their sizes.
[[nodiscard]] std::map<std::string, std::uintmax_t> tables_of(
    const std::filesystem::path& database);

/// How many tables level 0 has, over all families. Nothing if a compaction removed a table meanwhile: ask again.
[[nodiscard]] std::optional<std::size_t> tables_on_level_zero(
    const std::filesystem::path& database);

}  // namespace cairn::test
