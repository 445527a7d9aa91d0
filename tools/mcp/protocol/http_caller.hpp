#pragma once
// Who calls by HTTP: a bearer token becomes a caller with a server of its own.

#include "tools/mcp/protocol/definition.hpp"
#include "tools/mcp/protocol/http_check.hpp"
#include "tools/mcp/protocol/request_state.hpp"

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <variant>

namespace cairn::tools::mcp {

/// A client that is known, and what it is offered.
struct HttpCaller {
  std::string name;  ///< a session is found by the caller alone that began it
  std::shared_ptr<const ServerDefinition> server;
  std::shared_ptr<const StateSigner> signer;  ///< its own: no caller can use the state of another
};

/// The caller of a bearer token, which is empty where a request has none. It is asked for each request, by one thread.
using HttpLogin = std::function<std::variant<HttpCaller, HttpRefusal>(std::string_view token)>;

}  // namespace cairn::tools::mcp
