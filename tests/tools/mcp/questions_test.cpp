// Handlers that ask the client, in both eras, and the states that go with the questions.

#include "tests/tools/mcp/fixture_server.hpp"
#include "tests/tools/mcp/machine_client.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <string>

using namespace cairn::test;
using namespace cairn::tools::mcp;

namespace {

constexpr const char* forms = R"({"elicitation": {}})";
constexpr const char* everything = R"({"elicitation": {}, "sampling": {}, "roots": {}})";

std::string params_of(std::string_view tool, std::string_view more = {}) {
  return R"({"name": ")" + std::string(tool) + "\"" + std::string(more) + "}";
}

std::string answer_form(std::string_view key, std::string_view content) {
  return R"(, "inputResponses": {")" + std::string(key) + R"(": {"action": "accept", "content": )" +
         std::string(content) + "}}";
}

std::string with_state(const json::value& response) {
  return R"(, "requestState": )" + json::serialize(response.at("result").at("requestState"));
}

bool asks(const json::value& response) {
  const json::value* result = response.as_object().if_contains("result");
  return result != nullptr && result->at("resultType") == json::value("input_required");
}

std::string call_line(std::string_view tool) {
  return R"({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": ")" +
         std::string(tool) + "\"}}";
}

std::string answer_line(const json::value& question, std::string_view result) {
  return R"({"jsonrpc": "2.0", "id": )" + json::serialize(question.at("id")) + R"(, "result": )" +
         std::string(result) + "}";
}

}  // namespace

BOOST_AUTO_TEST_SUITE(mcp_questions)

BOOST_AUTO_TEST_CASE(without_handshake_a_question_is_a_result) {
  MachineClient client(make_fixture_server());
  const char* tool = "test_input_required_result_elicitation";
  const json::value first = client.ask_stateless("tools/call", params_of(tool), forms);
  BOOST_REQUIRE(asks(first));
  BOOST_TEST(first.at("result").at("inputRequests").at("user_name").at("method") ==
             json::value("elicitation/create"));
  // No state was given, so none is to be sent.
  BOOST_TEST(!first.at("result").as_object().contains("requestState"));
  const json::value second = client.ask_stateless(
      "tools/call", params_of(tool, answer_form("user_name", R"({"name": "Ada"})")), forms);
  BOOST_TEST(text_of(second) == "Hello");
  // An answer to another question leaves this one open.
  BOOST_TEST(asks(
      client.ask_stateless("tools/call", params_of(tool, answer_form("wrong_key", "{}")), forms)));
}

BOOST_AUTO_TEST_CASE(a_state_comes_back_round_by_round) {
  MachineClient client(make_fixture_server());
  const char* tool = "test_input_required_result_multi_round";
  const json::value first = client.ask_stateless("tools/call", params_of(tool), forms);
  BOOST_REQUIRE(asks(first));
  const json::value second = client.ask_stateless(
      "tools/call", params_of(tool, answer_form("step1", R"({"name": "Ada"})") + with_state(first)),
      forms);
  BOOST_REQUIRE(asks(second));
  BOOST_TEST(second.at("result").at("requestState") != first.at("result").at("requestState"));
  const json::value third = client.ask_stateless(
      "tools/call",
      params_of(tool, answer_form("step2", R"({"color": "red"})") + with_state(second)), forms);
  BOOST_TEST(text_of(third) == "Ada likes \"red\"");
}

BOOST_AUTO_TEST_CASE(a_state_is_refused_if_it_was_changed_moved_or_is_too_old) {
  MachineClient client(make_fixture_server());
  const char* tool = "test_input_required_result_request_state";
  const json::value asked = client.ask_stateless("tools/call", params_of(tool), forms);
  const std::string answer = answer_form("confirm", R"({"ok": true})");
  const std::string state(asked.at("result").at("requestState").as_string());
  const auto call = [&](std::string_view name, std::string_view sent, std::string_view more = {}) {
    return client.ask_stateless("tools/call",
                                params_of(name, answer + R"(, "requestState": ")" +
                                                    std::string(sent) + "\"" + std::string(more)),
                                forms);
  };
  BOOST_TEST(text_of(call(tool, state)) == "state-ok");
  BOOST_TEST(text_of(call(tool, state)) == "state-ok");

  for (std::size_t i = 0; i < state.size(); ++i) {
    std::string changed = state;
    changed[i] = changed[i] == 'A' ? 'B' : 'A';
    BOOST_TEST(code_of(call(tool, changed)) == -32602);
  }
  for (const std::string& bad :
       {std::string(), state + "-TAMPERED", state.substr(4), "AAAA" + state})
    BOOST_TEST(code_of(call(tool, bad)) == -32602);
  // Another tool, and other arguments of the same one.
  BOOST_TEST(code_of(call("test_input_required_result_tampered_state", state)) == -32602);
  BOOST_TEST(code_of(call(tool, state, R"(, "arguments": {"a": 1})")) == -32602);

  client.now += std::chrono::minutes(10);
  BOOST_TEST(text_of(call(tool, state)) == "state-ok");
  client.now += std::chrono::seconds(1);
  BOOST_TEST(code_of(call(tool, state)) == -32602);

  MachineClient other(make_fixture_server());
  BOOST_TEST(code_of(other.ask_stateless(
                 "tools/call", params_of(tool, answer + R"(, "requestState": ")" + state + "\""),
                 forms)) == -32602);
}

BOOST_AUTO_TEST_CASE(a_state_for_one_use_is_refused_afterwards) {
  const StateSigner signer;
  const StateSigner::Time now{};
  const auto sign = [&] { return signer.sign("s", "r", now, StateUse::once); };
  const auto is_accepted = [&](const std::string& state) {
    return signer.open(state, "r", now).has_value();
  };
  const std::string first = sign();
  const std::string second = sign();
  BOOST_TEST(is_accepted(second));
  BOOST_TEST(is_accepted(first));
  BOOST_TEST(!is_accepted(first));
  BOOST_TEST(!is_accepted(second));
  // Those that were used stay refused when they are forgotten, and so do all before them.
  const std::string unused = sign();
  for (std::size_t i = 0; i < StateSigner::most_used + 1; ++i) BOOST_TEST(is_accepted(sign()));
  for (const std::string& old : {first, second, unused}) BOOST_TEST(!is_accepted(old));
  BOOST_TEST(is_accepted(sign()));
}

BOOST_AUTO_TEST_CASE(the_order_of_arguments_does_not_matter_to_a_state) {
  const auto binding = [](std::string_view params) {
    return request_binding("tools/call", json::parse(params).as_object());
  };
  BOOST_TEST(binding(R"({"name": "a", "arguments": {"x": {"p": 1, "q": 2}, "y": [1, 2]}})") ==
             binding(R"({"arguments": {"y": [1, 2], "x": {"q": 2, "p": 1}}, "name": "a",
               "_meta": {"m": 1}, "requestState": "s", "inputResponses": {}})"));
  BOOST_TEST(binding(R"({"name": "a", "arguments": {"y": [1, 2]}})") !=
             binding(R"({"name": "a", "arguments": {"y": [2, 1]}})"));
}

BOOST_AUTO_TEST_CASE(answers_of_another_shape_are_refused) {
  MachineClient client(make_fixture_server());
  for (const char* responses :
       {"null", "[]", "1", R"({"user_name": 12345})", R"({"user_name": null})"})
    BOOST_TEST(
        code_of(client.ask_stateless("tools/call",
                                     params_of("test_input_required_result_elicitation",
                                               R"(, "inputResponses": )" + std::string(responses)),
                                     forms)) == -32602);
}

BOOST_AUTO_TEST_CASE(a_client_is_asked_only_what_it_can_answer) {
  MachineClient client(make_fixture_server());
  const json::value refused =
      client.ask_stateless("tools/call", params_of("test_missing_capability"), forms);
  BOOST_TEST(code_of(refused) == -32021);
  BOOST_TEST(refused.at("error").at("data") ==
             json::parse(R"({"requiredCapabilities": {"sampling": {}}})"));
  const json::value asked = client.ask_stateless(
      "tools/call", params_of("test_input_required_result_capabilities"), R"({"sampling": {}})");
  BOOST_REQUIRE(asks(asked));
  BOOST_TEST(asked.at("result").at("inputRequests").as_object().size() == 1U);
  // Elicitation by URL alone has no forms.
  BOOST_TEST(code_of(client.ask_stateless("tools/call",
                                          params_of("test_input_required_result_elicitation"),
                                          R"({"elicitation": {"url": {}}})")) == -32021);
  BOOST_TEST(
      asks(client.ask_stateless("tools/call", params_of("test_input_required_result_elicitation"),
                                R"({"elicitation": {"url": {}, "form": {}}})")));
}

BOOST_AUTO_TEST_CASE(prompts_can_ask_as_well) {
  MachineClient client(make_fixture_server());
  const std::string params = params_of("test_input_required_result_prompt");
  BOOST_TEST(asks(client.ask_stateless("prompts/get", params, forms)));
  const json::value got =
      client.ask_stateless("prompts/get",
                           params_of("test_input_required_result_prompt",
                                     answer_form("user_context", R"({"context": "c"})")),
                           forms);
  BOOST_TEST(got.at("result").at("messages").as_array().size() == 1U);
}

BOOST_AUTO_TEST_CASE(with_a_handshake_a_question_is_a_request) {
  MachineClient client(make_fixture_server());
  static_cast<void>(client.initialize("2025-11-25", everything));
  const auto questions = client.send(call_line("test_input_required_result_multiple_inputs"));
  BOOST_REQUIRE_EQUAL(questions.size(), 3U);
  BOOST_TEST(questions[0].at("method") == json::value("elicitation/create"));
  BOOST_TEST(questions[2].at("method") == json::value("roots/list"));
  BOOST_TEST(client.send(answer_line(questions[2], R"({"roots": []})")).empty());
  BOOST_TEST(client.send(answer_line(questions[0], R"({"action": "decline"})")).empty());
  // Twice the same answer, and one to nothing.
  BOOST_TEST(client.send(answer_line(questions[0], R"({"action": "accept"})")).empty());
  BOOST_TEST(client.send(R"({"jsonrpc": "2.0", "id": "question-99", "result": {}})").empty());
  BOOST_TEST(text_of(client.ask(answer_line(questions[1], R"({"role": "assistant"})"))) == "all");
  BOOST_TEST(client.machine.open_calls() == 0U);
}

BOOST_AUTO_TEST_CASE(rounds_go_on_with_a_handshake) {
  MachineClient client(make_fixture_server());
  static_cast<void>(client.initialize("2025-06-18", everything));
  const json::value first = client.ask(call_line("test_input_required_result_multi_round"));
  const json::value second =
      client.ask(answer_line(first, R"({"action": "accept", "content": {"name": "Ada"}})"));
  BOOST_TEST(second.at("params").at("message") ==
             json::value("Step 2: What is your favorite color?"));
  const json::value third =
      client.ask(answer_line(second, R"({"action": "accept", "content": {"color": "red"}})"));
  BOOST_TEST(text_of(third) == "Ada likes \"red\"");
}

BOOST_AUTO_TEST_CASE(an_error_of_the_client_dismisses_a_form_and_ends_other_requests) {
  MachineClient client(make_fixture_server());
  static_cast<void>(client.initialize("2025-11-25", everything));
  const auto error_line = [](const json::value& question) {
    return R"({"jsonrpc": "2.0", "id": )" + json::serialize(question.at("id")) +
           R"(, "error": {"code": -1, "message": "no"}})";
  };
  json::value question = client.ask(call_line("test_elicitation_sep1034_defaults"));
  BOOST_TEST(text_of(client.ask(error_line(question))).find("\"cancel\"") != std::string::npos);
  question = client.ask(call_line("test_input_required_result_sampling"));
  BOOST_TEST(code_of(client.ask(error_line(question))) == -32603);
}

BOOST_AUTO_TEST_CASE(a_cancelled_request_withdraws_its_questions) {
  MachineClient client(make_fixture_server());
  static_cast<void>(client.initialize("2025-11-25", everything));
  const json::value question = client.ask(call_line("test_input_required_result_elicitation"));
  const json::value withdrawn =
      client.ask(R"({"jsonrpc": "2.0", "method": "notifications/cancelled",
    "params": {"requestId": 1}})");
  BOOST_TEST(withdrawn.at("method") == json::value("notifications/cancelled"));
  BOOST_TEST(withdrawn.at("params").at("requestId") == question.at("id"));
  BOOST_TEST(client.send(answer_line(question, R"({"action": "accept"})")).empty());
}

BOOST_AUTO_TEST_CASE(questions_and_rounds_are_limited) {
  MachineOptions options;
  options.most_questions = 3;
  MachineClient client(make_fixture_server(), options);
  static_cast<void>(client.initialize("2025-11-25", everything));
  for (int i = 0; i < 3; ++i)
    BOOST_TEST(
        code_of(client.ask(
            R"({"jsonrpc": "2.0", "id": )" + std::to_string(i) +
            R"(, "method": "tools/call", "params": {"name": "test_input_required_result_elicitation"}})")) ==
        0);
  BOOST_TEST(code_of(client.ask(R"({"jsonrpc": "2.0", "id": 3, "method": "tools/call",
    "params": {"name": "test_input_required_result_elicitation"}})")) == -32603);

  MachineOptions small;
  small.most_asking_cost = 10'000;
  MachineClient heavy(make_fixture_server(), small);
  static_cast<void>(heavy.initialize("2025-11-25", everything));
  const auto ask = [&](int id, std::size_t bytes) {
    return heavy.ask(
        R"({"jsonrpc": "2.0", "id": )" + std::to_string(id) +
        R"(, "method": "tools/call", "params": {"name": "test_input_required_result_elicitation",
         "arguments": {"a": ")" +
        std::string(bytes, 'a') + "\"}}}");
  };
  const json::value question = ask(1, 4'000);
  BOOST_TEST(code_of(question) == 0);
  BOOST_TEST(code_of(ask(2, 6'000)) == -32603);
  // The memory is free again after an answer and after a cancellation.
  BOOST_TEST(text_of(heavy.ask(answer_line(question, R"({"action": "accept"})"))) == "Hello");
  BOOST_TEST(code_of(ask(3, 6'000)) == 0);
  BOOST_TEST(heavy
                 .send(R"({"jsonrpc": "2.0", "method": "notifications/cancelled",
    "params": {"requestId": 3}})")
                 .size() == 1U);
  BOOST_TEST(code_of(ask(4, 6'000)) == 0);

  ServerDefinition server;
  Tool tool;
  tool.name = "again";
  tool.input_schema = {{"type", "object"}};
  int runs = 0;
  tool.call = [&runs](const json::object&, Context&) -> Answer<ToolResult> {
    ++runs;
    return InputRequired{{}, 1};
  };
  server.tools.push_back(std::move(tool));
  MachineClient endless(std::move(server));
  static_cast<void>(endless.initialize());
  BOOST_TEST(code_of(endless.ask(call_line("again"))) == -32603);
  BOOST_TEST(runs == 17);
}

BOOST_AUTO_TEST_CASE(before_elicitation_was_there_its_word_means_nothing) {
  MachineClient client(make_fixture_server());
  static_cast<void>(client.initialize("2025-03-26", everything));
  BOOST_TEST(text_of(client.ask(call_line("test_elicitation_sep1034_defaults"))) ==
             "the client has no forms");
}

BOOST_AUTO_TEST_SUITE_END()
