// Encodes the results of handlers for a revision of the protocol. Content that a revision lacks
// becomes text.
#include "tools/mcp/protocol/results.hpp"

#include "tools/mcp/protocol/message.hpp"

#include <utility>

namespace cairn::tools::mcp {
namespace {

/// The protocol permits at most 100 in one answer.
constexpr std::size_t most_completions = 100;

std::string block_text(const json::object& block, std::string_view key) {
  const json::string* text = find_text(block, key);
  return text == nullptr ? std::string() : std::string(*text);
}

/// Converts a block to the form of the revision.
json::value block_of_revision(json::value block, Revision revision) {
  const json::object* object = block.if_object();
  if (object == nullptr) return block;
  const std::string type = block_text(*object, "type");
  if (type == "audio" && !has_audio(revision))
    return text_content("[audio, " + block_text(*object, "mimeType") + "]");
  if (type == "resource_link" && !has_structured_content(revision))
    return text_content(block_text(*object, "name") + ": " + block_text(*object, "uri"));
  return block;
}

json::array blocks_of_revision(json::array blocks, Revision revision) {
  for (json::value& block : blocks) block = block_of_revision(std::move(block), revision);
  return blocks;
}

}  // namespace

json::object encode_result(ToolResult result, Revision revision) {
  json::object encoded{{"content", blocks_of_revision(std::move(result.content), revision)}};
  // Since 2026-07-28 any value is allowed, before only objects.
  const bool fits = result.structured && (is_stateless(revision) || result.structured->is_object());
  if (fits && has_structured_content(revision))
    encoded["structuredContent"] = *std::move(result.structured);
  if (result.is_error) encoded["isError"] = true;
  if (!result.meta.empty()) encoded["_meta"] = std::move(result.meta);
  return encoded;
}

json::object encode_result(ResourceContents contents, Revision revision) {
  json::object encoded{{"contents", std::move(contents.contents)}};
  // A resource may change with every write, so it must not be cached.
  make_cacheable(encoded, 0, revision);
  return encoded;
}

json::object encode_result(PromptResult result, Revision revision) {
  for (json::value& message : result.messages) {
    json::object* object = message.if_object();
    json::value* content = object == nullptr ? nullptr : object->if_contains("content");
    if (content != nullptr) *content = block_of_revision(std::move(*content), revision);
  }
  json::object encoded;
  if (!result.description.empty()) encoded["description"] = result.description;
  encoded["messages"] = std::move(result.messages);
  return encoded;
}

json::object encode_result(Completions completions, Revision revision) {
  static_cast<void>(revision);
  const std::size_t known = completions.values.size();
  json::array values;
  for (std::string& value : completions.values) {
    if (values.size() == most_completions) break;
    values.emplace_back(std::move(value));
  }
  const std::uint64_t total = completions.total.value_or(known);
  json::object completion{{"hasMore", total > values.size()}, {"total", total}};
  completion["values"] = std::move(values);
  return {{"completion", std::move(completion)}};
}

void complete_result(json::object& result, const ServerDefinition& server, Revision revision) {
  if (!is_stateless(revision)) return;
  if (!result.contains("resultType")) result["resultType"] = "complete";
  json::value& meta = result["_meta"];
  if (!meta.is_object()) meta = json::object();
  meta.get_object()["io.modelcontextprotocol/serverInfo"] = server_info(server, revision);
}

void make_cacheable(json::object& result, std::uint64_t ttl_ms, Revision revision) {
  if (!is_stateless(revision)) return;
  result["ttlMs"] = ttl_ms;
  result["cacheScope"] = "private";
}

json::object server_info(const ServerDefinition& server, Revision revision) {
  json::object info{{"name", server.name}, {"version", server.version}};
  if (has_structured_content(revision) && !server.title.empty()) info["title"] = server.title;
  if (!has_server_description(revision)) return info;
  if (!server.description.empty()) info["description"] = server.description;
  if (!server.website.empty()) info["websiteUrl"] = server.website;
  return info;
}

ProtocolError error_of_revision(ProtocolError error, Revision revision) {
  if (error.code == ProtocolCode::resource_not_found && is_stateless(revision))
    error.code = ProtocolCode::invalid_params;
  return error;
}

}  // namespace cairn::tools::mcp
