#pragma once
// An export to a file, with the statements of the indexes in another beside it.

#include <cairn/transfer.hpp>

#include <filesystem>
#include <string>

namespace cairn::tools {

struct ExportedFiles {
  ExportReport report;
  bool has_indexes = false;  ///< whether there is a file of them
};

/// With a line of progress, if `is_shown`. Both files appear when all is written. Errors: those of the export and io_error; files of an earlier
/// export are then as they were, and the message says so.
[[nodiscard]] Result<ExportedFiles> export_to_files(Database& database,
                                                    const std::filesystem::path& file,
                                                    const ExportOptions& options, bool is_shown);

/// "2 nodes and 1 relationship written to FILE", and where the indexes are.
[[nodiscard]] std::string to_text(const ExportedFiles& files, const std::filesystem::path& file);

}  // namespace cairn::tools
