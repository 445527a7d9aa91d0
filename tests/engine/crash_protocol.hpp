#pragma once
// The messages that the process to be killed sends to the test, through a pipe.

#include <cstdint>

namespace cairn::test {

/// Reports that the commit of an operation returned. Short enough for an atomic write to a pipe.
struct CrashMessage {
  std::uint32_t writer = 0;      ///< or crash_importer, crash_scrubber
  std::uint32_t operations = 0;  ///< of this writer, so far
};

}  // namespace cairn::test
