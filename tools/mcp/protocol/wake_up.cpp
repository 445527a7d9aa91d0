#include "tools/mcp/protocol/wake_up.hpp"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <system_error>

namespace cairn::tools::mcp {

WakeUp::WakeUp() : descriptor_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  if (descriptor_ < 0) throw std::system_error(errno, std::generic_category(), "eventfd");
}

WakeUp::~WakeUp() { close(descriptor_); }

void WakeUp::wake() noexcept {
  const std::uint64_t one = 1;
  // It fails only where it was woken 2^64 times already.
  static_cast<void>(!write(descriptor_, &one, sizeof one));
}

void WakeUp::clear() noexcept {
  std::uint64_t times = 0;
  static_cast<void>(!read(descriptor_, &times, sizeof times));
}

Readiness wait_for(int descriptor, short events, const WakeUp& wake_up, int milliseconds) {
  std::array<pollfd, 2> polled{pollfd{descriptor, events, 0},
                               pollfd{wake_up.descriptor(), POLLIN, 0}};
  if (poll(polled.data(), polled.size(), milliseconds) <= 0) return {};
  return {polled[0].revents != 0, polled[1].revents != 0};
}

}  // namespace cairn::tools::mcp
