#pragma once
// What handlers of a server program answer: content, a question to the client, or an error of the protocol.

#include <boost/json.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace cairn::tools::mcp {

namespace json = boost::json;

/// Parse a constant of the program, such as a schema. Throws boost::system::system_error if it is no JSON object.
[[nodiscard]] json::object json_object(std::string_view text);

// Blocks of content, for tools and prompts. `data` is base64, which encode_base64() makes.
[[nodiscard]] json::object text_content(std::string_view text);
[[nodiscard]] json::object image_content(std::string_view data, std::string_view mime_type);
[[nodiscard]] json::object audio_content(std::string_view data, std::string_view mime_type);
/// A block that holds the text of a resource.
[[nodiscard]] json::object embedded_text(std::string_view uri, std::string_view mime_type,
                                         std::string_view text);
/// A block that names a resource which the client can read.
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
  std::optional<json::value> structured;  ///< as `output_schema` says: an object, in most clients
  bool is_error = false;                  ///< the model reads `content` and can correct its call
  json::object meta;                      ///< `_meta`
  /// For the log of the client, where it asked for one. The logger of those that name none is the tool.
  std::vector<LogReport> logs = {};
};

[[nodiscard]] ToolResult text_result(std::string_view text);
/// What went wrong and what to do about it, for the model.
[[nodiscard]] ToolResult tool_error(std::string_view text);
/// Both forms of a result. Without `text` the JSON of `structured` is the text.
[[nodiscard]] ToolResult structured_result(json::value structured, std::string_view text = {});

/// Questions to the client before there is a result. The handler returns this and is called again with the same
/// arguments, with the answers in Context::response() and `state` in Context::state().
///
/// It is the same code for clients of both eras: a client of 2026-07-28 gets the questions as a result and sends its request
/// again; others get requests of the server. Ask only for what Context::can_elicit() and its neighbours allow:
/// other questions become an error.
struct InputRequired {
  json::object requests;  ///< key -> {method, params}, as elicitation() makes them
  /// Null: none. It is signed, bound to the request and valid for ten minutes; clients can read it. A handler that must know
  /// that its question was asked gives a state and looks for it.
  json::value state;
};

/// A form for the user. `requested_schema` is a flat object of strings, numbers, booleans and enums.
[[nodiscard]] json::object elicitation(std::string_view message, json::object requested_schema);
[[nodiscard]] json::object sampling(json::array messages, std::int64_t max_tokens);
[[nodiscard]] json::object roots_request();

/// The codes of JSON-RPC and MCP that a handler or the protocol machine gives.
enum class ProtocolCode : std::int32_t {
  parse_error = -32700,
  invalid_request = -32600,
  method_not_found = -32601,
  invalid_params = -32602,
  internal_error = -32603,
  resource_not_found = -32002,  ///< sent as invalid_params from 2026-07-28 on
  header_mismatch = -32020,
  missing_capability = -32021,
  unsupported_version = -32022,
};

/// An error of the protocol: the client reads it, the model usually does not. What the model can correct is a tool_error().
struct ProtocolError {
  ProtocolCode code = ProtocolCode::internal_error;
  std::string message;
  std::optional<json::value> data = std::nullopt;
};

[[nodiscard]] ProtocolError resource_not_found(std::string_view uri);

template <class T>
using Answer = std::variant<T, InputRequired, ProtocolError>;

}  // namespace cairn::tools::mcp
