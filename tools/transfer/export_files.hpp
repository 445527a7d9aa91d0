#pragma once
// Exports to a file, with the statements of the indexes in another file next to it.

#include "tools/text/standard_output.hpp"

#include <cairn/result.hpp>
#include <cairn/transfer.hpp>

#include <filesystem>
#include <memory>
#include <optional>
#include <ostream>
#include <string>

namespace cairn::tools {

/// The result of an export to files.
struct ExportedFiles {
  ExportReport report;
  bool has_indexes = false;  ///< a file of indexes was written
};

/// Exports, with a progress line if `is_shown`. Both files appear when everything is written.
/// Errors: those of the export; io_error. After an error, the files of an earlier export are
/// unchanged, and the message says so.
[[nodiscard]] Result<ExportedFiles> export_to_files(Database& database,
                                                    const std::filesystem::path& file,
                                                    const ExportOptions& options, bool is_shown);

/// Returns "2 nodes and 1 relationship written to FILE", and the file of the indexes.
[[nodiscard]] std::string to_text(const ExportedFiles& files, const std::filesystem::path& file);

// A file that appears under its name complete and synced, or not at all.

/// Writes to a file with ".new" added to its name. An existing file of that name stays until
/// appear() replaces it. A pipe or device is written directly.
class WholeFile {
 public:
  /// Errors: io_error, like all functions below; `file` is unchanged then.
  [[nodiscard]] static Result<std::unique_ptr<WholeFile>> create(const std::filesystem::path& file);
  WholeFile(const WholeFile&) = delete;
  WholeFile& operator=(const WholeFile&) = delete;
  ~WholeFile();

  [[nodiscard]] std::ostream& stream() noexcept { return stream_; }
  /// Writes buffered output. Also fails if an earlier write failed, with that write's reason.
  [[nodiscard]] Status flush();
  /// Calls flush() and waits for the disk.
  [[nodiscard]] Status sync();
  /// After sync(), renames the file to its name.
  [[nodiscard]] Status appear();

 private:
  WholeFile(int descriptor, std::filesystem::path file,
            std::optional<std::filesystem::path> unfinished);

  int descriptor_;
  std::filesystem::path file_;
  std::optional<std::filesystem::path> unfinished_;  // nullopt if written directly
  DescriptorBuffer buffer_;
  std::ostream stream_;
};

}  // namespace cairn::tools
