#pragma once
// What the process that is killed tells the one that kills it, through a pipe.

#include <cstdint>

namespace cairn::test {

/// The commit of an operation has returned. Short enough that a pipe takes it whole or not at all.
struct CrashMessage {
  std::uint32_t writer = 0;
  std::uint32_t operations = 0;  ///< of this writer, so far
};

}  // namespace cairn::test
