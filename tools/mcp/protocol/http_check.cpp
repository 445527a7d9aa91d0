// Checks the head of an HTTP request before its body is read: Host and Origin against pages in a
// browser, the token, path, method and media types. For revision 2026-07-28 it also compares
// headers with the message.
#include "tools/mcp/protocol/http_check.hpp"

#include "tools/mcp/protocol/base64.hpp"
#include "tools/mcp/protocol/envelope.hpp"
#include "tools/mcp/protocol/revision.hpp"

#include <openssl/crypto.h>

#include <algorithm>
#include <cctype>
#include <utility>

namespace cairn::tools::mcp {
namespace {

HttpRefusal refusal(unsigned status, std::string text,
                    ProtocolCode code = ProtocolCode::invalid_request) {
  return {status, {code, std::move(text), std::nullopt}};
}

HttpRefusal mismatch(std::string text) {
  return refusal(400, std::move(text), ProtocolCode::header_mismatch);
}

std::string lower_case(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(), [](unsigned char letter) {
    return static_cast<char>(std::tolower(letter));
  });
  return lower;
}

std::string_view without_blanks(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") + 1 - begin);
}

/// Returns the host name without the port: "[::1]:80" -> "[::1]". Text after the colon that is
/// not a port is not removed, so that the name is unknown.
std::string host_name(std::string_view authority) {
  const std::size_t bracket = authority.find(']');
  const std::size_t colon = authority.find(':', bracket == std::string_view::npos ? 0 : bracket);
  const bool has_port =
      colon != std::string_view::npos && colon + 1 < authority.size() &&
      authority.find_first_not_of("0123456789", colon + 1) == std::string_view::npos;
  return lower_case(has_port ? authority.substr(0, colon) : authority);
}

bool is_own_name(const std::string& name, const HttpRules& rules) {
  return name == "localhost" || name == "127.0.0.1" || name == "[::1]" ||
         std::ranges::find(rules.hosts, name) != rules.hosts.end();
}

/// True if the header Origin, in which a browser names the site of a page
/// ("http://localhost:3000"), is allowed.
bool is_own_origin(std::string_view origin, const HttpRules& rules) {
  const std::size_t scheme = origin.find("://");
  if (scheme == std::string_view::npos) return false;
  const std::string name = lower_case(origin.substr(0, scheme));
  return (name == "http" || name == "https") &&
         is_own_name(host_name(origin.substr(scheme + 3)), rules);
}

/// Takes the same time for every wrong token of equal length.
bool is_token(std::string_view authorization, const std::string& token) {
  const std::string_view given = bearer_token(authorization);
  return given.size() == token.size() &&
         CRYPTO_memcmp(given.data(), token.data(), token.size()) == 0;
}

/// True if a list of media types contains one type, ignoring parameters after a semicolon.
bool has_media_type(std::string_view list, std::string_view type) {
  while (!list.empty()) {
    const std::size_t comma = list.find(',');
    const std::string_view entry = list.substr(0, comma);
    const std::string name = lower_case(without_blanks(entry.substr(0, entry.find(';'))));
    if (name == type || name == "*/*") return true;
    list = comma == std::string_view::npos ? std::string_view() : list.substr(comma + 1);
  }
  return false;
}

const json::object& params_of(const json::object& message) {
  static const json::object none;
  const json::object* params = find_object(message, "params");
  return params == nullptr ? none : *params;
}

/// Returns the name that the header Mcp-Name must repeat; nullptr for methods without one.
const json::string* named_by(const std::string& method, const json::object& params) {
  if (method == "tools/call" || method == "prompts/get") return find_text(params, "name");
  if (method == "resources/read") return find_text(params, "uri");
  return nullptr;
}

/// Decodes a header value, which may be base64: "=?base64?aGk=?=". Returns nullopt for invalid
/// base64.
std::optional<std::string> header_value(std::string_view value) {
  constexpr std::string_view begin = "=?base64?";
  constexpr std::string_view end = "?=";
  value = without_blanks(value);
  if (!value.starts_with(begin) || !value.ends_with(end) ||
      value.size() < begin.size() + end.size())
    return std::string(value);
  return decode_base64(value.substr(begin.size(), value.size() - begin.size() - end.size()));
}

std::optional<HttpRefusal> check_names(const HttpHead& head, const std::string& method,
                                       const json::object& params) {
  if (!head.mcp_method) return mismatch("the header Mcp-Method is missing");
  if (without_blanks(*head.mcp_method) != method)
    return mismatch("the header Mcp-Method is not the method of the message");
  const json::string* name = named_by(method, params);
  if (name == nullptr) return std::nullopt;
  if (!head.mcp_name) return mismatch("the header Mcp-Name is missing");
  const auto value = header_value(*head.mcp_name);
  if (!value || *value != std::string_view(*name))
    return mismatch("the header Mcp-Name is not the name in the message");
  return std::nullopt;
}

}  // namespace

std::optional<HttpRefusal> check_head(const HttpHead& head, const HttpRules& rules) {
  // Otherwise a page in a browser could reach a server on this machine by a host name of its own
  // (DNS rebinding).
  if (!is_own_name(host_name(head.host), rules))
    return refusal(403, "the header Host names another server");
  if (head.origin && !is_own_origin(*head.origin, rules))
    return refusal(403, "pages of this Origin may not call this server");
  if (!rules.token.empty() && !is_token(head.authorization, rules.token))
    return refusal(401, "needs the header Authorization: Bearer and the server's token");
  if (head.target.substr(0, head.target.find('?')) != rules.path)
    return refusal(404, "the server is at " + rules.path);
  if (head.method != "POST") return refusal(405, "send messages by POST");
  if (!has_media_type(head.content_type, "application/json"))
    return refusal(415, "a message has Content-Type: application/json");
  if (!has_media_type(head.accept, "application/json") ||
      !has_media_type(head.accept, "text/event-stream"))
    return refusal(406, "needs Accept: application/json, text/event-stream");
  return std::nullopt;
}

std::string_view bearer_token(std::string_view authorization) {
  const std::size_t blank = authorization.find(' ');
  if (blank == std::string_view::npos || lower_case(authorization.substr(0, blank)) != "bearer")
    return {};
  return without_blanks(authorization.substr(blank));
}

bool is_stateless_post(const HttpHead& head, const json::value& message) {
  const auto revision =
      head.protocol_version ? find_revision(without_blanks(*head.protocol_version)) : std::nullopt;
  // In a session it would be a wrong header, see check_session().
  if (revision && is_stateless(*revision) && !head.session) return true;
  const json::object* object = message.if_object();
  return object != nullptr && has_envelope(params_of(*object));
}

std::optional<HttpRefusal> check_stateless(const HttpHead& head, const json::value& message) {
  const json::object* object = message.if_object();
  if (object == nullptr) return refusal(400, "a message must be a JSON object");
  const json::string* method = find_text(*object, "method");
  const json::object& params = params_of(*object);
  // Notifications have no headers that must match.
  if (method == nullptr || !object->contains("id")) return std::nullopt;
  const json::string* version =
      find_text(meta_of(params), "io.modelcontextprotocol/protocolVersion");
  if (version != nullptr) {
    if (!head.protocol_version) return mismatch("the header MCP-Protocol-Version is missing");
    if (without_blanks(*head.protocol_version) != std::string_view(*version))
      return mismatch("the header MCP-Protocol-Version is not the version in the message");
  }
  auto envelope = read_envelope(params);
  if (auto* error = std::get_if<ProtocolError>(&envelope))
    return HttpRefusal{400, std::move(*error)};
  return check_names(head, std::string(*method), params);
}

std::optional<HttpRefusal> check_session(const HttpHead& head, Revision agreed) {
  if (!head.protocol_version || without_blanks(*head.protocol_version) == to_string(agreed))
    return std::nullopt;
  return refusal(400, "the header MCP-Protocol-Version must be " + std::string(to_string(agreed)) +
                          ", which initialize agreed on");
}

unsigned status_of(const json::value& message, bool is_stateless) {
  const json::object* object = message.if_object();
  const json::object* error = object == nullptr ? nullptr : find_object(*object, "error");
  if (error == nullptr) return 200;
  const auto is = [code = error->at("code").as_int64()](ProtocolCode other) {
    return code == static_cast<std::int32_t>(other);
  };
  if (is(ProtocolCode::parse_error) || is(ProtocolCode::invalid_request)) return 400;
  if (!is_stateless) return 200;
  if (is(ProtocolCode::method_not_found)) return 404;
  const bool is_bad = is(ProtocolCode::missing_capability) ||
                      is(ProtocolCode::unsupported_version) || is(ProtocolCode::header_mismatch);
  return is_bad ? 400 : 200;
}

}  // namespace cairn::tools::mcp
