#pragma once
// Checks of an HTTP request before it reaches the protocol machine.

#include "tools/mcp/protocol/message.hpp"
#include "tools/mcp/protocol/revision.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::tools::mcp {

/// The parts of the head of an HTTP request that are needed here.
struct HttpHead {
  std::string method;
  std::string target;
  std::string host;
  std::optional<std::string> origin;
  std::string authorization;
  std::string content_type;
  std::string accept;
  std::optional<std::string> protocol_version;  ///< MCP-Protocol-Version
  std::optional<std::string> mcp_method;        ///< Mcp-Method
  std::optional<std::string> mcp_name;          ///< Mcp-Name
  std::optional<std::string> session;           ///< Mcp-Session-Id
};

struct HttpRules {
  std::string path = "/mcp";
  std::string token;               ///< empty: every process on this machine may call
  std::vector<std::string> hosts;  ///< host names of this server besides those of this machine
};

struct HttpRefusal {
  unsigned status = 400;
  ProtocolError error;
};

/// Returns what is wrong with the head: a call from a browser page, a wrong token, method, path or
/// type.
[[nodiscard]] std::optional<HttpRefusal> check_head(const HttpHead& head, const HttpRules& rules);

/// Returns the token of the header Authorization: Bearer; empty without one.
[[nodiscard]] std::string_view bearer_token(std::string_view authorization);

/// True if a message is of revision 2026-07-28, by its content, or by its header outside a session.
[[nodiscard]] bool is_stateless_post(const HttpHead& head, const json::value& message);
/// Returns what is wrong with such a message: headers that contradict it, or an incomplete `_meta`.
[[nodiscard]] std::optional<HttpRefusal> check_stateless(const HttpHead& head,
                                                         const json::value& message);

/// Returns what is wrong with a message of a session: the header MCP-Protocol-Version names another
/// revision than the handshake agreed on. Without the header nothing is wrong.
[[nodiscard]] std::optional<HttpRefusal> check_session(const HttpHead& head, Revision agreed);

/// Returns the status of a response; that of its error, if the revision defines one.
[[nodiscard]] unsigned status_of(const json::value& message, bool is_stateless);

}  // namespace cairn::tools::mcp
