#pragma once
// LoopbackServer: an HTTP server on the loopback interface, with which tests imitate services.

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace cairn::test {

struct HttpRequest {
  std::string method;
  std::string path;                            ///< as it came, without the query
  std::string query;                           ///< as it came
  std::map<std::string, std::string> headers;  ///< names in small letters
  std::string body;

  /// The value of a header. Empty if the request does not have it.
  [[nodiscard]] std::string header(const std::string& name) const;
};

struct HttpResponse {
  int status = 200;
  std::string body{};
  std::map<std::string, std::string> headers{};
  bool is_dropped = false;  ///< nothing is sent, and the connection is closed
  bool is_cut = false;      ///< half of the body is sent, and the connection is closed
};

/// Calls a function for each request, from one thread for each connection.
class LoopbackServer {
 public:
  using Answer = std::function<HttpResponse(const HttpRequest&)>;

  explicit LoopbackServer(Answer answer);
  LoopbackServer(const LoopbackServer&) = delete;
  LoopbackServer& operator=(const LoopbackServer&) = delete;
  /// Closes all connections and waits for the running answers.
  ~LoopbackServer();

  /// `http://127.0.0.1:PORT`.
  [[nodiscard]] std::string endpoint() const;

 private:
  void accept_all();
  void serve(int connection);

  Answer answer_;
  int listener_ = -1;
  std::uint16_t port_ = 0;
  std::mutex mutex_;  // guards all below
  std::vector<int> connections_;
  std::vector<std::thread> servers_;
  bool is_closing_ = false;
  std::thread acceptor_;
};

}  // namespace cairn::test
