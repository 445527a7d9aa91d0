#pragma once
// SocketClient: a client of a listener by a socket of its own, which may misbehave.

#include "query/bolt/chunks.hpp"
#include "tests/query/bolt/bolt_client.hpp"

#include <cairn/bolt.hpp>

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace cairn::test {

class SocketClient {
 public:
  explicit SocketClient(const BoltAddress& address);
  SocketClient(SocketClient&& other) noexcept;
  SocketClient(const SocketClient&) = delete;
  SocketClient& operator=(const SocketClient&) = delete;
  ~SocketClient();

  [[nodiscard]] int descriptor() const noexcept { return descriptor_; }
  /// Whether all of it could be sent.
  bool send(std::string_view bytes);
  /// As many of them as go without waiting longer than `time` for room.
  std::size_t send_some(std::string_view bytes, std::chrono::milliseconds time);
  bool send_request(query::bolt::Tag tag, const List& fields = {});

  /// As many bytes; fewer where the connection ends or nothing comes for five seconds.
  std::string receive(std::size_t size);
  /// The next message; nothing where the connection ends before it.
  std::optional<BoltAnswer> answer();
  BoltAnswer ask(query::bolt::Tag tag, const List& fields = {});
  /// The rows of RUN and PULL, as "1; 2", or "CODE: message".
  std::string result(std::string_view text, const Map& parameters = {});
  /// Whether the server ends the connection within this time; what it says until then is dropped.
  bool is_ended_within(std::chrono::milliseconds time);

  /// Propose 5.8.
  bool shake_hands();
  /// With a handshake before it; false where the connection ended.
  bool log_on(const std::string& secret);
  /// Send no more.
  void shut_down();
  void close();

 private:
  int descriptor_ = -1;
  query::bolt::ChunkReader reader_;
  std::string unread_;
};

/// The bytes of a request, in chunks.
[[nodiscard]] std::string chunks_of(query::bolt::Tag tag, const List& fields = {});
/// HELLO and LOGON.
[[nodiscard]] std::string logon_bytes(const std::string& secret);
[[nodiscard]] std::string handshake_bytes();

}  // namespace cairn::test
