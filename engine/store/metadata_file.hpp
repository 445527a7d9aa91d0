#pragma once
// Small files beside the store. COMMIT and FORMAT say what the store must at least contain and which
// Cairn may open it, so that an emptied or exchanged store is noticed and a newer one refused before
// anything is touched; their bytes are codec's. TAIL says which commits were acknowledged (tail_note.cpp). BULK is there
// while a load without a log runs.

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
inline constexpr std::string_view home = "HOME";  ///< of a copy of a home: which database it is
inline constexpr std::string_view store_directory = "store";
inline constexpr std::string_view vector_directory = "vector";
}  // namespace metadata_file

/// Far more than any of them has.
inline constexpr std::uint64_t most_metadata_file_bytes = std::uint64_t{64} << 10;

/// The whole file; absent is not an error. Errors: corruption, where it is not a regular file or is larger; io_error.
[[nodiscard]] Result<std::optional<std::string>> read_file(const std::filesystem::path& file);
/// Write a file with mode 0600 to a new name, sync, rename: after a crash either the old or the new
/// content is there. Errors: io_error.
[[nodiscard]] Status write_file(const std::filesystem::path& file, std::string_view bytes);
/// Make the entries of a directory durable. Errors: io_error.
[[nodiscard]] Status sync_directory(const std::filesystem::path& directory);
/// Erase the file if it is there, durably.
[[nodiscard]] Status erase_file(const std::filesystem::path& file);
/// Whether the directories in a database's are its own, and no links out of it. Errors: corruption.
[[nodiscard]] Status check_directories(const std::filesystem::path& database);
/// Make a directory of mode 0700 if there is none, durably: its entry in the one above it is on disk. Errors: io_error.
[[nodiscard]] Status make_directory(const std::filesystem::path& directory);

}  // namespace cairn::engine
