#include "tools/mcp/protocol/answer.hpp"

#include <utility>

namespace cairn::tools::mcp {

json::object json_object(std::string_view text) { return json::parse(text).as_object(); }

json::object text_content(std::string_view text) { return {{"type", "text"}, {"text", text}}; }

json::object image_content(std::string_view data, std::string_view mime_type) {
  return {{"type", "image"}, {"data", data}, {"mimeType", mime_type}};
}

json::object audio_content(std::string_view data, std::string_view mime_type) {
  return {{"type", "audio"}, {"data", data}, {"mimeType", mime_type}};
}

json::object embedded_text(std::string_view uri, std::string_view mime_type,
                           std::string_view text) {
  return {{"type", "resource"},
          {"resource", {{"uri", uri}, {"mimeType", mime_type}, {"text", text}}}};
}

json::object resource_link(std::string_view uri, std::string_view name,
                           std::string_view mime_type) {
  return {{"type", "resource_link"}, {"uri", uri}, {"name", name}, {"mimeType", mime_type}};
}

ToolResult text_result(std::string_view text) {
  ToolResult result;
  result.content.emplace_back(text_content(text));
  return result;
}

ToolResult tool_error(std::string_view text) {
  ToolResult result = text_result(text);
  result.is_error = true;
  return result;
}

ToolResult structured_result(json::value structured, std::string_view text) {
  ToolResult result = text.empty() ? text_result(json::serialize(structured)) : text_result(text);
  result.structured = std::move(structured);
  return result;
}

json::object elicitation(std::string_view message, json::object requested_schema) {
  return {{"method", "elicitation/create"},
          {"params", {{"message", message}, {"requestedSchema", std::move(requested_schema)}}}};
}

json::object sampling(json::array messages, std::int64_t max_tokens) {
  return {{"method", "sampling/createMessage"},
          {"params", {{"messages", std::move(messages)}, {"maxTokens", max_tokens}}}};
}

json::object roots_request() { return {{"method", "roots/list"}, {"params", json::object()}}; }

ProtocolError resource_not_found(std::string_view uri) {
  return {ProtocolCode::resource_not_found,
          "Resource not found: " + std::string(uri) +
              "; resources/list and resources/templates/list name those there are",
          json::object{{"uri", uri}}};
}

}  // namespace cairn::tools::mcp
