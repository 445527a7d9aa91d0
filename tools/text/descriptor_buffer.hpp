#pragma once
// The buffer of a stream over an open file: unlike those of the library, it knows why a write failed.

#include <array>
#include <streambuf>

namespace cairn::tools {

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

}  // namespace cairn::tools
