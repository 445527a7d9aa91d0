#pragma once
// The text files below a directory.

#include <cairn/result.hpp>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace cairn::tools {

/// Regular files below `root` in path order, without hidden ones, those whose name or whose
/// directory's name is in `exclude`, and symbolic links. Errors: not_found, io_error.
[[nodiscard]] Result<std::vector<std::filesystem::path>> list_files(
    const std::filesystem::path& root, const std::vector<std::string>& exclude);

/// The file's text. Errors: io_error; unsupported with the reason where it is no text to ingest.
[[nodiscard]] Result<std::string> read_text_file(const std::filesystem::path& file,
                                                 std::uint64_t largest_bytes);

}  // namespace cairn::tools
