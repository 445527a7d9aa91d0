#pragma once
// What the files of a database hold, read below all indexes and visibility.

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace cairn::test {

/// Where each of these byte strings is found in the files of a closed database, or of a copy of one; without those that
/// are nowhere. Every file is searched as it is, names of files too. The tables and logs of the store are searched
/// decoded as well, with every version of each key, erased ones among them, as they may be compressed.
[[nodiscard]] std::map<std::string, std::vector<std::string>> find_in_files(
    const std::filesystem::path& database, const std::vector<std::string>& wanted);

/// The tables that the store has, by name, and their sizes.
[[nodiscard]] std::map<std::string, std::uintmax_t> tables_of(
    const std::filesystem::path& database);

/// How many tables level 0 has, over all families. Nothing if a compaction removed a table meanwhile: ask again.
[[nodiscard]] std::optional<std::size_t> tables_on_level_zero(
    const std::filesystem::path& database);

}  // namespace cairn::test
