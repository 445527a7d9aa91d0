// Requests that handlers answer: starting calls, asking the client, cancelling, ending. A question
// goes to a client with handshake as a request of the server; to other clients, as a result that
// asks them to repeat the request with answers.

#include "tools/mcp/protocol/calls.hpp"
#include "tools/mcp/protocol/capability.hpp"
#include "tools/mcp/protocol/machine.hpp"
#include "tools/mcp/protocol/results.hpp"

#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

namespace cairn::tools::mcp {
namespace {

ProtocolError call_error(ProtocolCode code, std::string text) {
  return {code, std::move(text), std::nullopt};
}

/// Returns the method of a question of a handler; empty if it has none.
std::string question_method(const json::value& question) {
  const json::object* object = question.if_object();
  const json::string* method = object == nullptr ? nullptr : find_text(*object, "method");
  return method == nullptr ? std::string() : std::string(*method);
}

/// Returns an error if the client cannot be asked this, or the handler may not ask it.
std::optional<ProtocolError> check_questions(const InputRequired& questions, const OpenCall& call) {
  if (questions.requests.empty() && questions.state.is_null())
    return call_error(ProtocolCode::internal_error, "the handler asks nothing");
  json::object lacking;
  for (const auto& question : questions.requests) {
    const std::string method = question_method(question.value());
    const json::object needed = capability_of(method);
    if (needed.empty())
      return call_error(ProtocolCode::internal_error, "clients cannot be asked for " + method);
    if (!can_ask(call.call.info.capabilities, method))
      for (const auto& capability : needed) lacking[capability.key()] = capability.value();
  }
  if (lacking.empty()) return std::nullopt;
  return ProtocolError{
      ProtocolCode::missing_capability,
      "the client cannot be asked: it lacks the capability " + std::string(lacking.begin()->key()),
      json::object{{"requiredCapabilities", std::move(lacking)}}};
}

/// Reads the answers in a request without handshake. Errors: a value that is not an object of
/// objects.
std::variant<json::object, ProtocolError> read_responses(const json::object& params) {
  const json::value* given = params.if_contains("inputResponses");
  if (given == nullptr) return json::object();
  const json::object* responses = given->if_object();
  bool is_valid = responses != nullptr;
  if (is_valid)
    for (const auto& response : *responses) is_valid = is_valid && response.value().is_object();
  if (is_valid) return *responses;
  return call_error(ProtocolCode::invalid_params, "`inputResponses` must be an object of objects");
}

/// Converts 50.0 to 50, because Boost.JSON would write 5E1.
json::value plain_number(double number) {
  constexpr double most_exact = 9'007'199'254'740'992.0;
  if (std::abs(number) <= most_exact && std::trunc(number) == number)
    return static_cast<std::int64_t>(number);
  return number;
}

/// Returns null if the token is neither a text nor an integer, or is too long.
json::value progress_token_of(const json::object& params, const MessageLimits& limits) {
  const json::value* token = meta_of(params).if_contains("progressToken");
  if (token == nullptr) return nullptr;
  const json::string* text = token->if_string();
  const bool is_valid = text != nullptr ? text->size() <= limits.most_id_bytes
                                        : token->is_int64() || token->is_uint64();
  return is_valid ? *token : json::value();
}

}  // namespace

void Machine::start_call(const Request& request, Speaker speaker, std::uint64_t batch, Step& step) {
  const auto refuse = [&](ProtocolError error) {
    respond(request.id, batch, error_message(request.id, std::move(error)), step);
  };
  auto found = find_handler(server_, request, speaker.revision);
  if (auto* error = std::get_if<ProtocolError>(&found)) return refuse(std::move(*error));

  OpenCall open;
  open.id = request.id;
  open.revision = speaker.revision;
  open.batch = batch;
  // Shared, so that copies of the call do not copy the arguments.
  open.call.run = [run = std::make_shared<const Runner>(std::get<Runner>(std::move(found)))](
                      Context& context) { return (*run)(context); };
  open.call.cost = cost_;
  open.call.progress_token = progress_token_of(request.params, options_.limits);
  open.call.log_level = server_.can_log ? speaker.profile.log_level : std::nullopt;
  RequestInfo& info = open.call.info;
  info.era = era_of(speaker.revision);
  info.revision = to_string(speaker.revision);
  info.id = request.id;
  info.client = std::move(speaker.profile.client);
  info.capabilities = std::move(speaker.profile.capabilities);
  if (is_stateless(speaker.revision)) {
    auto responses = read_responses(request.params);
    if (auto* error = std::get_if<ProtocolError>(&responses)) return refuse(std::move(*error));
    info.responses = std::get<json::object>(std::move(responses));
    open.binding = request_binding(request.method, request.params);
    if (const json::value* state = request.params.if_contains("requestState")) {
      auto opened = state->is_string()
                        ? signer_.open(state->get_string(), open.binding, options_.now())
                        : std::nullopt;
      if (!opened)
        return refuse(call_error(ProtocolCode::invalid_params,
                                 "`requestState` belongs to another request, was used already, or "
                                 "is older than ten minutes; send the request again without it"));
      info.state = *std::move(opened);
    }
  }
  step.calls.push_back(calls_.add(std::move(open)).call);
}

void Machine::finish(std::uint64_t number, Outcome outcome, Step& step) {
  OpenCall* call = calls_.find(number);
  if (call == nullptr) return;
  if (auto* questions = std::get_if<InputRequired>(&outcome))
    return ask(*call, std::move(*questions), step);
  if (auto* error = std::get_if<ProtocolError>(&outcome))
    return end_call(*call, std::move(*error), step);
  end_call(*call, std::get<json::object>(std::move(outcome)), step);
}

void Machine::ask(OpenCall& call, InputRequired questions, Step& step) {
  if (auto error = check_questions(questions, call)) return end_call(call, *std::move(error), step);
  if (!is_stateless(call.revision)) return ask_by_requests(call, std::move(questions), step);
  json::object result{{"resultType", "input_required"}};
  if (!questions.requests.empty()) result["inputRequests"] = std::move(questions.requests);
  if (!questions.state.is_null())
    result["requestState"] = signer_.sign(questions.state, call.binding, options_.now(),
                                          questions.is_used_once ? StateUse::once : StateUse::any);
  end_call(call, std::move(result), step);
}

void Machine::ask_by_requests(OpenCall& call, InputRequired questions, Step& step) {
  if (++call.rounds > options_.most_rounds)
    return end_call(call, call_error(ProtocolCode::internal_error, "too many rounds of questions"),
                    step);
  if (calls_.questions() + questions.requests.size() > options_.most_questions ||
      !may_ask(call.call.cost))
    return end_call(call,
                    call_error(ProtocolCode::internal_error,
                               "too many questions wait for the client; answer some first"),
                    step);
  call.call.info.state = std::move(questions.state);
  call.call.info.responses.clear();
  call.unanswered = questions.requests.size();
  if (call.unanswered == 0) return run_again(call, step);
  take_asking(call.call.cost);
  for (auto& question : questions.requests) {
    const std::string method = question_method(question.value());
    json::value* params = question.value().get_object().if_contains("params");
    const std::string id =
        calls_.add_question({call.call.number, std::string(question.key()), method});
    step.messages.push_back(
        {request_message(id, method, params == nullptr ? json::object() : std::move(*params)),
         call.id, false});
  }
}

void Machine::handle_response(Response response, Step& step) {
  const auto question = calls_.take_question(response.id);
  if (!question) return;
  OpenCall* call = calls_.find(question->call);
  if (call == nullptr) return;
  json::value answer = std::move(response.body);
  // Why the user does not answer makes no difference to the handler.
  if (response.is_error && question->method == "elicitation/create")
    answer = json::object{{"action", "cancel"}};
  else if (response.is_error || !answer.is_object())
    return end_call(
        *call,
        call_error(ProtocolCode::internal_error, "the client did not answer " + question->method),
        step);
  call->call.info.responses[question->key] = std::move(answer);
  if (--call->unanswered > 0) return;
  give_back_asking(call->call.cost);
  run_again(*call, step);
}

void Machine::run_again(OpenCall& call, Step& step) { step.calls.push_back(call.call); }

void Machine::cancel(const json::value& id, Step& step) {
  if (subscriptions_.stop_listening(id)) return;
  OpenCall* call = calls_.find_request(id);
  if (call == nullptr) return;
  call->stop.request_stop();
  const std::uint64_t batch = call->batch;
  stop_asking(*call);
  withdraw_questions(call->call.number, step);
  calls_.remove(call->call.number);
  if (batch != 0) leave_batch(batch, id, step);
}

void Machine::stop_asking(OpenCall& call) {
  if (std::exchange(call.unanswered, 0) > 0) give_back_asking(call.call.cost);
}

bool Machine::may_ask(std::size_t cost) const {
  return asking_cost_ + cost <= options_.most_asking_cost &&
         (options_.asking_room == nullptr || options_.asking_room->fits(options_.caller, cost));
}

void Machine::take_asking(std::size_t cost) {
  asking_cost_ += cost;
  if (options_.asking_room != nullptr) options_.asking_room->take(options_.caller, cost);
}

void Machine::give_back_asking(std::size_t cost) {
  asking_cost_ -= cost;
  if (options_.asking_room != nullptr) options_.asking_room->give_back(options_.caller, cost);
}

void Machine::withdraw_questions(std::uint64_t number, Step& step) {
  for (const std::string& id : calls_.drop_questions(number))
    step.messages.push_back(
        {notification("notifications/cancelled", {{"requestId", id}}), nullptr, false});
}

void Machine::end_call(OpenCall& call, Reply answer, Step& step) {
  const json::value id = call.id;
  const std::uint64_t batch = call.batch;
  const Revision revision = call.revision;
  stop_asking(call);
  withdraw_questions(call.call.number, step);
  calls_.remove(call.call.number);
  if (auto* error = std::get_if<ProtocolError>(&answer))
    return respond(id, batch, error_message(id, error_of_revision(std::move(*error), revision)),
                   step);
  auto& result = std::get<json::object>(answer);
  complete_result(result, server_, revision);
  respond(id, batch, result_message(id, std::move(result)), step);
}

void Machine::stop() {
  for (const std::uint64_t number : calls_.numbers()) {
    calls_.find(number)->stop.request_stop();
    static_cast<void>(calls_.drop_questions(number));
    calls_.remove(number);
  }
  static_cast<void>(subscriptions_.stop_all());
  batches_.clear();
  give_back_asking(asking_cost_);
}

void Machine::close(Step& step) {
  for (const json::value& id : subscriptions_.stop_all()) {
    json::object result{{"_meta", {{"io.modelcontextprotocol/subscriptionId", id}}}};
    complete_result(result, server_, Revision::r2026_07_28);
    step.messages.push_back({result_message(id, std::move(result)), id, true});
  }
  stop();
}

json::object Machine::progress_message(const Call& call, const ProgressReport& report) {
  json::object params{{"progressToken", call.progress_token},
                      {"progress", plain_number(report.done)}};
  if (report.total) params["total"] = plain_number(*report.total);
  const auto revision = find_revision(call.info.revision);
  if (!report.message.empty() && revision && has_progress_text(*revision))
    params["message"] = report.message;
  return notification("notifications/progress", std::move(params));
}

json::object Machine::log_message(const LogReport& message) {
  json::object params{{"level", to_string(message.level)}, {"data", message.data}};
  if (!message.logger.empty()) params["logger"] = message.logger;
  return notification("notifications/message", std::move(params));
}

}  // namespace cairn::tools::mcp
