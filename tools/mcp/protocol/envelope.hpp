#pragma once
// What a request without handshake says about its client in `_meta`.

#include "tools/mcp/protocol/context.hpp"
#include "tools/mcp/protocol/message.hpp"

#include <optional>
#include <string_view>
#include <variant>

namespace cairn::tools::mcp {

/// A client and its capabilities. A client with handshake sends them once.
struct ClientProfile {
  json::object client;
  json::object capabilities;
  std::optional<LogLevel> log_level;  ///< absent: no logs requested
};

/// True if the parameters name a revision, so that the request needs no handshake.
[[nodiscard]] bool has_envelope(const json::object& params);
/// Errors: -32022 for an unsupported revision, -32602 for missing values and wrong types.
[[nodiscard]] std::variant<ClientProfile, ProtocolError> read_envelope(const json::object& params);

/// Finds a level by a name such as "info".
[[nodiscard]] std::optional<LogLevel> find_log_level(std::string_view name) noexcept;
[[nodiscard]] std::string_view to_string(LogLevel level) noexcept;

}  // namespace cairn::tools::mcp
