#include "tools/text/standard_output.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cstring>
#include <iostream>

namespace cairn::tools {
namespace {

/// The lowest free descriptor is given to the next file. One that can be neither read nor written as is
/// meant tells of itself when it is used.
void take_closed_descriptors() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(descriptor, F_GETFD) < 0)
      ::open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

}  // namespace

// Turning synchronization off later would put another buffer into std::cout.
StandardOutput::StandardOutput() : buffer_(STDOUT_FILENO) {
  take_closed_descriptors();
  std::ios::sync_with_stdio(false);
  before_ = std::cout.rdbuf(&buffer_);
}

StandardOutput::~StandardOutput() { std::cout.rdbuf(before_); }

std::optional<std::string> StandardOutput::finish() {
  const int failure = buffer_.finish();
  return failure == 0 ? std::nullopt : std::optional<std::string>(std::strerror(failure));
}

}  // namespace cairn::tools
