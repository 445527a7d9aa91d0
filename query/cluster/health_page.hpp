#pragma once
// HealthPage: an HTTP page that shows other nodes and a proxy whether this node serves. ask_health(): what the page of
// another node, such as the owner of a home, shows.

#include "engine/system/regular_file.hpp"
#include "query/bolt/listening_socket.hpp"
#include "query/bolt/waker.hpp"

#include <cairn/bolt.hpp>
#include <cairn/result.hpp>

#include <poll.h>

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace cairn::query::cluster {

/// Answers each request with the same page: status 200, or 503 while the node ends. A client that sends no request does not
/// delay others. Threads: one of its own.
class HealthPage {
 public:
  struct Content {
    bool is_serving = true;
    std::string text;
  };
  using Describe = std::function<Content()>;

  /// Opens the page. Errors: as bolt::listen_at().
  [[nodiscard]] static Result<std::unique_ptr<HealthPage>> open(const BoltAddress& address,
                                                                Describe describe);
  HealthPage(bolt::ListeningSocket socket, Describe describe)
      : socket_(std::move(socket)), describe_(std::move(describe)) {}
  HealthPage(const HealthPage&) = delete;
  HealthPage& operator=(const HealthPage&) = delete;
  ~HealthPage() { close(); }

  [[nodiscard]] const BoltAddress& address() const noexcept { return socket_.address; }
  void close();

 private:
  using Clock = std::chrono::steady_clock;
  struct Client {
    engine::FileDescriptor socket;
    Clock::time_point end;  ///< time at which the connection ends without an answer
  };

  void run();
  /// What poll() waits for: the listening socket, the waker, then the clients.
  [[nodiscard]] std::vector<pollfd> watched() const;
  [[nodiscard]] int time_left() const;
  /// Answers the clients that have sent a request. Closes their connections, and those of clients whose time is over.
  void answer_ready(std::span<const pollfd> clients);
  void admit();
  void answer(int client) const;

  bolt::ListeningSocket socket_;
  const Describe describe_;
  const bolt::Waker waker_;
  std::deque<Client> clients_;  // of the thread; the oldest is the first
  std::thread thread_;
};

/// The addresses of a node, as written in the heads of its homes: `BOLT HEALTH`, each HOST:PORT.
struct NodeAddress {
  std::string bolt;
  std::string health;
  [[nodiscard]] static NodeAddress parse(std::string_view text);
  [[nodiscard]] std::string text() const { return bolt + " " + health; }
};

enum class Health : std::uint8_t {
  alive,
  gone,    ///< it refuses connections, or says that it ends
  silent,  ///< it did not answer two requests in time
};

/// Requests the health page of a node, twice if it does not answer the first time. Waits at most
/// `time` in total.
[[nodiscard]] Health ask_health(const std::string& address, std::chrono::milliseconds time);

}  // namespace cairn::query::cluster
