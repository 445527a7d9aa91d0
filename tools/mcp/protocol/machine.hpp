#pragma once
// The protocol as a machine without input and output: messages of one client go in, messages to it and calls of handlers
// come out.
//
//   message -> receive() -> messages, calls
//   a call that a thread has run -> finish() -> messages, calls
//   a change -> change() -> messages
//
// A request that names a revision in `_meta` is answered by that one, without memory of earlier requests. Others belong to
// the handshake that the client made with `initialize`. One client may do both, as ones do that look for the newest
// revision first.

#include "tools/mcp/protocol/calls.hpp"
#include "tools/mcp/protocol/definition.hpp"
#include "tools/mcp/protocol/envelope.hpp"
#include "tools/mcp/protocol/message.hpp"
#include "tools/mcp/protocol/request_state.hpp"
#include "tools/mcp/protocol/subscriptions.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

namespace cairn::tools::mcp {

/// A message to the client.
struct Outgoing {
  json::value message;
  /// The id of the request that it belongs to, which a transport of several streams needs; null: to none.
  json::value request;
  bool is_last = false;  ///< the response: nothing follows for the request
};

/// What came of one step.
struct Step {
  std::vector<Outgoing> messages;
  std::vector<Call> calls;
};

struct MachineOptions {
  MessageLimits limits;
  std::size_t most_batch = 100;     ///< messages of a batch
  std::size_t most_questions = 64;  ///< that wait for the client
  /// Memory of the calls that wait so.
  std::size_t most_asking_cost = std::size_t{64} << 20U;
  std::size_t most_rounds = 16;  ///< of questions for one request
  std::function<StateSigner::Time()> now = [] { return std::chrono::system_clock::now(); };
};

/// One client. Calls of different threads must be made one after the other.
class Machine {
 public:
  /// Both must live longer.
  Machine(const ServerDefinition& server, const StateSigner& signer, MachineOptions options = {});

  /// Take a message, as it is in a line.
  void receive(std::string_view message, Step& step);
  /// The same of one that is parsed already, with its memory_cost().
  void receive_parsed(json::value message, std::size_t cost, Step& step);
  /// A line that was too long to be held.
  static void refuse_long_line(std::size_t most_bytes, Step& step);
  /// Take what a run of a handler came to. Nothing happens if the request was cancelled meanwhile.
  void finish(std::uint64_t number, Outcome outcome, Step& step);
  void change(const Change& change, Step& step);
  /// The client is gone: what runs is cancelled, and its outcome will be dropped.
  void stop();
  /// The server ends: listening requests get their response, and what runs is cancelled.
  void close(Step& step);

  /// Requests that wait for a handler, or for the client to answer a question.
  [[nodiscard]] std::size_t open_calls() const noexcept { return calls_.size(); }
  /// Whether the request of this id will still be answered, or listens.
  [[nodiscard]] bool is_open(const json::value& id);
  /// Of the handshake; nothing before it.
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
  /// What is answered without a handler; nothing for other methods.
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
  std::size_t cost_ = 0;         ///< of the message that is being received
  std::size_t asking_cost_ = 0;  ///< of the calls with open questions
  Subscriptions subscriptions_;
  std::map<std::uint64_t, Batch> batches_;
  std::uint64_t next_batch_ = 1;
};

}  // namespace cairn::tools::mcp
