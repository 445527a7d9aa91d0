#pragma once
// Serves a ServerDefinition to many clients by Streamable HTTP: each message is a POST, answered by
// JSON or by a stream of events. There is no TLS; to serve other machines, put a proxy with TLS in
// front.

#include "tools/mcp/protocol/definition.hpp"
#include "tools/mcp/protocol/http_caller.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace cairn::tools::mcp {

/// Bounds and rules. Beyond a bound a client gets an error or no connection.
///
/// The callers share the bounds of requests in progress. No caller may take more than it leaves free, so a single caller
/// gets at most half (SharedRoom). A caller that floods the server is refused, while others are still answered.
struct HttpOptions {
  std::string address = "127.0.0.1";
  std::uint16_t port = 0;  ///< 0: any free port
  std::string path = "/mcp";
  /// The token that clients send as `Authorization: Bearer`. Empty: every process on this machine
  /// may call, or an HttpLogin checks tokens.
  std::string token;
  /// Host names of the server besides localhost.
  std::vector<std::string> hosts;
  std::size_t most_message_bytes = 4U << 20U;
  /// Calls that wait for a handler or run. A caller that exceeds its share gets status 503.
  std::size_t most_waiting_calls = 256;
  /// Memory of the messages that are being answered. A caller that exceeds its share gets status 503. The same bound applies
  /// to the calls that wait or run, even if their connection has closed, and to the calls that wait for their clients.
  std::size_t most_waiting_bytes = 128U << 20U;
  /// Open connections. If there are as many, a new one replaces an idle one of the caller with the most connections, or a
  /// listening one if that caller has no idle one. The bound also limits the messages in progress, which are shared like
  /// the calls.
  std::size_t most_connections = 64;
  /// Sessions of clients with handshake; beyond that the least recently used one ends.
  std::size_t most_sessions = 64;
  /// Handlers that run at the same time. Callers take turns. One worker is reserved for callers without a running handler,
  /// so a single caller never occupies all workers.
  std::size_t workers = 4;
  /// How long a client may pause while it sends or reads a message.
  std::chrono::seconds most_silence{30};
};

/// Serves until it is destroyed, on its own threads.
class HttpServer {
 public:
  /// `server` must outlive this object. Throws boost::system::system_error if the address cannot be
  /// used.
  explicit HttpServer(const ServerDefinition& server, HttpOptions options = {});
  /// Each caller gets its own server. Throws like the constructor above.
  explicit HttpServer(HttpLogin login, HttpOptions options = {});
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;
  /// Cancels running handlers and waits for them.
  ~HttpServer();

  [[nodiscard]] std::uint16_t port() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace cairn::tools::mcp
