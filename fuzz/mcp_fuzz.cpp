// Sends lines of an MCP client of any protocol revision. Each output line of the server must be one
// JSON-RPC message. No request is answered twice. A handler gets arguments that match its schema,
// and only states that it returned before.
//
// input := line '\n' line '\n' ...
//
// A line that begins with '!' is not a message: "!run" runs the first waiting handler, "!change
// URI" changes a resource, or a list for "tools", "prompts" and "resources", and "!later" advances
// the clock by a minute. In other lines $state and $question stand for the state and the id of the
// question that the server sent last.

#include "fuzz/support/expect.hpp"
#include "tools/mcp/protocol/machine.hpp"
#include "tools/mcp/protocol/message.hpp"

#include <chrono>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace cairn::fuzz;
using namespace cairn::tools::mcp;

constexpr std::size_t most_input_bytes = 8'192;
constexpr std::size_t most_line_bytes = 2'048;
constexpr std::size_t most_questions = 4;

/// A handler that answers, fails, or asks one or two questions, as its argument says.
Answer<ToolResult> ask(const json::object& arguments, Context& context) {
  const json::string& text = arguments.at("text").as_string();
  expect(arguments.size() <= 2);
  if (text == "throw") throw std::runtime_error("thrown");
  if (text == "error") return tool_error("an error");
  if (text != "ask") return structured_result(arguments);
  const json::value& state = context.state();
  expect(state.is_null() || state == json::value("first") || state == json::value("second"));
  if (state == json::value("second")) return text_result("after two rounds");
  context.progress(1, 2, "asking");
  context.log(LogLevel::warning, "asking");
  return InputRequired{{{"form", elicitation("Name?", {{"type", "object"}})}},
                       state.is_null() ? "first" : "second"};
}

void add_texts(ServerDefinition& server) {
  server.resources = {{"a://b", "b", "", "", "text/plain", std::nullopt}};
  server.read_resource = [](const std::string& uri, Context&) -> Answer<ResourceContents> {
    if (uri != "a://b") return resource_not_found(uri);
    return ResourceContents{{text_resource(uri, "text/plain", "\xff")}};
  };
  server.complete = [](const CompletionRequest& request, Context&) -> Answer<Completions> {
    return Completions{{request.value + "1", request.argument}, std::nullopt};
  };
  server.prompts = {{"p", "", "", {{"a", "", "", true}}, [](const Texts& arguments, Context&) {
                       return PromptResult{
                           "", {prompt_message("user", text_content(arguments.at("a")))}};
                     }}};
}

ServerDefinition make_server() {
  ServerDefinition server;
  server.name = "fuzzed";
  server.version = "1";
  server.page_size = 2;
  server.can_log = true;
  server.changes = std::make_shared<Changes>();
  server.lists_change = true;
  for (const char* name : {"ask", "b", "c"}) {
    Tool tool;
    tool.name = name;
    tool.input_schema = json_object(R"({"type": "object", "properties": {"text": {"type": "string"},
      "more": {"type": ["integer", "null"], "enum": [1, null]}}, "required": ["text"],
      "additionalProperties": false})");
    tool.call = ask;
    server.tools.push_back(std::move(tool));
  }
  add_texts(server);
  return server;
}

void replace_all(std::string& line, std::string_view word, const std::string& by) {
  for (std::size_t at = 0; (at = line.find(word, at)) != std::string::npos; at += by.size())
    line.replace(at, word.size(), by);
}

/// One client and its server.
class FuzzedClient {
 public:
  FuzzedClient() : machine_(server(), signer(), options()) {}

  void take(std::string line) {
    Step step;
    if (line.starts_with('!')) {
      happen(line, step);
    } else {
      replace_all(line, "$state", state_);
      replace_all(line, "$question", question_);
      machine_.receive(line, step);
    }
    deliver(std::move(step));
    expect(waiting_.size() <= machine_.open_calls() + cancelled_runs());
  }

  void take_long_line() {
    Step step;
    Machine::refuse_long_line(most_line_bytes, step);
    deliver(std::move(step));
  }

  /// Runs all handlers; afterwards only requests that wait for the client are open.
  void end() {
    while (!waiting_.empty()) take("!run");
    expect(machine_.open_calls() <= most_questions);
    machine_.stop();
    expect(machine_.open_calls() == 0);
  }

 private:
  static const ServerDefinition& server() {
    static const ServerDefinition server = make_server();
    return server;
  }
  /// Has a fixed key, so that inputs can contain valid states.
  static const StateSigner& signer() {
    static const StateSigner signer("fuzzed");
    return signer;
  }
  MachineOptions options() {
    MachineOptions options;
    options.limits.most_depth = 32;
    options.most_batch = 8;
    options.most_questions = most_questions;
    options.most_rounds = 3;
    options.now = [this] { return now_; };
    return options;
  }

  [[nodiscard]] std::size_t cancelled_runs() const {
    std::size_t number = 0;
    for (const Call& call : waiting_) number += call.info.stop.stop_requested() ? 1U : 0U;
    return number;
  }

  void happen(const std::string& event, Step& step) {
    if (event == "!later") now_ += std::chrono::minutes(1);
    if (event == "!run" && !waiting_.empty()) run_first(step);
    if (!event.starts_with("!change ")) return;
    const std::string what = event.substr(8);
    Change change{Change::Kind::resource, what};
    if (what == "tools") change = {Change::Kind::tools, {}};
    if (what == "prompts") change = {Change::Kind::prompts, {}};
    if (what == "resources") change = {Change::Kind::resources, {}};
    machine_.change(change, step);
  }

  void run_first(Step& step) {
    const Call call = std::move(waiting_.front());
    waiting_.erase(waiting_.begin());
    RequestInfo info = call.info;
    info.on_progress = [&](const ProgressReport& report) {
      check(Machine::progress_message(call, report));
    };
    info.on_log = [&](const LogReport& report) { check(Machine::log_message(report)); };
    Context context(std::move(info));
    machine_.finish(call.number, call.run(context), step);
  }

  void deliver(Step step) {
    for (const Outgoing& outgoing : step.messages) {
      if (const json::array* batch = outgoing.message.if_array()) {
        expect(!batch->empty());
        for (const json::value& message : *batch) check(message);
      } else {
        check(outgoing.message);
      }
    }
    for (Call& call : step.calls) waiting_.push_back(std::move(call));
  }

  /// Checks that a message is one readable line with one valid message.
  void check(const json::value& message) {
    const std::string line = to_line(message);
    expect(line.find('\n') == std::string::npos, line);
    boost::system::error_code error;
    json::parse_options deeper;
    deeper.max_depth = 64;
    const json::value read = json::parse(line, error, {}, deeper);
    expect(!error && read.is_object() && read.at("jsonrpc") == json::value("2.0"), line);
    const json::object& object = read.as_object();
    const int kinds = (object.contains("method") ? 1 : 0) + (object.contains("result") ? 1 : 0) +
                      (object.contains("error") ? 1 : 0);
    expect(kinds == 1, line);
    remember(object);
  }

  void remember(const json::object& message) {
    const json::value* method = message.if_contains("method");
    if (method != nullptr && message.contains("id"))
      question_ = std::string(message.at("id").as_string());
    const json::value* result = message.if_contains("result");
    const json::value* state =
        result == nullptr ? nullptr : result->as_object().if_contains("requestState");
    if (state != nullptr) state_ = std::string(state->as_string());
  }

  StateSigner::Time now_{};
  Machine machine_;
  std::vector<Call> waiting_;
  std::string state_ = "none";
  std::string question_ = "none";
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > most_input_bytes) return -1;
  FuzzedClient client;
  LineReader lines(most_line_bytes);
  std::string_view bytes = text_of(data, size);
  while (auto line = lines.next(bytes)) {
    if (line->is_too_long)
      client.take_long_line();
    else
      client.take(std::move(line->text));
  }
  if (auto line = lines.last(); line && !line->is_too_long) client.take(std::move(line->text));
  client.end();
  return 0;
}
