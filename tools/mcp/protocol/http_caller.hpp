#pragma once
// Callers by HTTP: maps a bearer token to a caller with its own server.

#include "tools/mcp/protocol/definition.hpp"
#include "tools/mcp/protocol/http_check.hpp"
#include "tools/mcp/protocol/request_state.hpp"

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <variant>

namespace cairn::tools::mcp {

/// A known client, and the server that it gets.
struct HttpCaller {
  std::string name;  ///< only the caller that began a session finds it
  std::shared_ptr<const ServerDefinition> server;
  std::shared_ptr<const StateSigner> signer;  ///< of this caller only, so nobody can use its states
};

/// Returns the caller of a bearer token; the token is empty if a request has none. Called for each
/// request, on one thread.
using HttpLogin = std::function<std::variant<HttpCaller, HttpRefusal>(std::string_view token)>;

}  // namespace cairn::tools::mcp
