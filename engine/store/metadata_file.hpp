#pragma once
// Small files next to the store. COMMIT and FORMAT state what the store must contain at least, and which versions of
// Cairn may open it. So a lost or replaced store is noticed, and a newer format is refused before any file is
// changed. The codec defines their content. TAIL records which commits were acknowledged (tail_note.cpp). BULK exists
// during a bulk load without a log.

#include <cairn/result.hpp>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace cairn::engine {

namespace metadata_file {
inline constexpr std::string_view commit = "COMMIT";
inline constexpr std::string_view tail = "TAIL";
inline constexpr std::string_view format = "FORMAT";
inline constexpr std::string_view bulk = "BULK";
inline constexpr std::string_view lock = "LOCK";
inline constexpr std::string_view home = "HOME";  ///< in the copy of a home: the id of the database
inline constexpr std::string_view store_directory = "store";
inline constexpr std::string_view vector_directory = "vector";
inline constexpr std::string_view segment_directory = "segment";
}  // namespace metadata_file

/// An upper bound of the size of each of these files.
inline constexpr std::uint64_t most_metadata_file_bytes = std::uint64_t{64} << 10;

/// Reads a whole file; nullopt if it does not exist. Errors: corruption if it is not a regular file, or is larger
/// than the limit; io_error.
[[nodiscard]] Result<std::optional<std::string>> read_file(const std::filesystem::path& file);
/// Writes a file with mode 0600: writes it under a new name, syncs it, and renames it. After a crash either the old
/// or the new content is there. Errors: io_error.
[[nodiscard]] Status write_file(const std::filesystem::path& file, std::string_view bytes);
/// Syncs the entries of a directory. Errors: io_error.
[[nodiscard]] Status sync_directory(const std::filesystem::path& directory);
/// Erases the file if it exists, durably.
[[nodiscard]] Status erase_file(const std::filesystem::path& file);
/// Checks that the subdirectories of a database are not links to other places. Errors: corruption.
[[nodiscard]] Status check_directories(const std::filesystem::path& database);
/// Creates a directory with mode 0700 if it does not exist, and syncs its entry in the parent directory. Errors:
/// io_error.
[[nodiscard]] Status make_directory(const std::filesystem::path& directory);

}  // namespace cairn::engine
