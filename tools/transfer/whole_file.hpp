#pragma once
// A file that appears under its name whole and synced, or not at all.

#include "tools/text/standard_output.hpp"

#include <cairn/result.hpp>

#include <filesystem>
#include <memory>
#include <optional>
#include <ostream>
#include <string>

namespace cairn::tools {

/// Written under its name with ".new" behind it; what had the name before stays until appear(), and for
/// ever where this object ends earlier. What is no file, as a pipe or a device, is written as it is.
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
