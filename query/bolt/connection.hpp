#pragma once
// Connection: one client of a listener. The listener's thread does the handshake without blocking; then the connection
// gets its own thread, which answers its messages.

#include "engine/system/fork_guard.hpp"
#include "query/bolt/client_socket.hpp"
#include "query/bolt/listening_socket.hpp"
#include "query/bolt/poller.hpp"
#include "query/bolt/session.hpp"
#include "query/bolt/shared.hpp"
#include "query/bolt/waker.hpp"

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <thread>

namespace cairn::query::bolt {

// The handshake of Bolt: the first bytes of a client, by which both sides agree on a version.
//
// The client sends 60 60 B0 17 and four proposals of four bytes each: 00, range, minor, major. The answer is one version.
// If the client proposes the manifest, 00 00 01 FF, the answer lists all supported versions and the client chooses one.

/// Supported versions: minor versions from `least` to `most` of one major version.
struct VersionRange {
  std::uint8_t major;
  std::uint8_t least;
  std::uint8_t most;
};
/// The highest version first.
inline constexpr std::array<VersionRange, 2> spoken_versions{{{6, 0, 0}, {5, 0, 8}}};

enum class HandshakeState : std::uint8_t { open, agreed, failed };

/// Consumes the bytes of a handshake in pieces of any size.
class Handshake {
 public:
  /// Consumes the bytes of the handshake from the front of `bytes` and appends the reply to `answer`, also if the
  /// handshake fails. The remaining bytes belong to messages.
  [[nodiscard]] HandshakeState take(std::string_view& bytes, std::string& answer);
  /// The agreed version. Precondition: take() returned `agreed`.
  [[nodiscard]] Version version() const noexcept { return version_; }

 private:
  enum class Step : std::uint8_t { proposals, choice, capabilities, ended };

  /// Collects `size` bytes of the current step in begun_. Returns true if they are complete.
  [[nodiscard]] bool fill(std::string_view& bytes, std::size_t size);
  [[nodiscard]] HandshakeState fail();
  [[nodiscard]] HandshakeState agree(Version version);
  [[nodiscard]] HandshakeState take_proposals(std::string_view& bytes, std::string& answer);
  [[nodiscard]] HandshakeState take_choice(std::string_view& bytes);
  [[nodiscard]] HandshakeState take_capabilities(std::string_view& bytes);

  Step step_ = Step::proposals;
  HandshakeState state_ = HandshakeState::open;
  std::string begun_;  // bytes of the current step, at most 20
  Version version_;
};

/// Threads: all public calls come from the listener's thread. The connection's own thread wakes the listener when it
/// ends.
class Connection final : private InputOwner {
 public:
  using Clock = std::chrono::steady_clock;

  /// `shared`, `waker` and `poller` must outlive the object. The poller reports its events with `number`.
  Connection(Shared& shared, AcceptedSocket socket, const Waker& waker, const Poller& poller,
             std::uint64_t number);
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  /// Ends the connection and waits for its thread.
  ~Connection() override;

  /// Begins to wait for events. Returns false if the system refuses.
  [[nodiscard]] bool begin() const noexcept { return watch_.begin(); }
  /// Handles an event. Returns false if the connection must end: the client is gone, it does not speak Bolt, or the
  /// system refuses memory, a thread or events.
  [[nodiscard]] bool serve(std::uint32_t events, std::span<char> buffer);

  /// The listener is closing: no more events are reported. The thread answers what the client has sent, and then ends.
  void finish();
  /// Cancels the running statement, drops pending messages and lets the thread end. No more events are reported.
  void end();
  /// True once end() was called.
  [[nodiscard]] bool is_ending() const noexcept { return is_ending_; }
  /// As end(), and with TLS ends sending at once.
  void drop();
  /// True if the connection has ended and its thread is done, so that destroying it does not block.
  [[nodiscard]] bool has_ended() const noexcept {
    return has_ended_.load() && (socket_.tunnel == nullptr || socket_.tunnel->has_ended());
  }

  /// The client's address, or its process id on the socket in a directory.
  [[nodiscard]] const std::string& peer() const noexcept { return socket_.peer; }
  [[nodiscard]] int descriptor() const noexcept { return socket_.descriptor.value(); }
  [[nodiscard]] bool was_logged_on();
  /// True if the client has not logged on within the time limit.
  [[nodiscard]] bool is_late(Clock::time_point now);
  /// The name of the token with which the client logged on; empty before.
  [[nodiscard]] std::string principal() const;

 private:
  /// A client that has not logged on may send only small messages.
  std::size_t message_limit() override;
  void note_reset() override;
  std::chrono::milliseconds closing_pause() override;
  /// Continues the handshake, or passes the event to the input.
  [[nodiscard]] bool read(std::uint32_t events, std::span<char> buffer);
  /// Reads and answers the bytes of the handshake.
  [[nodiscard]] bool shake_hands(std::span<char> buffer);
  /// Creates the session and its thread. `bytes` follow the handshake.
  [[nodiscard]] bool start(std::string_view bytes);
  /// The connection's thread.
  void run() noexcept;
  /// Answers messages until the client leaves, an error occurs or end() is called.
  void answer_messages();
  void end_session() noexcept;
  /// Sends the last answers and closes the socket in order.
  void say_farewell();
  /// Calls `use` if there is a session. The session exists from the handshake to the end of the thread.
  template <class Use>
  void with_session(const Use& use) const {
    const std::lock_guard lock(session_mutex_);
    if (session_ != nullptr) use(*session_);
  }

  Shared& shared_;
  const Waker& waker_;
  const AcceptedSocket socket_;
  const engine::ForkGuard
      guard_;  // closes the socket in forked children, so that the client sees this process end
  const Clock::time_point latest_logon_;
  const SocketWatch watch_;
  Handshake handshake_;
  bool is_ending_ = false;
  // Stays true once set, because a client that logs off and on again must not be held to the limits
  // before the logon.
  std::atomic<bool> was_logged_on_ = false;
  std::atomic<bool> has_ended_ = false;
  mutable std::mutex
      session_mutex_;  // guards session_. Only the connection's thread changes it, and reads it without the mutex
  std::unique_ptr<Session> session_;  // from the handshake to the end of the thread
  ClientInput input_;
  SocketWriter writer_;  // used by the connection's thread only
  std::thread thread_;   // last, because it uses the other members
};

}  // namespace cairn::query::bolt
