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

/// Limits and rules. Beyond a limit a client gets an error or no connection.
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
  /// Calls that wait for a handler; more requests get status 503.
  std::size_t most_waiting_calls = 256;
  /// Memory of all messages that wait or are being answered; more requests get status 503.
  std::size_t most_waiting_bytes = 128U << 20U;
  std::size_t most_connections = 64;
  /// Sessions of clients with handshake; beyond that the least recently used one ends.
  std::size_t most_sessions = 64;
  std::size_t workers = 4;  ///< handlers that run at the same time
  /// Timeout for sending or receiving a message.
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
