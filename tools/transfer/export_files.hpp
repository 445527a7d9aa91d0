#pragma once
// An export to a file, with the statements of the indexes in another beside it.

#include "tools/text/standard_output.hpp"

#include <cairn/result.hpp>
#include <cairn/transfer.hpp>

#include <filesystem>
#include <memory>
#include <optional>
#include <ostream>
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

// A file that appears under its name whole and synced, or not at all.

/// Written under its name with ".new" behind it; what had the name before stays until appear(), and for
/// ever where this object ends earlier. What is not a file, as a pipe or a device, is written as it is.
class WholeFile {
 public:
  /// Errors: io_error, like all below; `file` is then as it was.
  [[nodiscard]] static Result<std::unique_ptr<WholeFile>> create(const std::filesystem::path& file);
  WholeFile(const WholeFile&) = delete;
  WholeFile& operator=(const WholeFile&) = delete;
  ~WholeFile();

  [[nodiscard]] std::ostream& stream() noexcept { return stream_; }
  /// Write out what the stream holds. Errors also where it failed before, with the reason.
  [[nodiscard]] Status flush();
  /// flush() and wait for the disk.
  [[nodiscard]] Status sync();
  /// After sync(): take the name.
  [[nodiscard]] Status appear();

 private:
  WholeFile(int descriptor, std::filesystem::path file,
            std::optional<std::filesystem::path> unfinished);

  int descriptor_;
  std::filesystem::path file_;
  std::optional<std::filesystem::path> unfinished_;  // nothing where it is written as it is
  DescriptorBuffer buffer_;
  std::ostream stream_;
};

}  // namespace cairn::tools
