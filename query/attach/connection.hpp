#pragma once
// Connection: one to the process that has the database, over the socket in its directory or over the network.
//
// It speaks Bolt 6.0 with the entries of query/bolt/attached.hpp. Requests are sent together and answered in order; a failure has
// all that follow it ignored, and is taken back by a RESET before anybody hears of it, so that a connection is always fit
// for the next request.

#include "codec/packstream_values.hpp"
#include "engine/system/fork_guard.hpp"
#include "engine/system/process.hpp"
#include "engine/system/regular_file.hpp"
#include "query/bolt/chunks.hpp"
#include "query/bolt/listening_socket.hpp"
#include "query/bolt/messages.hpp"
#include "query/bolt/tls.hpp"

#include <cairn/result.hpp>
#include <cairn/value.hpp>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::query::attach {

/// How long a network socket may accept none of the sent bytes before the connection is given up.
inline constexpr std::chrono::milliseconds send_time{30'000};

/// How long a host may be stopped (SIGSTOP), or one beyond the network be silent, before a call gives up.
using Patience = std::chrono::milliseconds;

/// The other end of a socket.
struct Peer {
  std::int64_t process = 0;  ///< 0 beyond the network
  std::string name;          ///< for messages
};

/// Threads: one at a time, but for interrupt().
class Connection {
 public:
  /// A message of the host: metadata of SUCCESS and FAILURE, or the values of RECORD.
  struct Answer {
    bolt::Tag tag = bolt::Tag::success;
    Map metadata;
    List values;
  };

  /// Connect and say HELLO with `said`; `greeting()` is what the host answered.
  /// Errors: not_found where nobody listens, or who did goes; unsupported where it is of another user, or speaks otherwise.
  [[nodiscard]] static Result<std::unique_ptr<Connection>> open(
      const std::filesystem::path& directory, const Map& said, Patience patience,
      bolt::TrustedHost trusted = bolt::TrustedHost::of_this_user);
  /// Say HELLO and LOGON on a socket that is connected. With TLS it is the plain end of `tunnel`.
  /// Errors: those of logging on; unsupported where the other end is not of this library; io_error where it is silent.
  [[nodiscard]] static Result<std::unique_ptr<Connection>> log_on(
      engine::FileDescriptor socket, std::unique_ptr<bolt::TlsTunnel> tunnel, std::string name,
      const Map& credentials, Patience patience);
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  ~Connection();

  [[nodiscard]] const Map& greeting() const noexcept { return greeting_; }
  [[nodiscard]] std::int64_t host() const noexcept { return peer_.process; }
  /// Whether the other end is gone or sent something unreadable: the connection cannot be used any more.
  [[nodiscard]] bool is_lost() const noexcept { return is_lost_.load(); }

  /// Whether the host closed the connection while it was idle.
  [[nodiscard]] bool has_ended() const;
  /// Wait until it does, or until `waker` can be read. The connection must be idle. True where the host has ended.
  [[nodiscard]] bool wait_for_end(int waker) const;

  /// Put a request behind those that are sent with the next flush().
  void add(bolt::Tag tag, const List& fields);
  /// Errors: those of a lost connection; resource_limit for a request that is too large, and then nothing is sent.
  [[nodiscard]] Status flush();
  /// The next answer. A FAILURE comes as its error, once the connection is reset, and IGNORED as `cancelled`.
  /// Errors: also io_error, where the host is gone (is_lost()); busy, where it is stopped longer than `patience`.
  [[nodiscard]] Result<Answer> receive(Patience patience);
  /// Whether the last failure ended the transaction in which it came.
  [[nodiscard]] bool has_ended_transaction() const noexcept { return has_ended_transaction_; }
  /// The size of the last answer.
  [[nodiscard]] std::size_t last_message_bytes() const noexcept { return last_message_bytes_; }
  /// One request and its one answer.
  [[nodiscard]] Result<Map> ask(bolt::Tag tag, const List& fields, Patience patience);

  /// Cancel what the host runs for this connection; pending answers come as `cancelled`. A request that is not sent yet
  /// is cancelled once it is sent. Any thread may call it.
  void interrupt();
  /// Called after the last answer of requests. True if an interruption came too late to fail one of them.
  [[nodiscard]] Result<bool> settle(Patience patience);

 private:
  Connection(engine::FileDescriptor socket, std::unique_ptr<bolt::TlsTunnel> tunnel, Peer peer);

  [[nodiscard]] Status shake_hands(Patience patience);
  /// What a server beyond the network says of itself. Errors: unsupported for one of another library.
  [[nodiscard]] Status take_greeting(const Map& metadata);
  void write_field(codec::PackStreamWriter& writer, const Value& field) const;
  void end_tunnel();
  [[nodiscard]] Status send(std::string_view bytes);
  /// Precondition: the caller holds the mutex.
  void send_reset();
  [[nodiscard]] Status fill(Patience patience);
  [[nodiscard]] Status wait_for_bytes(Patience patience);
  [[nodiscard]] Result<std::string> receive_message(Patience patience);
  [[nodiscard]] Result<Answer> receive_any(Patience patience);
  /// After a failure: what was sent behind it is ignored, until a RESET is answered.
  [[nodiscard]] Status recover(Patience patience);
  [[nodiscard]] Error lost(std::string_view how);
  /// The error of an end that is silent. Cost: nothing can be asked of it any more.
  [[nodiscard]] Error given_up(Patience time);

  const engine::Process process_;
  std::unique_ptr<bolt::TlsTunnel> tunnel_;  // outlives the socket, which is its plain end
  engine::FileDescriptor socket_;
  engine::ForkGuard guard_;
  const Peer peer_;
  Map greeting_;
  std::string waiting_;        // requests, in chunks
  bool is_too_large_ = false;  // one of them
  std::size_t most_bytes_;     // of one
  bool is_logged_on_ = false;
  bool has_ended_transaction_ = false;
  std::unique_ptr<char[]> buffer_;
  std::string_view unread_;  // bytes in it
  bolt::ChunkReader reader_;
  std::size_t last_message_bytes_ = 0;
  std::mutex send_mutex_;                       // guards sending and the three below
  bool is_asking_ = false;                      // from flush() to settle()
  bool is_interrupt_wanted_ = false;            // before that
  std::size_t unanswered_resets_ = 0;           // of interrupt()
  std::atomic<std::size_t> open_requests_ = 0;  // sent and not answered to their end
  std::atomic<bool> is_lost_ = false;
};

}  // namespace cairn::query::attach
