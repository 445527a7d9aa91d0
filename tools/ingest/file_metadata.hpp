#pragma once
// What a file's name, place and text say about it, as properties of its document and chunks.

#include <cairn/graph.hpp>

#include <filesystem>
#include <string>
#include <string_view>

namespace cairn::tools {

/// file_path, relative_path, directory (relative, "." for the root), file_name, file_ext (lower case
/// with its dot), file_type (code, doc, data, spreadsheet, presentation, other), language,
/// modified_time (RFC 3339, UTC), file_size in bytes, and of code has_classes and has_functions.
[[nodiscard]] Properties file_metadata(const std::filesystem::path& root,
                                       const std::filesystem::path& file, std::string_view text);

/// The file type of a lower-case extension with its dot.
[[nodiscard]] std::string_view file_type_of(std::string_view extension);

}  // namespace cairn::tools
