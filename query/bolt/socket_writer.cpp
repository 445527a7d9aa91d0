#include "query/bolt/socket_writer.hpp"

#include "engine/system/bounded_duration.hpp"
#include "query/bolt/chunks.hpp"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <limits>

namespace cairn::query::bolt {
namespace {

constexpr std::size_t buffer_size = std::size_t{64} << 10U;

}  // namespace

bool SocketWriter::add(std::string_view message) {
  return write_chunks(message, [this](std::string_view piece) { return append(piece); });
}

bool SocketWriter::append(std::string_view bytes) {
  if (has_failed_) return false;
  if (buffer_.size() + bytes.size() > buffer_size && !flush()) return false;
  if (bytes.size() >= buffer_size) return send(bytes);
  buffer_ += bytes;
  return true;
}

bool SocketWriter::flush() {
  if (has_failed_) return false;
  const bool is_sent = send(buffer_);
  buffer_.clear();
  return is_sent;
}

bool SocketWriter::send(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(sent));
      continue;
    }
    has_failed_ = errno != EINTR && (errno != EAGAIN || !wait_for_room());
    if (has_failed_) return false;
  }
  return true;
}

/// False where the client takes nothing for too long. A socket that was shut down meanwhile has room, and then fails.
bool SocketWriter::wait_for_room() const {
  const auto end = std::chrono::steady_clock::now() + engine::bounded(send_time_);
  while (true) {
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
    if (left.count() <= 0) return false;
    const auto most = std::chrono::milliseconds::rep{std::numeric_limits<int>::max()};
    pollfd waited{socket_, POLLOUT, 0};
    const int ready = ::poll(&waited, 1, static_cast<int>(std::min(left.count(), most)));
    if (ready > 0) return true;
    if (ready < 0 && errno != EINTR) return false;
  }
}

}  // namespace cairn::query::bolt
