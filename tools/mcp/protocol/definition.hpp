#pragma once
// Defines what a server program offers by the Model Context Protocol: tools, resources, prompts,
// completions. A program fills a ServerDefinition and passes it to serve_stdio(). It does not see
// JSON-RPC or revisions of the protocol.
//
//   ServerDefinition server;
//   server.name = "notes";
//   server.version = "1.0";
//   Tool tool;
//   tool.name = "count_words";
//   tool.description = "Count the words of a text.";
//   tool.input_schema = json_object(R"({"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]})");
//   tool.call = [](const json::object& arguments, Context&) -> Answer<ToolResult> {
//     return text_result(count(arguments.at("text").as_string()));
//   };
//   server.tools.push_back(std::move(tool));
//   serve_stdio(server);
//
// Handlers run on worker threads, several at a time. An exception becomes a tool error or an
// internal error.

#include "tools/mcp/protocol/answer.hpp"
#include "tools/mcp/protocol/changes.hpp"
#include "tools/mcp/protocol/context.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::tools::mcp {

/// Hints for clients, such as whether to ask the user first. Absent hints are not sent.
struct ToolAnnotations {
  std::optional<bool> read_only;
  std::optional<bool> destructive;
  std::optional<bool> idempotent;
  std::optional<bool> open_world;
};

/// `arguments` has all required keys of the schema, no others if it has `additionalProperties:
/// false`, and values of the types at the schema's top level. The handler must check everything
/// else in the schema.
using ToolHandler =
    std::function<Answer<ToolResult>(const json::object& arguments, Context& context)>;

struct Tool {
  std::string name;  ///< letters, digits, `_`, `-`, `.`; at most 128
  std::string title;
  std::string description;
  json::object input_schema;                  ///< JSON Schema 2020-12 with `"type": "object"`
  std::optional<json::object> output_schema;  ///< schema of ToolResult::structured
  ToolAnnotations annotations;
  json::object meta;  ///< `_meta`
  ToolHandler call;
  /// Returns the argument that a caller means by a name that is not in the
  /// schema, or an empty text. May be empty.
  std::function<std::string(std::string_view unknown)> meant_argument;
};

struct Resource {
  std::string uri;
  std::string name;
  std::string title;
  std::string description;
  std::string mime_type;
  std::optional<std::uint64_t> size;
};

struct ResourceTemplate {
  std::string uri_template;  ///< RFC 6570: "memory://{id}"
  std::string name;
  std::string title;
  std::string description;
  std::string mime_type;
};

/// The contents of a resource, see text_resource() and blob_resource().
struct ResourceContents {
  json::array contents;
};
[[nodiscard]] json::object text_resource(std::string_view uri, std::string_view mime_type,
                                         std::string_view text);
[[nodiscard]] json::object blob_resource(std::string_view uri, std::string_view mime_type,
                                         std::string_view base64);

/// Called with any URI. For an unknown one it returns resource_not_found().
using ResourceReader =
    std::function<Answer<ResourceContents>(const std::string& uri, Context& context)>;

struct PromptArgument {
  std::string name;
  std::string title;
  std::string description;
  bool is_required = false;
};

struct PromptResult {
  std::string description;
  json::array messages;  ///< see prompt_message()
};
/// `role` is "user" or "assistant".
[[nodiscard]] json::object prompt_message(std::string_view role, json::object content);

using Texts = std::map<std::string, std::string>;
/// `arguments` has all required arguments.
using PromptHandler = std::function<Answer<PromptResult>(const Texts& arguments, Context& context)>;

struct Prompt {
  std::string name;
  std::string title;
  std::string description;
  std::vector<PromptArgument> arguments;
  PromptHandler get;
};

/// Completes the `value` of an `argument` of a prompt (by name) or of a resource template (by its
/// text).
struct CompletionRequest {
  bool is_prompt = false;
  std::string of;
  std::string argument;
  std::string value;
  Texts known;  ///< other arguments that are already filled in
};
struct Completions {
  std::vector<std::string> values;  ///< best first; only the first 100 are sent
  std::optional<std::uint64_t> total;
};
using Completer =
    std::function<Answer<Completions>(const CompletionRequest& request, Context& context)>;

/// A server as its clients see it. It must not change while it is served, because handlers read it
/// without a lock.
struct ServerDefinition {
  std::string name;
  std::string title;
  std::string version;
  std::string description;
  std::string website;
  std::string instructions;  ///< for the model: how to use the tools

  // Listed in this order. Empty ones are not announced as a capability.
  std::vector<Tool> tools;
  std::vector<Resource> resources;
  std::vector<ResourceTemplate> templates;
  ResourceReader read_resource;
  std::vector<Prompt> prompts;
  Completer complete;

  /// Reports changes; null: clients cannot subscribe.
  std::shared_ptr<Changes> changes;
  /// True if it also reports changes of the lists of tools, prompts and resources.
  bool lists_change = false;
  /// True if handlers log. Clients of revisions with handshake can then set a level.
  bool can_log = false;

  std::size_t page_size = 100;          ///< entries in one page of a listing
  std::uint64_t list_ttl_ms = 300'000;  ///< how long a client may cache listings
};

}  // namespace cairn::tools::mcp
