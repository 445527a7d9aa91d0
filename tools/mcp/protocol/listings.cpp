// Encodes what a server offers: its capabilities, and its tools, resources, prompts and templates
// page by page, with the fields that each revision has.
#include "tools/mcp/protocol/message.hpp"
#include "tools/mcp/protocol/results.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace cairn::tools::mcp {
namespace {

void put_text(json::object& object, std::string_view key, const std::string& text) {
  if (!text.empty()) object[key] = text;
}

void put_flag(json::object& object, std::string_view key, const std::optional<bool>& flag) {
  if (flag) object[key] = *flag;
}

/// Encodes name, title and description, which every listed entry has.
json::object described(const std::string& name, const std::string& title,
                       const std::string& description, Revision revision) {
  json::object object{{"name", name}};
  if (has_structured_content(revision)) put_text(object, "title", title);
  put_text(object, "description", description);
  return object;
}

json::object encode_annotations(const ToolAnnotations& annotations) {
  json::object object;
  put_flag(object, "readOnlyHint", annotations.read_only);
  put_flag(object, "destructiveHint", annotations.destructive);
  put_flag(object, "idempotentHint", annotations.idempotent);
  put_flag(object, "openWorldHint", annotations.open_world);
  return object;
}

/// Before 2026-07-28, clients refuse schemas of results that are not objects.
bool has_output_schema(const Tool& tool, Revision revision) {
  if (!tool.output_schema || !has_structured_content(revision)) return false;
  const json::string* type = find_text(*tool.output_schema, "type");
  return is_stateless(revision) || (type != nullptr && *type == "object");
}

json::object encode_entry(const Tool& tool, Revision revision) {
  json::object object = described(tool.name, tool.title, tool.description, revision);
  object["inputSchema"] = tool.input_schema;
  if (has_output_schema(tool, revision)) object["outputSchema"] = *tool.output_schema;
  json::object annotations = encode_annotations(tool.annotations);
  if (!annotations.empty() && has_tool_annotations(revision))
    object["annotations"] = std::move(annotations);
  if (!tool.meta.empty()) object["_meta"] = tool.meta;
  return object;
}

json::object encode_entry(const Resource& resource, Revision revision) {
  json::object object = described(resource.name, resource.title, resource.description, revision);
  object["uri"] = resource.uri;
  put_text(object, "mimeType", resource.mime_type);
  if (resource.size) object["size"] = *resource.size;
  return object;
}

json::object encode_entry(const ResourceTemplate& entry, Revision revision) {
  json::object object = described(entry.name, entry.title, entry.description, revision);
  object["uriTemplate"] = entry.uri_template;
  put_text(object, "mimeType", entry.mime_type);
  return object;
}

json::object encode_entry(const Prompt& prompt, Revision revision) {
  json::object object = described(prompt.name, prompt.title, prompt.description, revision);
  json::array arguments;
  for (const PromptArgument& argument : prompt.arguments) {
    json::object entry = described(argument.name, argument.title, argument.description, revision);
    if (argument.is_required) entry["required"] = true;
    arguments.emplace_back(std::move(entry));
  }
  if (!arguments.empty()) object["arguments"] = std::move(arguments);
  return object;
}

/// Reads a cursor: the number of entries before the page. The list does not change while it is
/// served.
std::optional<std::size_t> first_entry(const json::object& params, std::size_t entries) {
  const json::value* cursor = params.if_contains("cursor");
  if (cursor == nullptr || cursor->is_null()) return 0;
  const json::string* text = cursor->if_string();
  if (text == nullptr) return std::nullopt;
  std::size_t first = 0;
  const char* const end = text->data() + text->size();
  const auto read = std::from_chars(text->data(), end, first);
  if (read.ec != std::errc() || read.ptr != end || first >= entries) return std::nullopt;
  return first;
}

template <class Entry>
Reply page_of(const std::vector<Entry>& entries, std::string_view key, const json::object& params,
              const ServerDefinition& server, Revision revision) {
  const auto first = first_entry(params, entries.size());
  if (!first)
    return ProtocolError{ProtocolCode::invalid_params, "unknown cursor: begin again without one",
                         std::nullopt};
  const std::size_t last =
      std::min(entries.size(), *first + std::max<std::size_t>(server.page_size, 1));
  json::array page;
  for (std::size_t i = *first; i < last; ++i) page.emplace_back(encode_entry(entries[i], revision));
  json::object result{{key, std::move(page)}};
  if (last < entries.size()) result["nextCursor"] = std::to_string(last);
  make_cacheable(result, server.list_ttl_ms, revision);
  return result;
}

bool has_resources(const ServerDefinition& server) {
  return !server.resources.empty() || !server.templates.empty() || server.read_resource;
}

/// Returns a capability, with `listChanged` if the server reports changes of the list.
json::object list_capability(const ServerDefinition& server) {
  json::object capability;
  if (server.changes && server.lists_change) capability["listChanged"] = true;
  return capability;
}

}  // namespace

json::object server_capabilities(const ServerDefinition& server, Revision revision) {
  json::object capabilities;
  if (!server.tools.empty()) capabilities["tools"] = list_capability(server);
  if (has_resources(server)) {
    json::object resources = list_capability(server);
    if (server.changes) resources["subscribe"] = true;
    capabilities["resources"] = std::move(resources);
  }
  if (!server.prompts.empty()) capabilities["prompts"] = list_capability(server);
  if (server.complete && revision >= Revision::r2025_03_26)
    capabilities["completions"] = json::object();
  if (server.can_log) capabilities["logging"] = json::object();
  return capabilities;
}

json::object initialize_result(const ServerDefinition& server, Revision revision) {
  json::object result{{"protocolVersion", to_string(revision)},
                      {"capabilities", server_capabilities(server, revision)},
                      {"serverInfo", server_info(server, revision)}};
  put_text(result, "instructions", server.instructions);
  return result;
}

json::object discover_result(const ServerDefinition& server, Revision revision) {
  json::object result{{"supportedVersions", stateless_revisions()},
                      {"capabilities", server_capabilities(server, revision)}};
  put_text(result, "instructions", server.instructions);
  make_cacheable(result, server.list_ttl_ms, revision);
  return result;
}

bool is_listing(std::string_view method) noexcept {
  return method == "tools/list" || method == "prompts/list" || method == "resources/list" ||
         method == "resources/templates/list";
}

Reply list_page(const ServerDefinition& server, std::string_view method, const json::object& params,
                Revision revision) {
  if (method == "tools/list" && !server.tools.empty())
    return page_of(server.tools, "tools", params, server, revision);
  if (method == "prompts/list" && !server.prompts.empty())
    return page_of(server.prompts, "prompts", params, server, revision);
  if (method == "resources/list" && has_resources(server))
    return page_of(server.resources, "resources", params, server, revision);
  if (method == "resources/templates/list" && has_resources(server))
    return page_of(server.templates, "resourceTemplates", params, server, revision);
  return ProtocolError{ProtocolCode::method_not_found, "this server has no " + std::string(method),
                       std::nullopt};
}

}  // namespace cairn::tools::mcp
