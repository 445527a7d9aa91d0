#pragma once
// Standard output that records why a write failed. std::cout only records that it failed, and
// usually nobody checks that.

#include <array>
#include <optional>
#include <streambuf>
#include <string>

namespace cairn::tools {

// A stream buffer for an open file that records why a write failed.

/// Writes to a descriptor without owning it. After a failed write all further output is dropped,
/// because it would follow a gap.
class DescriptorBuffer : public std::streambuf {
 public:
  explicit DescriptorBuffer(int descriptor);
  DescriptorBuffer(const DescriptorBuffer&) = delete;
  DescriptorBuffer& operator=(const DescriptorBuffer&) = delete;

  /// Writes buffered output; returns 0, or errno of the first failed write.
  [[nodiscard]] int finish();

 protected:
  int_type overflow(int_type c) override;
  int sync() override;

 private:
  int descriptor_;
  int failure_ = 0;
  std::array<char, 16'384> held_{};
};

/// Replaces the buffer of std::cout while it exists. Create one per program, before anything is
/// printed. Output is buffered; writes to std::cerr and std::flush flush it.
///
/// Closed descriptors 0 to 2 are occupied, so that no database file becomes standard output.
class StandardOutput {
 public:
  StandardOutput();
  StandardOutput(const StandardOutput&) = delete;
  StandardOutput& operator=(const StandardOutput&) = delete;
  ~StandardOutput();

  /// Writes buffered output. Returns the system's message about the first failed write; nullopt if
  /// all were written.
  [[nodiscard]] std::optional<std::string> finish();

 private:
  DescriptorBuffer buffer_;
  std::streambuf* before_;  // original buffer of std::cout
};

}  // namespace cairn::tools
