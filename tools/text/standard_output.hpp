#pragma once
// Standard output that remembers why it could not be written: std::cout alone knows no more than that
// it failed, and nobody asks it at the end.

#include <array>
#include <optional>
#include <streambuf>
#include <string>

namespace cairn::tools {

// The buffer of a stream over an open file: unlike those of the library, it knows why a write failed.

/// Writes to a descriptor, which stays its owner's. After a write that failed everything is dropped: what
/// came later would follow a gap.
class DescriptorBuffer : public std::streambuf {
 public:
  explicit DescriptorBuffer(int descriptor);
  DescriptorBuffer(const DescriptorBuffer&) = delete;
  DescriptorBuffer& operator=(const DescriptorBuffer&) = delete;

  /// Write out what is held; 0, or errno of the first write that failed.
  [[nodiscard]] int finish();

 protected:
  int_type overflow(int_type c) override;
  int sync() override;

 private:
  int descriptor_;
  int failure_ = 0;
  std::array<char, 16'384> held_{};
};

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
