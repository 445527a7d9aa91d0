#pragma once
// Connection: one client of a listener. The thread that waits for all sockets reads its bytes and puts messages together;
// a thread of its own answers them.

#include "engine/system/fork_guard.hpp"
#include "query/bolt/chunks.hpp"
#include "query/bolt/handshake.hpp"
#include "query/bolt/listening_socket.hpp"
#include "query/bolt/message_queue.hpp"
#include "query/bolt/session.hpp"
#include "query/bolt/shared.hpp"
#include "query/bolt/socket_writer.hpp"
#include "query/bolt/waker.hpp"

#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <thread>

namespace cairn::query::bolt {

/// Threads: all calls from the one that waits for sockets. The connection's own thread wakes that where it has ended, or
/// has answered all that it was waited for.
class Connection {
 public:
  using Clock = std::chrono::steady_clock;

  /// `shared` and `waker` outlive it.
  Connection(Shared& shared, AcceptedSocket socket, const Waker& waker);
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  /// Ends it and waits for its thread.
  ~Connection();

  /// Take what the socket has, once. False where the connection is to end, as the client is gone or speaks no Bolt.
  [[nodiscard]] bool read(std::span<char> buffer);
  /// Whether the socket is not to be read for now, as enough messages wait.
  [[nodiscard]] bool is_waiting() const noexcept { return is_waiting_; }
  /// Where it waited and need no longer: take what was read already. False as in read().
  [[nodiscard]] bool go_on();

  /// Cancel what runs, drop what waits and let the thread end.
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
  [[nodiscard]] bool take(std::string_view bytes);
  [[nodiscard]] bool take_all(std::string_view bytes);
  void add_message();
  [[nodiscard]] bool shake_hands(std::string_view& bytes);
  [[nodiscard]] bool start();
  [[nodiscard]] bool wait_with(std::string_view bytes);
  void refuse();
  [[nodiscard]] bool was_logged_on();
  [[nodiscard]] std::size_t message_limit();
  void serve() noexcept;
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
  Handshake handshake_;
  ChunkReader reader_;
  std::string unread_;  // bytes that wait with the socket
  bool is_waiting_ = false;
  bool was_logged_on_ =
      false;  // once is enough: a client that changes its token sends what follows at once
  bool is_refused_ = false;                     // what comes is thrown away
  std::atomic<std::size_t> refused_above_ = 0;  // bytes of a message that was too large
  std::atomic<bool> has_ended_ = false;
  mutable std::mutex
      session_mutex_;  // guards session_; its own thread alone changes it, and reads it without
  std::unique_ptr<Session> session_;  // from the handshake to the end of the thread
  MessageQueue messages_;
  SocketWriter writer_;  // the thread's
  std::thread thread_;   // last: it uses the others
};

}  // namespace cairn::query::bolt
