#pragma once
// The implementation of BoltListener: one thread that waits for events of all sockets with epoll, and the state of that
// thread.

#include "engine/system/fork_guard.hpp"
#include "engine/system/process.hpp"
#include "query/bolt/admission.hpp"
#include "query/bolt/connection.hpp"
#include "query/bolt/listening_socket.hpp"
#include "query/bolt/login.hpp"
#include "query/bolt/poller.hpp"
#include "query/bolt/shared.hpp"
#include "query/bolt/tls.hpp"
#include "query/bolt/waker.hpp"

#include <cairn/bolt.hpp>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace cairn {

/// Threads: the public functions from any, the private ones from the listener's thread.
class BoltListener::Impl {
 public:
  /// Listens at an address of the network.
  [[nodiscard]] static Result<std::unique_ptr<Impl>> open(Database& database,
                                                          const BoltAddress& address,
                                                          const BoltOptions& options);
  /// Listens for the clients of many databases. `tokens` has the tokens of the clients; `tokens` and `tenants` must
  /// outlive the object. `announce` is called with the address before the first client is accepted, and returns the
  /// address for routing tables.
  [[nodiscard]] static Result<std::unique_ptr<Impl>> open_for(
      Database& tokens, query::bolt::Tenants& tenants, const BoltAddress& address,
      const BoltOptions& options, const std::function<std::string(const BoltAddress&)>& announce);
  /// Listens at the socket of a database (listening_socket.hpp), for this user and optionally for a group. `attached` must
  /// outlive the object. close() lets requests end for at most `closing_time`.
  [[nodiscard]] static Result<std::unique_ptr<Impl>> open_in(
      const std::filesystem::path& directory, std::optional<gid_t> group,
      std::shared_ptr<Database> database, const BoltLimits& limits,
      query::bolt::AttachedCalls& attached, std::chrono::milliseconds closing_time);
  Impl(std::shared_ptr<Database> database, query::bolt::ListeningSocket socket,
       const BoltOptions& options, query::bolt::AttachedCalls* attached = nullptr);
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;
  ~Impl() { close(); }

  /// Destroys the object in the process that created it; a forked child only closes its descriptors.
  static void let_go(std::unique_ptr<Impl> impl) noexcept;
  [[nodiscard]] const BoltAddress& address() const noexcept { return socket_.address; }
  /// The file of a Unix socket; empty for a TCP port.
  [[nodiscard]] const std::filesystem::path& socket_path() const noexcept { return socket_.path; }
  [[nodiscard]] std::size_t connections() const noexcept { return count_.load(); }
  /// The addresses or process ids of the clients, one for each connection.
  [[nodiscard]] std::vector<std::string> peers() const;
  /// Ends all connections and the thread. May be called repeatedly.
  void close();

 private:
  /// Listens, and loads the certificate.
  [[nodiscard]] static Result<std::unique_ptr<Impl>> prepare(Database& database,
                                                             const BoltAddress& address,
                                                             const BoltOptions& options);
  using Clock = query::bolt::Connection::Clock;
  using Connections = std::map<std::uint64_t, std::unique_ptr<query::bolt::Connection>>;

  [[nodiscard]] Status start();
  /// The listener's thread.
  void run() noexcept;
  void wait_once();
  /// How long epoll may wait, in milliseconds; -1: forever.
  [[nodiscard]] int wait_time() const;
  void accept_clients();
  /// Lets clients wait until the next periodic check.
  void pause_accepting();
  /// True if there are 32 connections more than the limit; those above the limit are ending.
  [[nodiscard]] bool is_overfull();
  /// Returns true if one more client of a network address may come. If there are too many, one that has not logged on
  /// is dropped.
  [[nodiscard]] bool make_room();
  void add(query::bolt::AcceptedSocket socket);
  /// Adds an attached process, or sends it the error of its refusal.
  void add_or_refuse(query::bolt::AcceptedSocket socket);
  void serve(std::uint64_t number, std::uint32_t events);
  /// Ends a connection, and destroys it unless its thread is still running.
  void end(Connections::iterator place);
  /// Destroys the connections whose thread is done.
  void end_those_done();
  /// Destroys the connections that have ended.
  void sweep();
  /// The periodic check of all connections: late logons, revoked tokens, ended threads.
  void go_round(Clock::time_point now);
  /// Accepts no more clients, and waits until the others have the answers to what they have sent, or for closing_time_.
  void let_finish();
  /// Ends all connections and waits for their threads.
  void end_all() noexcept;
  /// Publishes the list of clients for other threads.
  void note_connections();

  // The numbers that identify sockets in epoll. Connections are numbered from first_number on.
  static constexpr std::uint64_t listening_number = 0;
  static constexpr std::uint64_t waker_number = 1;
  static constexpr std::uint64_t first_number = 2;
  static constexpr std::size_t read_size = std::size_t{64} << 10U;

  const engine::Process process_;
  const BoltLimits limits_;
  const std::function<void(const BoltStatement&)> on_statement_;
  const std::shared_ptr<Database>
      database_;  // owners: this object, and the program's handle until it is closed
  query::bolt::WrongTokens wrong_tokens_;
  std::optional<query::bolt::TlsServer> tls_;
  query::bolt::ListeningSocket socket_;
  engine::ForkGuard guard_;
  std::chrono::milliseconds closing_time_{0};  // zero: close() ends connections at once
  query::bolt::Shared shared_;
  query::bolt::Waker closing_;  // wakes the connections
  query::bolt::Waker waker_;    // wakes the listener
  query::bolt::Poller poller_;
  std::atomic<bool> is_closing_ = false;
  std::atomic<std::size_t> count_ = 0;
  mutable std::mutex peers_mutex_;  // guards peers_
  std::vector<std::string> peers_;
  // The following members belong to the thread.
  std::vector<char> buffer_ = std::vector<char>(read_size);
  Connections connections_;
  /// Clients that were refused, and have perhaps not read the reason.
  struct Refused {
    Clock::time_point since;
    engine::FileDescriptor descriptor;
  };
  std::deque<Refused> refused_;
  std::uint64_t next_number_ = first_number;
  /// False while the process has no descriptors left; see accept_clients().
  bool accepts_ = true;
  Clock::time_point next_round_;
  query::bolt::Revocations revocations_;
  std::thread thread_;  // last, because it uses the other members
};

}  // namespace cairn
