#pragma once
// Connection: one connection to the process that serves the database: the host on this machine, through the socket in the
// directory, or a server on the network.
//
// The protocol is Bolt 6.0 with the entries of query/bolt/attached.hpp. Requests are pipelined: several are sent together
// and answered in order. After a failure the other end ignores the requests that follow, until a RESET. The connection
// sends this RESET itself before it returns the error, so it is always ready for the next request.

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
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::query::attach {

/// How long a send to a server on the network may block before the connection is given up.
inline constexpr std::chrono::milliseconds send_time{30'000};

/// How long to wait for an answer while a host is stopped (SIGSTOP), or while a server on the network is silent.
using Patience = std::chrono::milliseconds;

/// The directory in whose socket a host listens, and whom to trust there.
struct HostPlace {
  std::filesystem::path directory;
  bolt::TrustedHost trusted = bolt::TrustedHost::of_this_user;
};

/// The process at the other end.
struct Peer {
  std::int64_t process = 0;  ///< process id of the host; 0 if the system hides it, or for a server
  std::string name;          ///< names the other end in error messages
  std::optional<HostPlace> host = std::nullopt;  ///< nullopt for a server on the network
};

/// Threads: one at a time, except for interrupt().
class Connection {
 public:
  /// A message from the other end: the metadata of SUCCESS or FAILURE, or the values of RECORD.
  struct Answer {
    bolt::Tag tag = bolt::Tag::success;
    Value content;  ///< the metadata as a map
    List values;

    /// Empty for RECORD.
    [[nodiscard]] const Map& metadata() const noexcept;
  };

  /// Connects to the host of a directory and sends HELLO with the entries of `said`. greeting() returns the host's
  /// answer.
  /// Errors: not_found if no process listens or the host ends meanwhile; unsupported if the host belongs to another user
  /// or speaks another protocol; busy if the host is stopped longer than `patience`.
  [[nodiscard]] static Result<std::unique_ptr<Connection>> open(
      const std::filesystem::path& directory, const Map& said, Patience patience,
      bolt::TrustedHost trusted = bolt::TrustedHost::of_this_user);
  /// Sends HELLO and LOGON to a server through a connected socket. With TLS, `socket` is the plain end of `tunnel`.
  /// Errors: those of the logon; unsupported if the other end is not a Cairn server; io_error if it does not answer in
  /// time.
  [[nodiscard]] static Result<std::unique_ptr<Connection>> log_on(
      engine::FileDescriptor socket, std::unique_ptr<bolt::TlsTunnel> tunnel, std::string name,
      const Map& credentials, Patience patience);
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  ~Connection();

  /// The answer to HELLO.
  [[nodiscard]] const Map& greeting() const noexcept { return greeting_; }
  /// The process id of the host; 0 if the system hides it (bolt::process_name()), and for a server on the network.
  [[nodiscard]] std::int64_t host() const noexcept { return peer_.process; }
  /// True once the other end is gone, has sent invalid data, or was given up. The connection cannot be used any more.
  [[nodiscard]] bool is_lost() const noexcept { return is_lost_.load(); }

  /// True if the other end has closed the idle connection.
  [[nodiscard]] bool has_ended() const;
  /// Waits until the host ends or `waker` becomes readable. The connection must be idle. Returns true if the host has
  /// ended.
  [[nodiscard]] bool wait_for_end(int waker) const;

  /// Queues a request for the next flush().
  void add(bolt::Tag tag, const List& fields);
  /// Sends the queued requests. Errors: those of a lost connection; resource_limit for a request that is too large, and
  /// then nothing is sent.
  [[nodiscard]] Status flush();
  /// Waits for the next answer. FAILURE is returned as its error, after the connection has been reset; IGNORED is
  /// returned as `cancelled`.
  /// Errors: also io_error if the other end is gone (is_lost()); busy if the host is stopped longer than `patience`.
  [[nodiscard]] Result<Answer> receive(Patience patience);
  /// The error of the last requests if it ended their transaction as well.
  [[nodiscard]] const std::optional<Error>& transaction_end() const noexcept {
    return transaction_end_;
  }
  /// The size of the last answer in bytes.
  [[nodiscard]] std::size_t last_message_bytes() const noexcept { return last_message_bytes_; }
  /// Sends one request and returns the metadata of its answer.
  [[nodiscard]] Result<Map> ask(bolt::Tag tag, const List& fields, Patience patience);

  /// Cancels the requests that run for this connection, with a RESET; pending answers are returned as `cancelled`. If no
  /// request has been sent yet, the next one is cancelled. Any thread may call it.
  void interrupt();
  /// Must be called after the last answer of an exchange. Returns true if an interruption arrived too late to fail a
  /// request.
  [[nodiscard]] Result<bool> settle(Patience patience);

 private:
  Connection(engine::FileDescriptor socket, std::unique_ptr<bolt::TlsTunnel> tunnel, Peer peer);

  /// Negotiates the version of Bolt.
  [[nodiscard]] Status shake_hands(Patience patience);
  /// Reads the greeting of a server on the network. Errors: unsupported if it is not a Cairn server.
  [[nodiscard]] Status take_greeting(const Map& metadata);
  /// Encodes a field of a request.
  void write_field(codec::PackStreamWriter& writer, const Value& field) const;
  /// Closes the plain end of the tunnel and waits shortly until the tunnel has sent the rest.
  void end_tunnel();
  [[nodiscard]] Status send(std::string_view bytes);
  /// Sends a RESET, unless one is already unanswered. Precondition: the caller holds send_mutex_.
  void send_reset();
  /// Reads the next bytes into the buffer. Precondition: unread_ is empty.
  [[nodiscard]] Status fill(Patience patience);
  /// Blocks until bytes have arrived or the patience is exhausted.
  [[nodiscard]] Status wait_for_bytes(Patience patience);
  /// True if the system shows that the host runs, so that its silence means work.
  [[nodiscard]] bool is_seen_running() const;
  /// Called after a long silence. Also true if the system does not show the state of the host, and the host answers a new
  /// connection, or accepts none because it is ending.
  [[nodiscard]] bool is_found_running() const;
  /// The next message, which is valid until the next call.
  [[nodiscard]] Result<std::string_view> receive_message(Patience patience);
  /// The next message, whatever its tag.
  [[nodiscard]] Result<Answer> receive_any(Patience patience);
  /// The error of FAILURE or IGNORED, after the connection has been reset.
  [[nodiscard]] Error refused(const Answer& answer, Patience patience);
  /// Resets the connection after a failure: the other end ignores all requests until it has answered a RESET.
  [[nodiscard]] Status recover(Patience patience);
  /// Marks the connection as lost and returns the error.
  [[nodiscard]] Error lost(std::string_view how);
  /// Marks the connection as lost because the other end does not answer, and returns the error.
  [[nodiscard]] Error given_up(Patience time);

  const engine::Process process_;
  std::unique_ptr<bolt::TlsTunnel> tunnel_;  // outlives the socket, which is its plain end
  engine::FileDescriptor socket_;
  engine::ForkGuard guard_;
  const Peer peer_;
  Map greeting_;
  std::string waiting_;        // queued requests, in chunks
  bool is_too_large_ = false;  // true if a queued request is too large
  std::size_t most_bytes_;     // maximum size of a request, set by a server's greeting
  bool is_logged_on_ = false;
  std::optional<Error> transaction_end_;
  std::unique_ptr<char[]> buffer_;
  std::string_view unread_;  // the part of buffer_ that is not parsed yet
  bolt::ChunkReader reader_;
  std::string message_;  // the last message, if it did not lie in buffer_ as a whole
  std::size_t last_message_bytes_ = 0;
  std::mutex send_mutex_;              // guards sending and the next three members
  bool is_asking_ = false;             // true from flush() to settle(): requests may be running
  bool is_interrupt_wanted_ = false;   // an interruption that came before flush()
  std::size_t unanswered_resets_ = 0;  // RESETs that were sent and not answered: 0 or 1
  std::atomic<std::size_t> open_requests_ = 0;  // requests and RESETs without a final answer
  std::atomic<bool> is_lost_ = false;
};

}  // namespace cairn::query::attach
