#include "tools/mcp/protocol/definition.hpp"

#include <utility>

namespace cairn::tools::mcp {

json::object text_resource(std::string_view uri, std::string_view mime_type,
                           std::string_view text) {
  return {{"uri", uri}, {"mimeType", mime_type}, {"text", text}};
}

json::object blob_resource(std::string_view uri, std::string_view mime_type,
                           std::string_view base64) {
  return {{"uri", uri}, {"mimeType", mime_type}, {"blob", base64}};
}

json::object prompt_message(std::string_view role, json::object content) {
  return {{"role", role}, {"content", std::move(content)}};
}

}  // namespace cairn::tools::mcp
