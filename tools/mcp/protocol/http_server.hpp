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
/// Those of what is being answered are shared by the callers, and no caller takes more than it leaves free: one alone gets
/// half (SharedRoom). So one that floods the server is refused itself, and others are answered.
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
  /// Calls that wait for a handler or run; beyond a caller's part its requests get status 503.
  std::size_t most_waiting_calls = 256;
  /// Memory of the messages that are being answered; the same. It is also that of the calls that wait or run, which may be
  /// left by connections that went, and that of the calls that wait for their clients.
  std::size_t most_waiting_bytes = 128U << 20U;
  /// Then one that answers nothing ends for a new one, of the caller who has most connections; one that listens if that
  /// caller has no other. It is also the number of messages that are answered at the same time, shared like the calls.
  std::size_t most_connections = 64;
  /// Sessions of clients with handshake; beyond that the least recently used one ends.
  std::size_t most_sessions = 64;
  /// Handlers that run at the same time. Callers are served in turn, and one worker is left to those of whom no handler runs:
  /// a caller alone never has it.
  std::size_t workers = 4;
  /// Of a client that sends or reads a message.
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
