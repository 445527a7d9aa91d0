// Finds the handler for a request and checks its parameters, and keeps the table of open calls. A
// handler's exceptions become errors, so that no request can end the server.
#include "tools/mcp/protocol/calls.hpp"

#include "tools/mcp/protocol/definition.hpp"
#include "tools/mcp/protocol/message.hpp"
#include "tools/mcp/protocol/results.hpp"
#include "tools/mcp/protocol/revision.hpp"

#include <algorithm>
#include <exception>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace cairn::tools::mcp {

namespace {

using Found = std::variant<Runner, ProtocolError>;

ProtocolError invalid_params(std::string text) {
  return {ProtocolCode::invalid_params, std::move(text), std::nullopt};
}

template <class T>
Outcome outcome_of(Answer<T> answer, Revision revision) {
  if (T* result = std::get_if<T>(&answer)) return encode_result(std::move(*result), revision);
  if (auto* questions = std::get_if<InputRequired>(&answer)) return std::move(*questions);
  return error_of_revision(std::get<ProtocolError>(std::move(answer)), revision);
}

/// Shortens a name from the client for a message to it.
std::string shown_name(std::string_view name) {
  constexpr std::size_t most_bytes = 200;
  return std::string(name.substr(0, most_bytes)) + (name.size() > most_bytes ? "..." : "");
}

template <class Entry>
const Entry* find_entry(const std::vector<Entry>& entries, std::string_view name) {
  const auto found =
      std::ranges::find_if(entries, [name](const Entry& entry) { return entry.name == name; });
  return found == entries.end() ? nullptr : &*found;
}

template <class Entry>
ProtocolError unknown_name(const char* kind, std::string_view name,
                           const std::vector<Entry>& entries) {
  std::string known;
  for (const Entry& entry : entries) known += (known.empty() ? "" : ", ") + entry.name;
  return invalid_params("Unknown " + std::string(kind) + ": " + shown_name(name) +
                        ". There are: " + (known.empty() ? "none" : known));
}

/// Runs a function that calls a handler; an exception becomes an internal error.
template <class Body>
Outcome run_safely(const Body& body) {
  try {
    return body();
  } catch (const std::exception& problem) {
    return ProtocolError{ProtocolCode::internal_error,
                         "internal error: " + std::string(problem.what()), std::nullopt};
  } catch (...) {
    return ProtocolError{ProtocolCode::internal_error, "internal error", std::nullopt};
  }
}

void send_logs(const Tool& tool, const Answer<ToolResult>& answer, Context& context) {
  const ToolResult* result = std::get_if<ToolResult>(&answer);
  if (result == nullptr) return;
  for (LogReport report : result->logs) {
    if (report.logger.empty()) report.logger = tool.name;
    context.log(report);
  }
}

Outcome call_tool(const Tool& tool, const json::object& arguments, Revision revision,
                  Context& context) {
  const auto fault = check_arguments(tool.input_schema, arguments, tool.meant_argument);
  if (fault) return encode_result(tool_error(*fault), revision);
  try {
    Answer<ToolResult> answer = tool.call(arguments, context);
    send_logs(tool, answer, context);
    return outcome_of(std::move(answer), revision);
  } catch (const std::exception& problem) {
    // A tool error, because the model can try other arguments; it would not see a protocol error.
    return encode_result(tool_error("internal error: " + std::string(problem.what())), revision);
  }
}

Found find_tool(const ServerDefinition& server, const json::object& params, Revision revision) {
  const json::string* name = find_text(params, "name");
  if (name == nullptr) return invalid_params("tools/call needs a `name`");
  const Tool* tool = find_entry(server.tools, *name);
  if (tool == nullptr) return unknown_name("tool", *name, server.tools);
  const json::value* given = params.if_contains("arguments");
  json::object arguments;
  if (given != nullptr && !given->is_null()) {
    if (!given->is_object()) return invalid_params("`arguments` must be an object");
    arguments = given->get_object();
  }
  return [tool, revision, arguments = std::move(arguments)](Context& context) {
    return run_safely([&] { return call_tool(*tool, arguments, revision, context); });
  };
}

/// Converts an object of texts; nullopt if a value has another type.
std::optional<Texts> texts_of(const json::value* value) {
  Texts texts;
  if (value == nullptr || value->is_null()) return texts;
  const json::object* object = value->if_object();
  if (object == nullptr) return std::nullopt;
  for (const auto& member : *object) {
    const json::string* text = member.value().if_string();
    if (text == nullptr) return std::nullopt;
    texts.emplace(member.key(), *text);
  }
  return texts;
}

std::optional<ProtocolError> missing_argument(const Prompt& prompt, const Texts& arguments) {
  for (const PromptArgument& argument : prompt.arguments)
    if (argument.is_required && !arguments.contains(argument.name))
      return invalid_params("prompt " + prompt.name + " needs the argument `" + argument.name +
                            "`");
  return std::nullopt;
}

Found find_prompt(const ServerDefinition& server, const json::object& params, Revision revision) {
  const json::string* name = find_text(params, "name");
  if (name == nullptr) return invalid_params("prompts/get needs a `name`");
  const Prompt* prompt = find_entry(server.prompts, *name);
  if (prompt == nullptr) return unknown_name("prompt", *name, server.prompts);
  auto arguments = texts_of(params.if_contains("arguments"));
  if (!arguments) return invalid_params("`arguments` of a prompt must be an object of texts");
  if (auto missing = missing_argument(*prompt, *arguments)) return *std::move(missing);
  return [prompt, revision, arguments = *std::move(arguments)](Context& context) {
    return run_safely([&] { return outcome_of(prompt->get(arguments, context), revision); });
  };
}

Found find_resource(const ServerDefinition& server, const json::object& params, Revision revision) {
  const json::string* uri = find_text(params, "uri");
  if (uri == nullptr) return invalid_params("resources/read needs a `uri`");
  return [&server, revision, uri = std::string(*uri)](Context& context) {
    return run_safely([&] { return outcome_of(server.read_resource(uri, context), revision); });
  };
}

/// Reads the parameters of a completion; nullopt if they have another shape.
std::optional<CompletionRequest> read_completion(const json::object& params) {
  const json::object* ref = find_object(params, "ref");
  const json::object* argument = find_object(params, "argument");
  if (ref == nullptr || argument == nullptr) return std::nullopt;
  const json::string* type = find_text(*ref, "type");
  CompletionRequest request;
  request.is_prompt = type != nullptr && *type == "ref/prompt";
  if (type == nullptr || (!request.is_prompt && *type != "ref/resource")) return std::nullopt;
  const json::string* of = find_text(*ref, request.is_prompt ? "name" : "uri");
  const json::string* name = find_text(*argument, "name");
  const json::string* value = find_text(*argument, "value");
  const json::object* context = find_object(params, "context");
  auto known = texts_of(context == nullptr ? nullptr : context->if_contains("arguments"));
  if (of == nullptr || name == nullptr || value == nullptr || !known) return std::nullopt;
  request.of = std::string(*of);
  request.argument = std::string(*name);
  request.value = std::string(*value);
  request.known = *std::move(known);
  return request;
}

/// Replaces questions by an error: a completion cannot ask the client.
Outcome without_questions(Outcome outcome) {
  if (!std::holds_alternative<InputRequired>(outcome)) return outcome;
  return ProtocolError{ProtocolCode::internal_error, "a completion cannot ask the client",
                       std::nullopt};
}

Found find_completion(const ServerDefinition& server, const json::object& params,
                      Revision revision) {
  auto request = read_completion(params);
  if (!request)
    return invalid_params(
        "completion/complete needs `ref` (\"ref/prompt\" with a name or \"ref/resource\" with a "
        "uri) and `argument` with name and value; `context.arguments`, if given, is an object of "
        "texts");
  return [&server, revision, request = *std::move(request)](Context& context) {
    return run_safely(
        [&] { return without_questions(outcome_of(server.complete(request, context), revision)); });
  };
}

}  // namespace

bool has_handler(std::string_view method) noexcept {
  return method == "tools/call" || method == "prompts/get" || method == "resources/read" ||
         method == "completion/complete";
}

std::variant<Runner, ProtocolError> find_handler(const ServerDefinition& server,
                                                 const Request& request, Revision revision) {
  if (request.method == "tools/call" && !server.tools.empty())
    return find_tool(server, request.params, revision);
  if (request.method == "prompts/get" && !server.prompts.empty())
    return find_prompt(server, request.params, revision);
  if (request.method == "resources/read" && server.read_resource)
    return find_resource(server, request.params, revision);
  if (request.method == "completion/complete" && server.complete)
    return find_completion(server, request.params, revision);
  return ProtocolError{ProtocolCode::method_not_found, "this server has no " + request.method,
                       std::nullopt};
}

OpenCall& CallTable::add(OpenCall call) {
  const std::uint64_t number = next_call_++;
  call.call.number = number;
  call.call.info.stop = call.stop.get_token();
  numbers_[json::serialize(call.id)] = number;
  return calls_.emplace(number, std::move(call)).first->second;
}

OpenCall* CallTable::find(std::uint64_t number) {
  const auto found = calls_.find(number);
  return found == calls_.end() ? nullptr : &found->second;
}

OpenCall* CallTable::find_request(const json::value& id) {
  const auto found = numbers_.find(json::serialize(id));
  return found == numbers_.end() ? nullptr : find(found->second);
}

void CallTable::remove(std::uint64_t number) {
  const auto found = calls_.find(number);
  if (found == calls_.end()) return;
  numbers_.erase(json::serialize(found->second.id));
  calls_.erase(found);
}

std::vector<std::uint64_t> CallTable::numbers() const {
  std::vector<std::uint64_t> numbers;
  for (const auto& [number, call] : calls_) numbers.push_back(number);
  return numbers;
}

std::string CallTable::add_question(Question question) {
  std::string id = "question-" + std::to_string(next_question_++);
  questions_.emplace(id, std::move(question));
  return id;
}

std::optional<CallTable::Question> CallTable::take_question(const std::string& id) {
  const auto found = questions_.find(id);
  if (found == questions_.end()) return std::nullopt;
  Question question = std::move(found->second);
  questions_.erase(found);
  return question;
}

std::vector<std::string> CallTable::drop_questions(std::uint64_t call) {
  std::vector<std::string> ids;
  for (const auto& [id, question] : questions_)
    if (question.call == call) ids.push_back(id);
  for (const std::string& id : ids) questions_.erase(id);
  return ids;
}

}  // namespace cairn::tools::mcp
