#pragma once
// What a request without handshake says of its client in `_meta`.

#include "tools/mcp/protocol/context.hpp"
#include "tools/mcp/protocol/message.hpp"

#include <optional>
#include <string_view>
#include <variant>

namespace cairn::tools::mcp {

/// Who asks, and what it can do. A client with handshake says so once.
struct ClientProfile {
  json::object client;
  json::object capabilities;
  std::optional<LogLevel> log_level;  ///< absent: it wants no log
};

/// Whether the parameters name a revision, which makes theirs a request without handshake.
[[nodiscard]] bool has_envelope(const json::object& params);
/// Errors: -32022 for a revision that we do not speak so, -32602 for what is missing or of another type.
[[nodiscard]] std::variant<ClientProfile, ProtocolError> read_envelope(const json::object& params);

/// "info"
[[nodiscard]] std::optional<LogLevel> find_log_level(std::string_view name) noexcept;
[[nodiscard]] std::string_view to_string(LogLevel level) noexcept;

}  // namespace cairn::tools::mcp
