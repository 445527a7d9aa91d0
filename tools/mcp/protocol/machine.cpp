// Dispatches messages of the client by kind and method, and answers everything that needs no
// handler. Requests for handlers are in machine_calls.cpp.

#include "tools/mcp/protocol/machine.hpp"

#include "tools/mcp/protocol/results.hpp"

#include <string>
#include <utility>

namespace cairn::tools::mcp {
namespace {

constexpr std::size_t most_profile_cost = std::size_t{64} << 10U;

ProtocolError machine_error(ProtocolCode code, std::string text) {
  return {code, std::move(text), std::nullopt};
}

ProtocolError no_method(const std::string& method, Revision revision) {
  constexpr std::size_t most_bytes = 200;
  return machine_error(ProtocolCode::method_not_found,
                       "revision " + std::string(to_string(revision)) + " has no method " +
                           method.substr(0, most_bytes));
}

/// Elicitation exists since 2025-06-18; a client of an earlier revision means something else by
/// that name.
json::object capabilities_of(const json::object& params, Revision revision) {
  const json::object* said = find_object(params, "capabilities");
  json::object capabilities = said == nullptr ? json::object() : *said;
  if (!has_structured_content(revision)) capabilities.erase("elicitation");
  return capabilities;
}

}  // namespace

Machine::Machine(const ServerDefinition& server, const StateSigner& signer, MachineOptions options)
    : server_(server), signer_(signer), options_(std::move(options)), subscriptions_(server) {}

void Machine::receive(std::string_view message, Step& step) {
  auto parsed = parse_message(message, options_.limits);
  if (auto* bad = std::get_if<BadMessage>(&parsed)) return handle(std::move(*bad), 0, step);
  receive_parsed(std::get<json::value>(std::move(parsed)), memory_cost(message), step);
}

void Machine::receive_parsed(json::value message, std::size_t cost, Step& step) {
  cost_ = cost;
  if (message.is_array()) return receive_batch(std::move(message.get_array()), step);
  handle(read_message(std::move(message), options_.limits), 0, step);
}

bool Machine::is_open(const json::value& id) {
  return calls_.find_request(id) != nullptr || subscriptions_.is_listening(id);
}

bool Machine::is_listening(const json::value& id) const { return subscriptions_.is_listening(id); }

void Machine::refuse_long_line(std::size_t most_bytes, Step& step) {
  step.messages.push_back(
      {error_message(nullptr, machine_error(ProtocolCode::invalid_request,
                                            "a message has at most " + std::to_string(most_bytes) +
                                                " bytes; this one was skipped")),
       nullptr, true});
}

void Machine::receive_batch(json::array elements, Step& step) {
  std::string fault;
  if (!revision_ || !has_batches(*revision_))
    fault = "only revision 2025-03-26 has batches; send each message separately";
  else if (elements.empty())
    fault = "a batch must not be empty";
  else if (elements.size() > options_.most_batch)
    fault = "a batch has at most " + std::to_string(options_.most_batch) + " messages";
  if (!fault.empty())
    return handle(BadMessage{nullptr, machine_error(ProtocolCode::invalid_request, fault)}, 0,
                  step);

  // Each call would count all of the batch otherwise.
  cost_ /= elements.size();
  // One more than there are messages, so that it is not complete before the last one was handled.
  const std::uint64_t batch = next_batch_++;
  batches_[batch].missing = 1;
  for (json::value& element : elements) {
    Message message = read_message(std::move(element), options_.limits);
    const auto* request = std::get_if<Request>(&message);
    if (std::holds_alternative<BadMessage>(message) ||
        (request != nullptr && !request->is_notification()))
      ++batches_[batch].missing;
    handle(std::move(message), batch, step);
  }
  leave_batch(batch, nullptr, step);
}

void Machine::handle(Message message, std::uint64_t batch, Step& step) {
  if (auto* response = std::get_if<Response>(&message))
    return handle_response(std::move(*response), step);
  if (auto* bad = std::get_if<BadMessage>(&message))
    return respond(bad->id, batch, error_message(bad->id, std::move(bad->error)), step);
  auto& request = std::get<Request>(message);
  if (request.is_notification()) return handle_notification(request, step);
  handle_request(std::move(request), batch, step);
}

void Machine::handle_request(Request request, std::uint64_t batch, Step& step) {
  const json::value id = request.id;
  const auto refuse = [&](ProtocolError error) {
    respond(id, batch, error_message(id, std::move(error)), step);
  };
  if (is_open(id))
    return refuse(
        machine_error(ProtocolCode::invalid_request, "a request with this id is still open"));
  if (batch != 0 && (request.method == "initialize" || has_envelope(request.params)))
    return refuse(
        machine_error(ProtocolCode::invalid_request,
                      "neither initialize nor a request of 2026-07-28 can be in a batch"));

  auto speaker = speaker_of(request);
  if (auto* error = std::get_if<ProtocolError>(&speaker)) return refuse(std::move(*error));
  const Revision revision = std::get<Speaker>(speaker).revision;
  if (has_handler(request.method))
    return start_call(request, std::get<Speaker>(std::move(speaker)), batch, step);
  if (request.method == "subscriptions/listen" && is_stateless(revision))
    return listen(request, step);
  auto answer = answer_at_once(request, revision);
  if (!answer) return refuse(no_method(request.method, revision));
  if (auto* error = std::get_if<ProtocolError>(&*answer)) return refuse(std::move(*error));
  auto& result = std::get<json::object>(*answer);
  complete_result(result, server_, revision);
  respond(id, batch, result_message(id, std::move(result)), step);
}

void Machine::handle_notification(const Request& request, Step& step) {
  // Other notifications report states that the server does not use.
  if (request.method != "notifications/cancelled") return;
  const json::value* id = request.params.if_contains("requestId");
  if (id != nullptr) cancel(*id, step);
}

std::variant<Machine::Speaker, ProtocolError> Machine::speaker_of(const Request& request) const {
  const bool is_initialize = request.method == "initialize";
  if (has_envelope(request.params)) {
    auto read = read_envelope(request.params);
    if (auto* profile = std::get_if<ClientProfile>(&read))
      return Speaker{Revision::r2026_07_28, std::move(*profile)};
    // `initialize` is a handshake, whatever else its parameters contain.
    if (!is_initialize) return std::get<ProtocolError>(std::move(read));
  }
  if (revision_) return Speaker{*revision_, client_};
  if (is_initialize || request.method == "ping") return Speaker{};
  return machine_error(
      ProtocolCode::invalid_params,
      "begin with `initialize`, or send params._meta with io.modelcontextprotocol/protocolVersion "
      "and io.modelcontextprotocol/clientCapabilities (revision 2026-07-28)");
}

std::optional<Reply> Machine::answer_at_once(const Request& request, Revision revision) {
  if (is_listing(request.method))
    return list_page(server_, request.method, request.params, revision);
  if (!is_stateless(revision)) return answer_with_handshake(request);
  if (request.method == "server/discover") return discover_result(server_, revision);
  return std::nullopt;
}

std::optional<Reply> Machine::answer_with_handshake(const Request& request) {
  const auto done = [](std::optional<ProtocolError> error) -> Reply {
    if (error) return *std::move(error);
    return json::object();
  };
  if (request.method == "initialize") return initialize(request.params);
  if (request.method == "ping") return json::object();
  if (request.method == "logging/setLevel" && server_.can_log) return set_level(request.params);
  if (request.method == "resources/subscribe")
    return done(subscriptions_.subscribe(request.params));
  if (request.method == "resources/unsubscribe")
    return done(subscriptions_.unsubscribe(request.params));
  return std::nullopt;
}

Reply Machine::initialize(const json::object& params) {
  if (revision_) return machine_error(ProtocolCode::invalid_request, "initialize was sent already");
  const json::string* requested = find_text(params, "protocolVersion");
  if (requested == nullptr)
    return machine_error(ProtocolCode::invalid_params,
                         "initialize needs a `protocolVersion` such as 2025-11-25");
  // The client's description is copied into each of its calls, so it must be small.
  if (cost_ > most_profile_cost)
    return machine_error(ProtocolCode::invalid_params, "initialize is too long");
  revision_ = agree_on_revision(*requested);
  const json::object* client = find_object(params, "clientInfo");
  client_.client = client == nullptr ? json::object() : *client;
  client_.capabilities = capabilities_of(params, *revision_);
  return initialize_result(server_, *revision_);
}

Reply Machine::set_level(const json::object& params) {
  const json::string* name = find_text(params, "level");
  const auto level = name == nullptr ? std::nullopt : find_log_level(*name);
  if (!level)
    return machine_error(ProtocolCode::invalid_params,
                         "`level` must be debug, info, notice, warning, error, critical, alert or "
                         "emergency");
  client_.log_level = level;
  return json::object();
}

void Machine::listen(const Request& request, Step& step) {
  auto begun = subscriptions_.listen(request.id, request.params);
  if (auto* error = std::get_if<ProtocolError>(&begun))
    return respond(request.id, 0, error_message(request.id, std::move(*error)), step);
  step.messages.push_back({std::get<json::object>(std::move(begun)), request.id, false});
}

void Machine::change(const Change& change, Step& step) {
  for (auto& notice : subscriptions_.notices_of(change, revision_.has_value()))
    step.messages.push_back({std::move(notice.message), notice.listener.value_or(nullptr), false});
}

void Machine::respond(const json::value& id, std::uint64_t batch, json::object message,
                      Step& step) {
  if (batch == 0) {
    step.messages.push_back({std::move(message), id, true});
    return;
  }
  batches_[batch].responses.emplace_back(std::move(message));
  leave_batch(batch, id, step);
}

void Machine::leave_batch(std::uint64_t batch, const json::value& id, Step& step) {
  const auto found = batches_.find(batch);
  if (found == batches_.end() || --found->second.missing > 0) return;
  // A batch of only notifications or cancelled requests has no answer.
  if (!found->second.responses.empty())
    step.messages.push_back({std::move(found->second.responses), id, true});
  batches_.erase(found);
}

}  // namespace cairn::tools::mcp
