#pragma once
// The implementation of BoltListener: the thread that waits for all sockets, and what it holds.

#include "engine/system/fork_guard.hpp"
#include "engine/system/process.hpp"
#include "query/bolt/connection.hpp"
#include "query/bolt/listening_socket.hpp"
#include "query/bolt/login.hpp"
#include "query/bolt/poller.hpp"
#include "query/bolt/shared.hpp"
#include "query/bolt/tls.hpp"
#include "query/bolt/waker.hpp"
#include "query/bolt/wrong_tokens.hpp"

#include <cairn/bolt.hpp>

#include <atomic>
#include <chrono>
#include <cstdint>
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

class BoltListener::Impl {
 public:
  [[nodiscard]] static Result<std::unique_ptr<Impl>> open(Database& database,
                                                          const BoltAddress& address,
                                                          const BoltOptions& options);
  /// Serve the socket in the directory of a database, also for a group of users. `attached` outlives it.
  [[nodiscard]] static Result<std::unique_ptr<Impl>> open_in(const std::filesystem::path& directory,
                                                             std::optional<gid_t> group,
                                                             std::shared_ptr<Database> database,
                                                             const BoltLimits& limits,
                                                             query::bolt::AttachedCalls& attached);
  Impl(std::shared_ptr<Database> database, query::bolt::ListeningSocket socket,
       const BoltOptions& options, query::bolt::AttachedCalls* attached = nullptr);
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;
  ~Impl() { close(); }

  /// Destroys it, where this is the process that opened it.
  static void let_go(std::unique_ptr<Impl> impl) noexcept;
  [[nodiscard]] const BoltAddress& address() const noexcept { return socket_.address; }
  [[nodiscard]] std::size_t connections() const noexcept { return count_.load(); }
  /// The clients' addresses, or process ids, one a connection.
  [[nodiscard]] std::vector<std::string> peers() const;
  void close();

 private:
  using Clock = query::bolt::Connection::Clock;
  using Connections = std::map<std::uint64_t, std::unique_ptr<query::bolt::Connection>>;

  [[nodiscard]] Status start();
  void run() noexcept;
  void wait_once();
  [[nodiscard]] int wait_time() const;
  void accept_clients();
  void add(query::bolt::AcceptedSocket socket);
  void serve(std::uint64_t number, std::uint32_t events);
  void end(Connections::iterator place);
  void end_those_done();
  void go_round(Clock::time_point now);
  void end_all() noexcept;
  void note_connections();

  // The numbers of sockets in epoll; connections are numbered after the last of these.
  static constexpr std::uint64_t listening_number = 0;
  static constexpr std::uint64_t waker_number = 1;
  static constexpr std::uint64_t first_number = 2;
  static constexpr std::size_t read_size = std::size_t{64} << 10U;

  const engine::Process process_;
  const BoltLimits limits_;
  const std::function<void(const BoltStatement&)> on_statement_;
  const std::shared_ptr<Database>
      database_;  // owners: this, and the program's handle until it closes
  query::bolt::WrongTokens wrong_tokens_;
  std::optional<query::bolt::TlsServer> tls_;
  query::bolt::ListeningSocket socket_;
  engine::ForkGuard guard_;
  query::bolt::Shared shared_;
  query::bolt::Waker waker_;
  query::bolt::Poller poller_;
  std::atomic<bool> is_closing_ = false;
  std::atomic<std::size_t> count_ = 0;
  mutable std::mutex peers_mutex_;  // guards peers_
  std::vector<std::string> peers_;
  // The rest is the thread's.
  std::vector<char> buffer_ = std::vector<char>(read_size);
  Connections connections_;
  std::uint64_t next_number_ = first_number;
  bool accepts_ = true;
  Clock::time_point next_round_;
  query::bolt::Revocations revocations_;
  std::thread thread_;  // last: it uses the others
};

}  // namespace cairn
