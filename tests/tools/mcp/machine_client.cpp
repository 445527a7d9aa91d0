#include "tests/tools/mcp/machine_client.hpp"

#include "tools/mcp/protocol/exact_json.hpp"

#include <boost/test/unit_test.hpp>

#include <utility>

namespace cairn::test {

using namespace tools::mcp;

namespace {

MachineOptions with_clock(MachineOptions options, std::function<StateSigner::Time()> clock) {
  options.now = std::move(clock);
  return options;
}

}  // namespace

MachineClient::MachineClient(ServerDefinition given, MachineOptions options)
    : server(std::move(given)),
      machine(server, signer, with_clock(std::move(options), [this] { return now; })) {}

std::vector<json::value> MachineClient::take(Step step) {
  std::vector<json::value> messages;
  for (Outgoing& outgoing : step.messages) messages.push_back(std::move(outgoing.message));
  for (Call& call : step.calls) held_.push_back(std::move(call));
  return messages;
}

std::vector<json::value> MachineClient::hold(std::string_view line) {
  Step step;
  machine.receive(line, step);
  return take(std::move(step));
}

std::vector<json::value> MachineClient::run_held() {
  std::vector<json::value> messages;
  while (!held_.empty()) {
    const Call call = std::move(held_.front());
    held_.erase(held_.begin());
    RequestInfo info = call.info;
    if (!call.progress_token.is_null())
      info.on_progress = [&](const ProgressReport& report) {
        messages.emplace_back(Machine::progress_message(call, report));
      };
    if (call.log_level)
      info.on_log = [&](const LogReport& message) {
        if (message.level >= *call.log_level) messages.emplace_back(Machine::log_message(message));
      };
    Context context(std::move(info));
    Step step;
    machine.finish(call.number, call.run(context), step);
    for (json::value& message : take(std::move(step))) messages.push_back(std::move(message));
  }
  return messages;
}

std::vector<json::value> MachineClient::send(std::string_view line) {
  std::vector<json::value> messages = hold(line);
  for (json::value& message : run_held()) messages.push_back(std::move(message));
  return messages;
}

json::value MachineClient::ask(std::string_view line) {
  const std::vector<json::value> messages = send(line);
  BOOST_REQUIRE_EQUAL(messages.size(), 1U);
  return messages.front();
}

json::value MachineClient::ask_stateless(std::string_view method, std::string_view params,
                                         std::string_view capabilities) {
  boost::system::error_code problem;
  json::object object = tools::mcp::parse_exactly(params, 32, problem).as_object();
  json::value& meta = object["_meta"];
  if (!meta.is_object()) meta = json::object();
  meta.as_object()["io.modelcontextprotocol/protocolVersion"] = "2026-07-28";
  meta.as_object()["io.modelcontextprotocol/clientCapabilities"] = json::parse(capabilities);
  const json::object request{
      {"jsonrpc", "2.0"}, {"id", next_id_++}, {"method", method}, {"params", std::move(object)}};
  return ask(json::serialize(request));
}

json::value MachineClient::initialize(std::string_view revision, std::string_view capabilities) {
  const json::object request{{"jsonrpc", "2.0"},
                             {"id", "hello"},
                             {"method", "initialize"},
                             {"params",
                              {{"protocolVersion", revision},
                               {"capabilities", json::parse(capabilities)},
                               {"clientInfo", {{"name", "tester"}, {"version", "7"}}}}}};
  json::value response = ask(json::serialize(request));
  BOOST_TEST(send(R"({"jsonrpc": "2.0", "method": "notifications/initialized"})").empty());
  return response;
}

std::vector<json::value> MachineClient::change(const Change& change) {
  Step step;
  machine.change(change, step);
  return take(std::move(step));
}

std::string text_of(const json::value& response) {
  return std::string(response.at("result").at("content").at(0).at("text").as_string());
}

std::int64_t code_of(const json::value& response) {
  const json::value* error = response.as_object().if_contains("error");
  return error == nullptr ? 0 : error->at("code").as_int64();
}

}  // namespace cairn::test
