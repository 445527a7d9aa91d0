// Tools and a prompt that ask the client: forms, samples, roots, in one round and in several.

#include "tests/tools/mcp/fixture_server.hpp"

#include <string>
#include <utility>

namespace cairn::test {
namespace {

using namespace tools::mcp;

json::object one_text(const char* name) {
  return {{"type", "object"},
          {"properties", {{name, {{"type", "string"}}}}},
          {"required", json::array{name}}};
}

json::object user_text(std::string_view text) {
  return {{"role", "user"}, {"content", text_content(text)}};
}

void add_asking_tool(ServerDefinition& server, const char* name, json::object schema,
                     ToolHandler call) {
  Tool tool;
  tool.name = name;
  tool.description = "Asks the client, for tests of the protocol.";
  tool.input_schema = std::move(schema);
  tool.call = std::move(call);
  server.tools.push_back(std::move(tool));
}

/// A tool that asks all `questions` in one round, with a state, and answers `text` when they are answered.
void add_one_round(ServerDefinition& server, const char* name, const json::object& questions,
                   const json::value& state, const std::string& text) {
  add_asking_tool(
      server, name, {{"type", "object"}},
      [questions, state, text](const json::object&, Context& context) -> Answer<ToolResult> {
        bool is_answered = context.state() == state;
        for (const auto& question : questions)
          is_answered = is_answered && context.response(question.key()) != nullptr;
        if (!is_answered) return InputRequired{questions, state};
        return text_result(text);
      });
}

Answer<ToolResult> ask_in_rounds(const json::object&, Context& context) {
  const json::object* name = context.accepted("step1");
  const json::object* color = context.accepted("step2");
  if (color != nullptr && context.state().is_string())
    return text_result(std::string(context.state().get_string()) + " likes " +
                       json::serialize(color->at("color")));
  if (name != nullptr && context.state() == json::value(1))
    return InputRequired{
        {{"step2", elicitation("Step 2: What is your favorite color?", one_text("color"))}},
        name->at("name")};
  return InputRequired{{{"step1", elicitation("Step 1: What is your name?", one_text("name"))}}, 1};
}

/// The answer of a form as text, as the suite wants to read it.
ToolResult shown_answer(const json::object& answer) {
  const json::value* content = answer.if_contains("content");
  return text_result("Elicitation completed: action=" + json::serialize(answer.at("action")) +
                     ", content=" + (content == nullptr ? "{}" : json::serialize(*content)));
}

void add_form(ServerDefinition& server, const char* name, json::object schema) {
  add_asking_tool(
      server, name, {{"type", "object"}},
      [schema = std::move(schema)](const json::object&, Context& context) -> Answer<ToolResult> {
        if (!context.can_elicit()) return tool_error("the client has no forms");
        const json::object* answer = context.response("form");
        if (answer == nullptr)
          return InputRequired{{{"form", elicitation("Fill in", schema)}}, nullptr};
        return shown_answer(*answer);
      });
}

void add_forms(ServerDefinition& server) {
  add_form(server, "test_elicitation_sep1034_defaults", json_object(R"({"type": "object",
    "properties": {"name": {"type": "string", "default": "John Doe"},
      "age": {"type": "integer", "default": 30}, "score": {"type": "number", "default": 95.5},
      "status": {"type": "string", "enum": ["active", "inactive", "pending"], "default": "active"},
      "verified": {"type": "boolean", "default": true}}})"));
  add_form(server, "test_elicitation_sep1330_enums", json_object(R"({"type": "object",
    "properties": {
      "untitledSingle": {"type": "string", "enum": ["option1", "option2", "option3"]},
      "titledSingle": {"type": "string", "oneOf": [{"const": "value1", "title": "First Option"},
        {"const": "value2", "title": "Second Option"}, {"const": "value3", "title": "Third Option"}]},
      "legacyEnum": {"type": "string", "enum": ["opt1", "opt2", "opt3"],
        "enumNames": ["Option One", "Option Two", "Option Three"]},
      "untitledMulti": {"type": "array", "items": {"type": "string",
        "enum": ["option1", "option2", "option3"]}},
      "titledMulti": {"type": "array", "items": {"anyOf": [{"const": "value1", "title": "First Choice"},
        {"const": "value2", "title": "Second Choice"}, {"const": "value3", "title": "Third Choice"}]}}}})"));
  add_asking_tool(
      server, "test_elicitation",
      json_object(
          R"({"type": "object", "properties": {"message": {"type": "string"}}, "required": ["message"]})"),
      [](const json::object& arguments, Context& context) -> Answer<ToolResult> {
        if (!context.can_elicit()) return tool_error("the client has no forms");
        const json::object* answer = context.response("form");
        if (answer != nullptr) return shown_answer(*answer);
        return InputRequired{{{"form", elicitation(arguments.at("message").as_string(),
                                                   json_object(R"({"type": "object", "properties":
              {"username": {"type": "string", "description": "User's response"},
               "email": {"type": "string", "description": "User's email address"}},
              "required": ["username", "email"]})"))}},
                             nullptr};
      });
}

/// Only what the client can answer.
Answer<ToolResult> ask_what_it_can(const json::object&, Context& context) {
  if (context.response("sample") != nullptr || context.response("name") != nullptr)
    return text_result("answered");
  json::object questions;
  if (context.can_sample()) questions["sample"] = sampling({user_text("Hello")}, 10);
  if (context.can_elicit()) questions["name"] = elicitation("Name?", one_text("name"));
  if (questions.empty()) return tool_error("the client cannot be asked");
  return InputRequired{std::move(questions), nullptr};
}

void add_samples(ServerDefinition& server) {
  add_asking_tool(
      server, "test_sampling",
      json_object(
          R"({"type": "object", "properties": {"prompt": {"type": "string"}}, "required": ["prompt"]})"),
      [](const json::object& arguments, Context& context) -> Answer<ToolResult> {
        if (!context.can_sample()) return tool_error("the client has no model");
        const json::object* answer = context.response("sample");
        if (answer != nullptr)
          return text_result("LLM response: " + json::serialize(answer->at("content")));
        return InputRequired{
            {{"sample", sampling({user_text(arguments.at("prompt").as_string())}, 100)}}, nullptr};
      });
  // Asks what the client may not be able to answer.
  const json::object sample{{"sample", sampling({user_text("Hello")}, 10)}};
  add_one_round(server, "test_missing_capability", sample, nullptr, "sampled");
  add_asking_tool(server, "test_input_required_result_capabilities", {{"type", "object"}},
                  ask_what_it_can);
}

}  // namespace

void add_fixture_questions(ServerDefinition& server) {
  const json::object form{{"user_name", elicitation("What is your name?", one_text("name"))}};
  const json::object sample{
      {"capital_question", sampling({user_text("What is the capital of France?")}, 100)}};
  const json::object roots{{"client_roots", roots_request()}};
  const json::object confirm{
      {"confirm",
       elicitation("Please confirm", json_object(R"({"type": "object", "properties": {"ok":
                                {"type": "boolean"}}, "required": ["ok"]})"))}};
  json::object all = form;
  all["greeting"] = sampling({user_text("Generate a greeting")}, 50);
  all["client_roots"] = roots_request();
  add_one_round(server, "test_input_required_result_elicitation", form, nullptr, "Hello");
  add_one_round(server, "test_streaming_elicitation", form, nullptr, "Hello");
  add_one_round(server, "test_input_required_result_sampling", sample, nullptr, "Paris");
  add_one_round(server, "test_input_required_result_list_roots", roots, nullptr, "Roots");
  add_one_round(server, "test_input_required_result_request_state", confirm, "asked", "state-ok");
  add_one_round(server, "test_input_required_result_tampered_state", confirm, "asked", "state-ok");
  add_one_round(server, "test_input_required_result_multiple_inputs", all, "asked", "all");
  add_asking_tool(server, "test_input_required_result_multi_round", {{"type", "object"}},
                  ask_in_rounds);
  add_forms(server);
  add_samples(server);

  Prompt prompt;
  prompt.name = "test_input_required_result_prompt";
  prompt.description = "Asks the client first.";
  prompt.get = [](const Texts&, Context& context) -> Answer<PromptResult> {
    const json::object* answer = context.accepted("user_context");
    if (answer == nullptr)
      return InputRequired{{{"user_context", elicitation("What context should the prompt use?",
                                                         one_text("context"))}},
                           nullptr};
    return PromptResult{"", {prompt_message("user", text_content(json::serialize(*answer)))}};
  };
  server.prompts.push_back(std::move(prompt));
}

}  // namespace cairn::test
