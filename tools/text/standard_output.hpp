#pragma once
// Standard output that remembers why it could not be written: std::cout alone knows no more than that
// it failed, and nobody asks it at the end.

#include "tools/text/descriptor_buffer.hpp"

#include <optional>
#include <string>

namespace cairn::tools {

/// What std::cout writes through for the life of this object; one a program, made before anything is
/// printed. Buffered; std::cerr and std::flush write out what is held.
///
/// Descriptors 0 to 2 that are closed are taken, so that no file of a database becomes standard output.
class StandardOutput {
 public:
  StandardOutput();
  StandardOutput(const StandardOutput&) = delete;
  StandardOutput& operator=(const StandardOutput&) = delete;
  ~StandardOutput();

  /// Write out what is held. What the system said of the first write that failed, nothing where all was
  /// written.
  [[nodiscard]] std::optional<std::string> finish();

 private:
  DescriptorBuffer buffer_;
  std::streambuf* before_;  // of std::cout
};

}  // namespace cairn::tools
