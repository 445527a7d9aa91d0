#pragma once
// The files below a directory.

#include <cairn/graph.hpp>
#include <cairn/result.hpp>

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
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

/// The file's bytes. Errors: io_error; unsupported where there are too many.
[[nodiscard]] Result<std::string> read_file(const std::filesystem::path& file,
                                            std::uint64_t largest_bytes);

/// Whether bytes are text that can be stored as it is. Errors: unsupported with the reason where not.
[[nodiscard]] Status check_text(const std::string& bytes);

// What a file's name, place and text say about it, as properties of its document and chunks.

/// file_path, relative_path, directory (relative, "." for the root), file_name, file_ext (lower case
/// with its dot), file_type (code, doc, data, spreadsheet, presentation, other), language,
/// modified_time (RFC 3339, UTC), file_size in bytes, and of code has_classes and has_functions.
[[nodiscard]] Properties file_metadata(const std::filesystem::path& root,
                                       const std::filesystem::path& file, std::string_view text);

/// The file type of a lower-case extension with its dot.
[[nodiscard]] std::string_view file_type_of(std::string_view extension);

}  // namespace cairn::tools
