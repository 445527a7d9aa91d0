#pragma once
// What handlers return: content, a question to the client, or an error of the protocol.

#include <boost/json.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace cairn::tools::mcp {

namespace json = boost::json;

/// Parses a constant of the program, such as a schema. Throws boost::system::system_error if it is
/// not a JSON object.
[[nodiscard]] json::object json_object(std::string_view text);

// Content blocks for tools and prompts. `data` is base64, see encode_base64().
[[nodiscard]] json::object text_content(std::string_view text);
[[nodiscard]] json::object image_content(std::string_view data, std::string_view mime_type);
[[nodiscard]] json::object audio_content(std::string_view data, std::string_view mime_type);
/// A block with the text of a resource.
[[nodiscard]] json::object embedded_text(std::string_view uri, std::string_view mime_type,
                                         std::string_view text);
/// A block that refers to a resource, which the client can read.
[[nodiscard]] json::object resource_link(std::string_view uri, std::string_view name,
                                         std::string_view mime_type);
[[nodiscard]] std::string encode_base64(std::string_view bytes);

/// As syslog has them.
enum class LogLevel : std::uint8_t {
  debug,
  info,
  notice,
  warning,
  error,
  critical,
  alert,
  emergency
};

/// A line of the log that a client may ask for.
struct LogReport {
  LogLevel level = LogLevel::info;
  std::string logger;
  json::value data;
};

/// The result of a tool, also of one that failed.
struct ToolResult {
  json::array content;
  std::optional<json::value> structured;  ///< of `output_schema`; an object, for most clients
  bool is_error = false;                  ///< the model reads `content` and may correct its call
  json::object meta;                      ///< `_meta`
  /// For the log of the client, where it asked for one. The logger of those that name none is the tool.
  std::vector<LogReport> logs = {};
};

[[nodiscard]] ToolResult text_result(std::string_view text);
/// An error for the model: what went wrong, and what to do about it.
[[nodiscard]] ToolResult tool_error(std::string_view text);
/// A result as text and as structured content. If `text` is empty, it is the JSON of `structured`.
[[nodiscard]] ToolResult structured_result(json::value structured, std::string_view text = {});

/// Questions to the client, which must be answered before there is a result. The handler returns
/// this and is called again with the same arguments: the answers are in Context::response(), and
/// `state` is in Context::state().
///
/// This works for clients of both eras. A client of 2026-07-28 gets the questions as a result and
/// sends its request again; other clients get requests from the server. Ask only what
/// Context::can_elicit() and similar functions allow; any other question becomes an error.
struct InputRequired {
  json::object requests;  ///< key -> {method, params}, see elicitation()
  /// Returned to the handler in the next round; null: no state. It is signed, bound to the request,
  /// valid for ten minutes, and readable by the client. A handler that must be sure that it has
  /// asked its question can check for its state.
  json::value state;
  /// Accepts the state from the client only once, so that a user's agreement cannot be used again.
  bool is_used_once = false;
};

/// A form for the user. `requested_schema` is a flat object of strings, numbers, booleans and
/// enums.
[[nodiscard]] json::object elicitation(std::string_view message, json::object requested_schema);
[[nodiscard]] json::object sampling(json::array messages, std::int64_t max_tokens);
[[nodiscard]] json::object roots_request();

/// Error codes of JSON-RPC and MCP that handlers or the protocol machine return.
enum class ProtocolCode : std::int32_t {
  parse_error = -32700,
  invalid_request = -32600,
  method_not_found = -32601,
  invalid_params = -32602,
  internal_error = -32603,
  resource_not_found = -32002,  ///< sent as invalid_params since 2026-07-28
  header_mismatch = -32020,
  missing_capability = -32021,
  unsupported_version = -32022,
};

/// A protocol error: the client reads it, usually not the model. For mistakes that the model can
/// correct use tool_error().
struct ProtocolError {
  ProtocolCode code = ProtocolCode::internal_error;
  std::string message;
  std::optional<json::value> data = std::nullopt;
};

[[nodiscard]] ProtocolError resource_not_found(std::string_view uri);

template <class T>
using Answer = std::variant<T, InputRequired, ProtocolError>;

}  // namespace cairn::tools::mcp
