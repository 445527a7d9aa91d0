#pragma once
// The socket of one client: ClientInput reads its messages in order, SocketWriter sends the answers.
//
// Two threads may read. While the session's thread waits for the next message, it reads the socket itself, so that no
// other thread has to wake it. While it runs a statement, the listener's thread reads, because a RESET or the end of
// the client must interrupt the statement.

#include "query/bolt/chunks.hpp"
#include "query/bolt/poller.hpp"
#include "query/bolt/session.hpp"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace cairn::query::bolt {

/// The connection to which the messages belong. Threads: any.
class InputOwner {
 public:
  virtual ~InputOwner() = default;
  /// The current limit for the size of a message; it grows once the client has logged on.
  [[nodiscard]] virtual std::size_t message_limit() = 0;
  /// Called when a RESET has arrived; the session will receive it as one of the next messages.
  virtual void note_reset() = 0;
  /// Called when the listener closes: how long the client may take to send the next message. Zero: only messages that have
  /// arrived are taken.
  [[nodiscard]] virtual std::chrono::milliseconds closing_pause() { return {}; }
};

/// An action to run once if no message arrives for some time.
struct IdleTask {
  std::chrono::milliseconds after{};
  std::function<void()> act;  ///< empty: no action
};

/// The messages of a client. Threads: the session's thread calls next() and drain(), the listener's thread calls read(),
/// and any thread may call end().
class ClientInput {
 public:
  /// `owner` and the descriptors must outlive the object. `closing_event` is that of Shared.
  ClientInput(InputOwner& owner, int socket, const SocketWatch& watch, int closing_event)
      : owner_(owner), socket_(socket), closing_event_(closing_event), watch_(watch) {}

  /// Takes bytes that followed the handshake; must be called first. Returns false if the system refuses to watch the
  /// socket.
  [[nodiscard]] bool begin(std::string_view bytes);
  /// Called by the listener when the socket is readable, or with `is_gone` when the client has closed it. Returns false
  /// if the connection must end.
  [[nodiscard]] bool read(std::span<char> buffer, bool is_gone);

  /// True if next() would not block.
  [[nodiscard]] bool has_message();
  /// Waits for the next message. Calls `before_waiting` first if no message has arrived yet. Returns nullopt if the
  /// connection has ended, or if `before_waiting` returns false.
  [[nodiscard]] std::optional<std::string> next(const std::function<bool()>& before_waiting,
                                                const IdleTask& idle = {});
  /// The size limit, if next() returned nullopt because a message is larger; otherwise 0.
  [[nodiscard]] std::size_t refused_above() const noexcept { return refused_above_; }
  /// Reads and drops bytes until the client closes the connection, for at most `time`.
  void drain(std::chrono::milliseconds time);

  /// Shuts the socket down: next() returns nullopt, also if it is waiting. Threads: any.
  void end() noexcept;

 private:
  /// Splits bytes into messages. Precondition: the caller owns the state (see mutex_).
  void take(std::string_view bytes);
  /// What ended a wait.
  enum class Arrival : std::uint8_t { nothing, bytes, closing };
  /// Waits for the next message, for the thread that reads the socket itself.
  void wait_for_message(const IdleTask& idle);
  /// Waits for bytes and takes them, or for an event (-1: none). A negative timeout waits forever.
  [[nodiscard]] Arrival take_own(int milliseconds, int event);
  [[nodiscard]] Arrival wait_for_bytes(int milliseconds, int event = -1) const noexcept;
  /// False while enough messages are waiting, so that the client is slowed down.
  [[nodiscard]] bool wants_bytes() const noexcept;
  /// Hands the socket over to the session's thread.
  void begin_own_reading();

  InputOwner& owner_;
  const int socket_;
  const int closing_event_;
  const SocketWatch watch_;
  std::atomic<bool> has_ended_ = false;
  std::mutex
      mutex_;  // guards the following members; while reads_itself_ is set they belong to the session's thread
  bool reads_itself_ = false;  // true while the session's thread reads the socket
  ChunkReader reader_;
  std::string
      unread_;  // the start of a message above the current limit, which a pending logon may raise
  std::size_t refused_above_ = 0;
  std::deque<std::string> messages_;
  std::size_t bytes_ = 0;  // memory of the waiting messages
};

/// Sends answers through a buffer. Only the session's thread uses it, so a client that reads nothing blocks its own
/// thread only, and only for `send_time`.
class SocketWriter final : public Replies {
 public:
  /// If the client accepts no byte for `send_time`, the writer has failed.
  SocketWriter(int socket, std::chrono::milliseconds send_time)
      : socket_(socket), send_time_(send_time) {}

  /// Returns false once a byte could not be sent.
  [[nodiscard]] bool add(std::string_view message) override;
  [[nodiscard]] bool add_chunks(std::string_view chunks) override { return append(chunks); }
  /// Sends the buffered bytes.
  [[nodiscard]] bool flush();
  [[nodiscard]] bool has_failed() const noexcept { return has_failed_; }

 private:
  [[nodiscard]] bool append(std::string_view bytes);
  [[nodiscard]] bool send(std::string_view bytes);
  /// Waits until the socket accepts bytes. Returns false after `send_time`.
  [[nodiscard]] bool wait_for_room() const;

  const int socket_;
  const std::chrono::milliseconds send_time_;
  std::string buffer_;
  bool has_failed_ = false;
};

}  // namespace cairn::query::bolt
