#pragma once
// The text files below a directory.

#include <cairn/result.hpp>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace cairn::tools {

struct FileList {
  std::vector<std::filesystem::path> files;       ///< in path order
  std::vector<std::filesystem::path> databases;   ///< Cairn databases, left out; in path order
  std::vector<std::filesystem::path> unreadable;  ///< what cannot be looked into; in path order
  std::uint64_t hidden = 0;                       ///< files and directories left out by their dot
  std::uint64_t links = 0;                        ///< symbolic links, which are not followed
};

/// Regular files below `root` without hidden ones, those whose name or whose directory's name is in
/// `exclude`, symbolic links, and what is in Cairn databases. What lies below `unreadable` may be there
/// as before. Errors: not_found, io_error (also where `root` may not be read);
/// invalid_argument where `root` itself is a database.
[[nodiscard]] Result<FileList> list_files(const std::filesystem::path& root,
                                          const std::vector<std::string>& exclude);

/// The file's text. Errors: io_error; unsupported with the reason where it is no text to ingest.
[[nodiscard]] Result<std::string> read_text_file(const std::filesystem::path& file,
                                                 std::uint64_t largest_bytes);

}  // namespace cairn::tools
