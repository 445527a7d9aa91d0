#pragma once
// Connection: one client of a listener. The thread that polls all sockets makes the handshake; then a thread of its own
// answers its messages.

#include "engine/system/fork_guard.hpp"
#include "query/bolt/client_socket.hpp"
#include "query/bolt/handshake.hpp"
#include "query/bolt/listening_socket.hpp"
#include "query/bolt/poller.hpp"
#include "query/bolt/session.hpp"
#include "query/bolt/shared.hpp"
#include "query/bolt/waker.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <thread>

namespace cairn::query::bolt {

/// Threads: all calls from the one that waits for sockets. The connection's own thread wakes that where it has ended.
class Connection final : private InputOwner {
 public:
  using Clock = std::chrono::steady_clock;

  /// `shared`, `waker` and `poller` outlive it. The poller says its events with `number`.
  Connection(Shared& shared, AcceptedSocket socket, const Waker& waker, const Poller& poller,
             std::uint64_t number);
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  /// Ends it and waits for its thread.
  ~Connection() override;

  /// Wait for its events. False where the system refuses.
  [[nodiscard]] bool begin() const noexcept { return watch_.begin(); }
  /// An event has come. False where the connection is to end, as the client is gone or speaks no Bolt.
  [[nodiscard]] bool serve(std::uint32_t events, std::span<char> buffer);

  /// Cancel what runs, drop what waits and let the thread end. No more events come.
  void end();
  /// Whether it was ended and its thread is done, so that it can be destroyed without a wait.
  [[nodiscard]] bool has_ended() const noexcept {
    return has_ended_.load() && (socket_.tunnel == nullptr || socket_.tunnel->has_ended());
  }

  [[nodiscard]] const std::string& peer() const noexcept { return socket_.peer; }
  [[nodiscard]] int descriptor() const noexcept { return socket_.descriptor.value(); }
  /// Whether it should have logged on by now.
  [[nodiscard]] bool is_late(Clock::time_point now);
  /// The token that it logged on with; empty before.
  [[nodiscard]] std::string principal() const;

 private:
  std::size_t message_limit() override;
  void note_reset() override;
  [[nodiscard]] bool read(std::uint32_t events, std::span<char> buffer);
  [[nodiscard]] bool shake_hands(std::span<char> buffer);
  [[nodiscard]] bool start(std::string_view bytes);
  [[nodiscard]] bool was_logged_on();
  void run() noexcept;
  void answer_messages();
  void end_session() noexcept;
  void say_farewell();
  /// Nothing is done where it has none, or no more.
  template <class Use>
  void with_session(const Use& use) const {
    const std::lock_guard lock(session_mutex_);
    if (session_ != nullptr) use(*session_);
  }

  Shared& shared_;
  const Waker& waker_;
  const AcceptedSocket socket_;
  const engine::ForkGuard guard_;  // a client is to see the end of this process
  const Clock::time_point latest_logon_;
  const SocketWatch watch_;
  Handshake handshake_;
  // Once is enough: a client that changes its token sends what follows at once.
  std::atomic<bool> was_logged_on_ = false;
  std::atomic<bool> has_ended_ = false;
  mutable std::mutex
      session_mutex_;  // guards session_; its own thread alone changes it, and reads it without
  std::unique_ptr<Session> session_;  // from the handshake to the end of the thread
  ClientInput input_;
  SocketWriter writer_;  // the thread's
  std::thread thread_;   // last: it uses the others
};

}  // namespace cairn::query::bolt
