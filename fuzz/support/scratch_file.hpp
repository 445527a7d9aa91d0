#pragma once
// ScratchFile: a file in memory, for readers that open files by name.

#include "fuzz/support/expect.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <string>
#include <string_view>

namespace cairn::fuzz {

/// One file for all inputs of a target; each input overwrites it.
class ScratchFile {
 public:
  /// Replaces the content of the file; returns its name.
  const std::string& write(std::string_view bytes) {
    expect(::ftruncate(descriptor_, 0) == 0);
    expect(::pwrite(descriptor_, bytes.data(), bytes.size(), 0) ==
           static_cast<ssize_t>(bytes.size()));
    return path_;
  }

 private:
  const int descriptor_ = ::memfd_create("scratch", 0);
  const std::string path_ = "/proc/self/fd/" + std::to_string(descriptor_);
};

}  // namespace cairn::fuzz
