#pragma once
// What a request by HTTP must have before anything of it reaches the protocol machine.

#include "tools/mcp/protocol/message.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::tools::mcp {

/// The first lines of a request by HTTP, as far as they matter here.
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
  std::string token;               ///< empty: anybody on this machine may call
  std::vector<std::string> hosts;  ///< names of this server beside those of this machine
};

struct HttpRefusal {
  unsigned status = 400;
  ProtocolError error;
};

/// What is wrong with the head: a page of a browser that calls this machine, a wrong token, another method, path or type.
[[nodiscard]] std::optional<HttpRefusal> check_head(const HttpHead& head, const HttpRules& rules);

/// The token of the header Authorization: Bearer; empty without one.
[[nodiscard]] std::string_view bearer_token(std::string_view authorization);

/// Whether a message is of revision 2026-07-28, by what it carries or by its header.
[[nodiscard]] bool is_stateless_post(const HttpHead& head, const json::value& message);
/// What is wrong with such a message: headers that say something else than it does, and an incomplete `_meta`.
[[nodiscard]] std::optional<HttpRefusal> check_stateless(const HttpHead& head,
                                                         const json::value& message);

/// The status of a response: that of its error, where the revision gives it one.
[[nodiscard]] unsigned status_of(const json::value& message, bool is_stateless);

}  // namespace cairn::tools::mcp
