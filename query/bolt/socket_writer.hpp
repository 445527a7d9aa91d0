#pragma once
// SocketWriter: answers of a session to its client, in chunks, through a buffer.

#include "query/bolt/session.hpp"

#include <chrono>
#include <string>
#include <string_view>

namespace cairn::query::bolt {

/// One thread. It never blocks for longer, so that a client that reads nothing holds up its own thread, for a time.
class SocketWriter final : public Replies {
 public:
  /// A client that takes no byte for `send_time` is given up.
  SocketWriter(int socket, std::chrono::milliseconds send_time)
      : socket_(socket), send_time_(send_time) {}

  /// False from the first byte on that could not be sent.
  [[nodiscard]] bool add(std::string_view message) override;
  [[nodiscard]] bool add_chunks(std::string_view chunks) override { return append(chunks); }
  /// Send what is in the buffer.
  [[nodiscard]] bool flush();
  [[nodiscard]] bool has_failed() const noexcept { return has_failed_; }

 private:
  [[nodiscard]] bool append(std::string_view bytes);
  [[nodiscard]] bool send(std::string_view bytes);
  [[nodiscard]] bool wait_for_room() const;

  const int socket_;
  const std::chrono::milliseconds send_time_;
  std::string buffer_;
  bool has_failed_ = false;
};

}  // namespace cairn::query::bolt
