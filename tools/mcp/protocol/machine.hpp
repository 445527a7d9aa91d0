#pragma once
// The protocol as a state machine without input and output: it takes messages of one client, and
// returns messages to the client and calls of handlers to run.
//
//   message -> receive() -> messages, calls
//   outcome of a call -> finish() -> messages, calls
//   a change -> change() -> messages
//
// A request that names a revision in `_meta` is answered by that revision, independently of earlier
// requests. Other requests use the revision of the handshake by `initialize`. One client may do
// both, for example to find the newest revision.

#include "tools/mcp/protocol/calls.hpp"
#include "tools/mcp/protocol/definition.hpp"
#include "tools/mcp/protocol/envelope.hpp"
#include "tools/mcp/protocol/message.hpp"
#include "tools/mcp/protocol/request_state.hpp"
#include "tools/mcp/protocol/shared_room.hpp"
#include "tools/mcp/protocol/subscriptions.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace cairn::tools::mcp {

/// A message to the client.
struct Outgoing {
  json::value message;
  /// The id of its request, which selects the stream in a transport with several; null: it belongs
  /// to no request.
  json::value request;
  bool is_last = false;  ///< the response; nothing follows for the request
};

/// The results of one step: messages to send, and calls to run.
struct Step {
  std::vector<Outgoing> messages;
  std::vector<Call> calls;
};

struct MachineOptions {
  MessageLimits limits;
  std::size_t most_batch = 100;     ///< messages of a batch
  std::size_t most_questions = 64;  ///< questions that wait for the client
  /// Memory of the calls that wait for the client.
  std::size_t most_asking_cost = std::size_t{64} << 20U;
  /// The common bound of that memory for all machines, of which this one uses the share of `caller`; nullptr: no common
  /// bound. It must outlive the machine.
  SharedRoom* asking_room = nullptr;
  std::string caller;
  std::size_t most_rounds = 16;  ///< rounds of questions for one request
  std::function<StateSigner::Time()> now = [] { return std::chrono::system_clock::now(); };
};

/// The state of one client. It is not thread-safe: calls must not overlap.
class Machine {
 public:
  /// `server` and `signer` must outlive the machine.
  Machine(const ServerDefinition& server, const StateSigner& signer, MachineOptions options = {});

  /// Handles a message, given as a line.
  void receive(std::string_view message, Step& step);
  /// Handles a parsed message with its memory_cost().
  void receive_parsed(json::value message, std::size_t cost, Step& step);
  /// Answers a line that was too long to be stored.
  static void refuse_long_line(std::size_t most_bytes, Step& step);
  /// Handles the outcome of a handler. Does nothing if the request was cancelled meanwhile.
  void finish(std::uint64_t number, Outcome outcome, Step& step);
  void change(const Change& change, Step& step);
  /// Ends the client: running calls are cancelled and their outcomes will be dropped.
  void stop();
  /// Ends the server: listening requests get their response, and running calls are cancelled.
  void close(Step& step);

  /// The number of requests that wait for a handler or for the client's answer to a question.
  [[nodiscard]] std::size_t open_calls() const noexcept { return calls_.size(); }
  /// True if the request with this id is not answered yet, or listens.
  [[nodiscard]] bool is_open(const json::value& id);
  /// True if the request with this id listens for changes.
  [[nodiscard]] bool is_listening(const json::value& id) const;
  /// The revision of the handshake; nullopt before it.
  [[nodiscard]] std::optional<Revision> revision() const noexcept { return revision_; }

  // Notifications of a running call; safe from any thread.
  [[nodiscard]] static json::object progress_message(const Call& call,
                                                     const ProgressReport& report);
  [[nodiscard]] static json::object log_message(const LogReport& message);

 private:
  struct Batch {
    json::array responses;
    std::size_t missing = 0;
  };
  struct Speaker {
    Revision revision = newest_handshake;
    ClientProfile profile;
  };

  void receive_batch(json::array elements, Step& step);
  void handle(Message message, std::uint64_t batch, Step& step);
  void handle_request(Request request, std::uint64_t batch, Step& step);
  void handle_notification(const Request& request, Step& step);
  void handle_response(Response response, Step& step);

  [[nodiscard]] std::variant<Speaker, ProtocolError> speaker_of(const Request& request) const;
  /// Answers methods that need no handler; nullopt for other methods.
  [[nodiscard]] std::optional<Reply> answer_at_once(const Request& request, Revision revision);
  [[nodiscard]] std::optional<Reply> answer_with_handshake(const Request& request);
  [[nodiscard]] Reply initialize(const json::object& params);
  [[nodiscard]] Reply set_level(const json::object& params);
  void listen(const Request& request, Step& step);

  void start_call(const Request& request, Speaker speaker, std::uint64_t batch, Step& step);
  void ask(OpenCall& call, InputRequired questions, Step& step);
  void ask_by_requests(OpenCall& call, InputRequired questions, Step& step);
  void run_again(OpenCall& call, Step& step);
  void cancel(const json::value& id, Step& step);
  void withdraw_questions(std::uint64_t number, Step& step);
  [[nodiscard]] bool may_ask(std::size_t cost) const;
  void take_asking(std::size_t cost);
  void give_back_asking(std::size_t cost);
  void stop_asking(OpenCall& call);
  void end_call(OpenCall& call, Reply answer, Step& step);
  void respond(const json::value& id, std::uint64_t batch, json::object message, Step& step);
  void leave_batch(std::uint64_t batch, const json::value& id, Step& step);

  const ServerDefinition& server_;
  const StateSigner& signer_;
  MachineOptions options_;
  std::optional<Revision> revision_;  ///< of the handshake
  ClientProfile client_;              ///< of the handshake
  CallTable calls_;
  std::size_t cost_ = 0;         ///< of the current message
  std::size_t asking_cost_ = 0;  ///< of the calls with open questions
  Subscriptions subscriptions_;
  std::map<std::uint64_t, Batch> batches_;
  std::uint64_t next_batch_ = 1;
};

}  // namespace cairn::tools::mcp
