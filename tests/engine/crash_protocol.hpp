#pragma once
// What the killed process tells its killer, through a pipe.

#include <cstdint>

namespace cairn::test {

/// Reports that the commit of an operation returned. Short enough for an atomic write to a pipe.
struct CrashMessage {
  std::uint32_t writer = 0;      ///< or crash_importer
  std::uint32_t operations = 0;  ///< of this writer, so far
};

}  // namespace cairn::test
