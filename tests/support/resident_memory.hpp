#pragma once
// The memory of this process.

#include <unistd.h>

#include <cstddef>
#include <fstream>

namespace cairn::test {

/// In mebibytes, of this process.
inline std::size_t resident_mebibytes() {
  std::ifstream file("/proc/self/statm");
  std::size_t all = 0, resident = 0;
  file >> all >> resident;
  return resident * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)) >> 20U;
}

}  // namespace cairn::test
