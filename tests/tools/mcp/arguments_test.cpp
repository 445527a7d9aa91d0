// Calls of tools, prompts and completions with arguments that do not fit.

#include "tests/tools/mcp/fixture_server.hpp"
#include "tests/tools/mcp/machine_client.hpp"
#include "tools/mcp/protocol/calls.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

using namespace cairn::test;
using namespace cairn::tools::mcp;

namespace {

json::value count_words(MachineClient& client, std::string_view arguments) {
  return client.ask_stateless(
      "tools/call", R"({"name": "count_words", "arguments": )" + std::string(arguments) + "}");
}

bool is_tool_error(const json::value& response) {
  const json::value* result = response.as_object().if_contains("result");
  return result != nullptr && result->as_object().contains("isError");
}

}  // namespace

BOOST_AUTO_TEST_SUITE(mcp_arguments)

BOOST_AUTO_TEST_CASE(the_model_reads_what_to_correct) {
  MachineClient client(make_fixture_server());
  const std::pair<const char*, const char*> calls[] = {
      {"{}", "missing argument `text`. Arguments: `text`, `limit`, `unit`"},
      {R"({"txt": "a"})",
       "missing argument `text`; unknown argument `txt`. Arguments: `text`, `limit`, `unit`"},
      {R"({"text": 5})",
       "`text` must be of type string, not 5. Arguments: `text`, `limit`, `unit`"},
      {R"({"text": "", "limit": 1.5})",
       "`limit` must be of type integer or null, not 1.5E0. Arguments: `text`, `limit`, `unit`"},
      {R"({"text": "", "unit": "miles"})",
       "`unit` must be one of \"words\", \"bytes\", not \"miles\". Arguments: `text`, `limit`, "
       "`unit`"}};
  for (const auto& [arguments, text] : calls) {
    const json::value response = count_words(client, arguments);
    BOOST_TEST(is_tool_error(response));
    BOOST_TEST(text_of(response) == text);
  }
  for (const char* arguments : {R"({"text": ""})", R"({"text": "", "limit": null})",
                                R"({"text": "", "limit": 3.0, "unit": "bytes"})"})
    BOOST_TEST(!is_tool_error(count_words(client, arguments)));
}

BOOST_AUTO_TEST_CASE(what_is_wrong_is_shown_in_few_words) {
  const json::object schema = json_object(
      R"({"type": "object", "properties": {"a": {"type": "string"}}, "additionalProperties": false})");
  json::object arguments;
  for (int i = 0; i < 1'000; ++i) arguments[std::string(1'000, 'k') + std::to_string(i)] = i;
  arguments["a"] = json::array(1'000);
  const auto fault = check_arguments(schema, arguments);
  BOOST_REQUIRE(fault);
  BOOST_TEST(fault->size() < 400U);
}

BOOST_AUTO_TEST_CASE(an_unknown_argument_names_the_one_that_is_meant) {
  const json::object schema =
      json_object(R"({"properties": {"text": {"type": "string"}}, "additionalProperties": false})");
  const auto meant = [](std::string_view unknown) {
    return std::string(unknown == "txt" ? "text" : "");
  };
  BOOST_TEST(check_arguments(schema, json_object(R"({"txt": ""})"), meant).value_or("") ==
             "unknown argument `txt` (did you mean `text`?). Arguments: `text`");
  BOOST_TEST(check_arguments(schema, json_object(R"({"other": ""})"), meant).value_or("") ==
             "unknown argument `other`. Arguments: `text`");
}

BOOST_AUTO_TEST_CASE(a_schema_of_any_form_is_no_danger) {
  for (const char* schema :
       {"{}", R"({"properties": 5, "required": 5, "additionalProperties": {}})",
        R"({"properties": {"a": true, "b": {"type": 5, "enum": 5}}, "required": [1, null]})",
        R"({"properties": {"a": {"type": ["string", 5]}}})",
        R"({"properties": {"a": {"type": "what"}}})"})
    BOOST_TEST(!check_arguments(json_object(schema), json_object(R"({"a": 1, "b": 2})")));
}

BOOST_AUTO_TEST_CASE(a_call_of_another_shape_is_an_error_of_the_protocol) {
  MachineClient client(make_fixture_server());
  for (const char* params : {"{}", R"({"name": 5})", R"({"name": "none"})",
                             R"({"name": "count_words", "arguments": []})",
                             R"({"name": "count_words", "arguments": "text"})"})
    BOOST_TEST(code_of(client.ask_stateless("tools/call", params)) == -32602);
  const json::value unknown = client.ask_stateless("tools/call", R"({"name": "none"})");
  BOOST_TEST(json::serialize(unknown).find("count_words") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(errors_of_handlers_end_nothing) {
  MachineClient client(make_fixture_server());
  const json::value thrown = client.ask_stateless("tools/call", R"({"name": "test_exception"})");
  BOOST_TEST(is_tool_error(thrown));
  BOOST_TEST(text_of(thrown) == "internal error: the disk is full");
  BOOST_TEST(
      is_tool_error(client.ask_stateless("tools/call", R"({"name": "test_error_handling"})")));
  BOOST_TEST(code_of(client.ask_stateless("tools/call", R"({"name": "test_protocol_error"})")) ==
             -32602);
}

BOOST_AUTO_TEST_CASE(progress_that_does_not_grow_is_left_out) {
  RequestInfo info;
  std::vector<double> reported;
  info.on_progress = [&](const ProgressReport& report) { reported.push_back(report.done); };
  std::stop_source stop;
  info.stop = stop.get_token();
  Context context(std::move(info));
  for (const double done :
       {0.0, 2.0, 2.0, 1.0, std::nan(""), std::numeric_limits<double>::infinity(), 3.0})
    context.progress(done);
  stop.request_stop();
  context.progress(4);
  BOOST_TEST(reported == (std::vector<double>{0, 2, 3}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(prompts_need_their_arguments) {
  MachineClient client(make_fixture_server());
  const json::value got = client.ask_stateless(
      "prompts/get",
      R"({"name": "test_prompt_with_arguments", "arguments": {"arg1": "hello", "arg2": "world"}})");
  BOOST_TEST(got.at("result").at("messages").at(0).at("content").at("text") ==
             json::value("Prompt with arguments: arg1='hello', arg2='world'"));
  for (const char* params :
       {"{}", R"({"name": "none"})", R"({"name": "test_prompt_with_arguments"})",
        R"({"name": "test_prompt_with_arguments", "arguments": {"arg1": "a"}})",
        R"({"name": "test_prompt_with_arguments", "arguments": {"arg1": "a", "arg2": 2}})",
        R"({"name": "test_prompt_with_arguments", "arguments": []})"})
    BOOST_TEST(code_of(client.ask_stateless("prompts/get", params)) == -32602);
}

BOOST_AUTO_TEST_CASE(completions_are_at_most_a_hundred) {
  ServerDefinition server = make_fixture_server();
  server.complete = [](const CompletionRequest& request, Context&) -> Answer<Completions> {
    Completions completions;
    for (int i = 0; i < 150; ++i)
      completions.values.push_back(request.of + request.argument + request.value +
                                   std::to_string(i));
    return completions;
  };
  MachineClient client(std::move(server));
  const json::value response = client.ask_stateless(
      "completion/complete",
      R"({"ref": {"type": "ref/resource", "uri": "u"}, "argument": {"name": "n", "value": "v"}})");
  const json::value& completion = response.at("result").at("completion");
  BOOST_TEST(completion.at("values").as_array().size() == 100U);
  BOOST_TEST(completion.at("values").at(99) == json::value("unv99"));
  BOOST_TEST(completion.at("hasMore") == json::value(true));
  BOOST_TEST(completion.at("total").as_uint64() == 150U);
  for (const char* params :
       {"{}", R"({"ref": {"type": "ref/prompt"}, "argument": {"name": "n", "value": "v"}})",
        R"({"ref": {"type": "x", "name": "p"}, "argument": {"name": "n", "value": "v"}})",
        R"({"ref": {"type": "ref/prompt", "name": "p"}, "argument": {"name": "n"}})",
        R"({"ref": {"type": "ref/prompt", "name": "p"}, "argument": {"name": "n", "value": "v"},
            "context": {"arguments": {"a": 1}}})"})
    BOOST_TEST(code_of(client.ask_stateless("completion/complete", params)) == -32602);
}

BOOST_AUTO_TEST_SUITE_END()
