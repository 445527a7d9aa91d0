#pragma once
// What a server program offers by the Model Context Protocol: tools, resources, prompts, completions. A program fills in a
// ServerDefinition and hands it to serve_stdio(); it sees neither JSON-RPC nor revisions of the protocol.
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
// Handlers run on worker threads, several at a time. An exception becomes a tool error or an internal error and ends nothing.

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
#include <vector>

namespace cairn::tools::mcp {

/// Hints for clients, such as whether to ask the user first. Absent ones are left out.
struct ToolAnnotations {
  std::optional<bool> read_only;
  std::optional<bool> destructive;
  std::optional<bool> idempotent;
  std::optional<bool> open_world;
};

/// `arguments` is an object that has all required keys of the schema, no others if it says `additionalProperties: false`,
/// and values of the types that its top level names. Other parts of the schema are for the handler to check.
using ToolHandler =
    std::function<Answer<ToolResult>(const json::object& arguments, Context& context)>;

struct Tool {
  std::string name;  ///< letters, digits, `_`, `-`, `.`; at most 128
  std::string title;
  std::string description;
  json::object input_schema;                  ///< JSON Schema 2020-12 with `"type": "object"`
  std::optional<json::object> output_schema;  ///< of ToolResult::structured
  ToolAnnotations annotations;
  json::object meta;  ///< `_meta`
  ToolHandler call;
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

/// What a resource holds, as text_resource() and blob_resource() make it.
struct ResourceContents {
  json::array contents;
};
[[nodiscard]] json::object text_resource(std::string_view uri, std::string_view mime_type,
                                         std::string_view text);
[[nodiscard]] json::object blob_resource(std::string_view uri, std::string_view mime_type,
                                         std::string_view base64);

/// Any URI may come; one that there is not is resource_not_found().
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
  json::array messages;  ///< as prompt_message() makes them
};
/// `role` is "user" or "assistant".
[[nodiscard]] json::object prompt_message(std::string_view role, json::object content);

using Texts = std::map<std::string, std::string>;
/// `arguments` has all required ones.
using PromptHandler = std::function<Answer<PromptResult>(const Texts& arguments, Context& context)>;

struct Prompt {
  std::string name;
  std::string title;
  std::string description;
  std::vector<PromptArgument> arguments;
  PromptHandler get;
};

/// Complete the `value` of an `argument`, of a prompt's name or of a resource template's text.
struct CompletionRequest {
  bool is_prompt = false;
  std::string of;
  std::string argument;
  std::string value;
  Texts known;  ///< other arguments, filled in already
};
struct Completions {
  std::vector<std::string> values;  ///< best first; the first 100 are sent
  std::optional<std::uint64_t> total;
};
using Completer =
    std::function<Answer<Completions>(const CompletionRequest& request, Context& context)>;

/// A server as its clients see it. It must not change while it is served: handlers read it without a lock.
struct ServerDefinition {
  std::string name;
  std::string title;
  std::string version;
  std::string description;
  std::string website;
  std::string instructions;  ///< for the model: how to use the tools

  // Listed in this order. What is empty is not announced as a capability.
  std::vector<Tool> tools;
  std::vector<Resource> resources;
  std::vector<ResourceTemplate> templates;
  ResourceReader read_resource;
  std::vector<Prompt> prompts;
  Completer complete;

  /// Where the program says what has changed; null: clients cannot subscribe.
  std::shared_ptr<Changes> changes;
  /// Whether it also says so of the lists of tools, prompts and resources.
  bool lists_change = false;
  /// Whether handlers log. Clients of revisions with handshake then set a level.
  bool can_log = false;

  std::size_t page_size = 100;          ///< entries of one answer to a listing
  std::uint64_t list_ttl_ms = 300'000;  ///< how long a client may keep listings
};

}  // namespace cairn::tools::mcp
