// Tools that ask nothing: every kind of content, errors, progress, logs, changes.

#include "tests/tools/mcp/fixture_server.hpp"

#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

namespace cairn::test {
namespace {

using namespace tools::mcp;
using namespace std::chrono_literals;

json::object no_arguments() { return {{"type", "object"}, {"properties", json::object()}}; }

void add_plain_tool(ServerDefinition& server, const char* name, ToolHandler call) {
  Tool tool;
  tool.name = name;
  tool.description = "For tests of the protocol.";
  tool.input_schema = no_arguments();
  tool.call = std::move(call);
  server.tools.push_back(std::move(tool));
}

ToolResult result_of(json::array content) {
  ToolResult result;
  result.content = std::move(content);
  return result;
}

void add_contents(ServerDefinition& server) {
  add_plain_tool(server, "test_simple_text", [](const json::object&, Context&) {
    return text_result("This is a simple text response for testing.");
  });
  add_plain_tool(server, "test_image_content", [](const json::object&, Context&) {
    return result_of({image_content(fixture_image(), "image/png")});
  });
  add_plain_tool(server, "test_audio_content", [](const json::object&, Context&) {
    return result_of({audio_content(encode_base64("RIFF$\0\0\0WAVE"), "audio/wav")});
  });
  add_plain_tool(server, "test_embedded_resource", [](const json::object&, Context&) {
    return result_of({embedded_text("test://embedded-resource", "text/plain",
                                    "This is an embedded resource content.")});
  });
  add_plain_tool(server, "test_multiple_content_types", [](const json::object&, Context&) {
    return result_of({text_content("Multiple content types test:"),
                      image_content(fixture_image(), "image/png"),
                      embedded_text("test://mixed-content-resource", "application/json",
                                    R"({"test":"data","value":123})")});
  });
  add_plain_tool(server, "test_resource_link", [](const json::object&, Context&) {
    return result_of({resource_link("test://static-text", "static text", "text/plain")});
  });
}

void add_errors(ServerDefinition& server) {
  add_plain_tool(server, "test_error_handling", [](const json::object&, Context&) {
    return tool_error("This tool intentionally returns an error for testing");
  });
  add_plain_tool(server, "test_exception", [](const json::object&, Context&) -> Answer<ToolResult> {
    throw std::runtime_error("the disk is full");
  });
  add_plain_tool(
      server, "test_protocol_error", [](const json::object&, Context&) -> Answer<ToolResult> {
        return ProtocolError{ProtocolCode::invalid_params, "not like this", std::nullopt};
      });
}

void add_reports(ServerDefinition& server) {
  add_plain_tool(server, "test_tool_with_progress", [](const json::object&, Context& context) {
    for (const double done : {0.0, 50.0, 100.0}) {
      context.progress(done, 100, "at work");
      std::this_thread::sleep_for(20ms);
    }
    return text_result("done");
  });
  const auto log = [](const json::object&, Context& context) {
    for (const char* text :
         {"Tool execution started", "Tool processing data", "Tool execution completed"}) {
      context.log(LogLevel::info, text);
      std::this_thread::sleep_for(20ms);
    }
    return text_result("logged");
  };
  add_plain_tool(server, "test_tool_with_logging", log);
  add_plain_tool(server, "test_logging_tool", log);
  // Until it is cancelled, ten seconds at most.
  add_plain_tool(server, "test_wait", [](const json::object&, Context& context) {
    for (int i = 0; i < 1'000 && !context.is_cancelled(); ++i) std::this_thread::sleep_for(10ms);
    return text_result("waited");
  });
}

void add_changes(ServerDefinition& server) {
  const auto changes = server.changes;
  add_plain_tool(server, "test_trigger_tool_change", [changes](const json::object&, Context&) {
    changes->tools_changed();
    return text_result("told");
  });
  add_plain_tool(server, "test_trigger_prompt_change", [changes](const json::object&, Context&) {
    changes->prompts_changed();
    return text_result("told");
  });
  add_plain_tool(server, "test_trigger_resource_change", [changes](const json::object&, Context&) {
    changes->resource_updated("test://watched-resource");
    return text_result("told");
  });
}

void add_arguments(ServerDefinition& server) {
  Tool tool;
  tool.name = "count_words";
  tool.title = "Count words";
  tool.description = "Count the words of a text.";
  tool.input_schema = json_object(R"({"type": "object",
    "properties": {"text": {"type": "string"}, "limit": {"type": ["integer", "null"]},
                   "unit": {"type": "string", "enum": ["words", "bytes"]}},
    "required": ["text"], "additionalProperties": false})");
  tool.output_schema =
      json_object(R"({"type": "object", "properties": {"count": {"type": "integer"}},
    "required": ["count"]})");
  tool.annotations.read_only = true;
  tool.call = [](const json::object& arguments, Context&) {
    const auto bytes = arguments.at("text").as_string().size();
    return structured_result(json::object{{"count", bytes}});
  };
  server.tools.push_back(std::move(tool));

  Tool schema;
  schema.name = "json_schema_2020_12_tool";
  schema.description = "Tool with JSON Schema 2020-12 features";
  schema.input_schema = json_object(R"({"$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "$defs": {"address": {"$anchor": "addressDef", "type": "object",
      "properties": {"street": {"type": "string"}, "city": {"type": "string"}}}},
    "properties": {"name": {"type": "string"}, "address": {"$ref": "#/$defs/address"},
      "contactMethod": {"type": "string", "enum": ["phone", "email"]},
      "phone": {"type": "string"}, "email": {"type": "string"}},
    "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
    "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
    "then": {"required": ["phone"]}, "else": {"required": ["email"]},
    "additionalProperties": false})");
  schema.call = [](const json::object&, Context&) { return text_result("accepted"); };
  server.tools.push_back(std::move(schema));
}

}  // namespace

const char* fixture_image() {
  return "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5E"
         "rkJggg==";
}

void add_fixture_tools(ServerDefinition& server) {
  add_contents(server);
  add_errors(server);
  add_reports(server);
  add_changes(server);
  add_arguments(server);
}

ServerDefinition make_fixture_server() {
  ServerDefinition server;
  server.name = "fixture";
  server.title = "Fixture";
  server.version = "1.0";
  server.description = "A server for tests of the protocol.";
  server.instructions = "Call any tool.";
  server.can_log = true;
  server.changes = std::make_shared<Changes>();
  server.lists_change = true;
  add_fixture_tools(server);
  add_fixture_questions(server);
  add_fixture_resources(server);
  add_fixture_prompts(server);
  return server;
}

}  // namespace cairn::test
