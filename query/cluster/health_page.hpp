#pragma once
// HealthPage: a page by HTTP that says whether this node serves, for other nodes and for a proxy.

#include "query/bolt/listening_socket.hpp"
#include "query/bolt/waker.hpp"

#include <cairn/bolt.hpp>
#include <cairn/result.hpp>

#include <functional>
#include <memory>
#include <string>
#include <thread>

namespace cairn::query::cluster {

/// Answers each request by the same page: status 200, or 503 while the node ends. Threads: one of its own.
class HealthPage {
 public:
  struct Content {
    bool is_serving = true;
    std::string text;
  };
  using Describe = std::function<Content()>;

  /// Errors: as bolt::listen_at().
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
  void run();
  void answer(int client) const;

  bolt::ListeningSocket socket_;
  const Describe describe_;
  const bolt::Waker waker_;
  std::thread thread_;
};

}  // namespace cairn::query::cluster
