#pragma once
// The socket of one client: ClientInput reads its messages in order, SocketWriter sends it the answers.
//
// Two threads may read. The session's thread reads the socket itself while it waits for the next message, so that no other
// thread has to wake it. While it runs a statement, the listener's thread reads: a RESET, or the end of the client, must
// interrupt the statement.

#include "query/bolt/chunks.hpp"
#include "query/bolt/poller.hpp"
#include "query/bolt/session.hpp"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace cairn::query::bolt {

/// What the messages mean to their connection. Threads: any.
class InputOwner {
 public:
  virtual ~InputOwner() = default;
  /// How large a message may be now: more once its client has logged on.
  [[nodiscard]] virtual std::size_t message_limit() = 0;
  /// A RESET has come, and is one of the next messages.
  virtual void note_reset() = 0;
};

/// What is to be done once, where nothing comes for some time.
struct IdleTask {
  std::chrono::milliseconds after{};
  std::function<void()> act;  ///< none: nothing
};

/// Threads: next() and drain() are of the one that answers, read() of the listener's, end() of any.
class ClientInput {
 public:
  /// `owner` and the socket outlive it.
  ClientInput(InputOwner& owner, int socket, const SocketWatch& watch)
      : owner_(owner), socket_(socket), watch_(watch) {}

  /// Take bytes that were read already, before anything else is called. False where the system refuses to watch the socket.
  [[nodiscard]] bool begin(std::string_view bytes);
  /// The socket has something, or where `is_gone` its client has ended. False where the connection is to end.
  [[nodiscard]] bool read(std::span<char> buffer, bool is_gone);

  /// Whether next() would not wait.
  [[nodiscard]] bool has_message();
  /// The next message; waits for it. Nothing behind the last one, or where `before_waiting` gives false.
  [[nodiscard]] std::optional<std::string> next(const std::function<bool()>& before_waiting,
                                                const IdleTask& idle = {});
  /// Once next() gave nothing because the client sent a message that is too large: the limit. Else 0.
  [[nodiscard]] std::size_t refused_above() const noexcept { return refused_above_; }
  /// Throw away what still comes, until the client has ended, and no longer than `time`.
  void drain(std::chrono::milliseconds time);

  /// Nothing more is given; who waits for it goes on.
  void end() noexcept;

 private:
  void take(std::string_view bytes);
  /// Wait for bytes and take them; false where none came in time. Negative: for ever.
  [[nodiscard]] bool take_own(int milliseconds);
  [[nodiscard]] bool wait_for_bytes(int milliseconds) const noexcept;
  [[nodiscard]] bool wants_bytes() const noexcept;
  void begin_own_reading();

  InputOwner& owner_;
  const int socket_;
  const SocketWatch watch_;
  std::atomic<bool> has_ended_ = false;
  std::mutex mutex_;  // guards the rest; while reads_itself_, that is of the thread that answers
  bool reads_itself_ = false;  // the thread that answers
  ChunkReader reader_;
  std::string unread_;  // bytes of a message that may be too large, as its logon waits before it
  std::size_t refused_above_ = 0;
  std::deque<std::string> messages_;
  std::size_t bytes_ = 0;  // of them
};

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
