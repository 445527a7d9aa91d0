#pragma once
// Standard output that remembers why it could not be written: std::cout alone knows no more than that
// it failed, and nobody asks it at the end.

#include <array>
#include <optional>
#include <streambuf>
#include <string>

namespace cairn::tools {

/// What std::cout writes through for the life of this object; one a program, made before anything is
/// printed. Buffered; std::cerr and std::flush write out what is held.
///
/// Descriptors 0 to 2 that are closed are taken, so that no file of a database becomes standard output.
class StandardOutput final : public std::streambuf {
 public:
  StandardOutput();
  StandardOutput(const StandardOutput&) = delete;
  StandardOutput& operator=(const StandardOutput&) = delete;
  ~StandardOutput() override;

  /// Write out what is held. What the system said of the first write that failed, nothing where all was
  /// written.
  [[nodiscard]] std::optional<std::string> finish();

 protected:
  int_type overflow(int_type c) override;
  int sync() override;

 private:
  std::streambuf* before_;  // of std::cout
  std::array<char, 16'384> held_{};
  int failure_ = 0;  // errno
};

}  // namespace cairn::tools
