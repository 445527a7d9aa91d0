#pragma once
// Requests that handlers answer, from their arrival to their response, with the questions between.

#include "tools/mcp/protocol/definition.hpp"
#include "tools/mcp/protocol/message.hpp"
#include "tools/mcp/protocol/revision.hpp"

#include <boost/json.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace cairn::tools::mcp {

// The arguments of a call against the top level of the tool's schema, so that a model reads what to correct.

namespace json = boost::json;

/// What is wrong, for the model: missing and unknown keys, values of other types or outside of an `enum`. Nothing if the call
/// may go on. Other keywords of JSON Schema, and what lies deeper, are not looked at.
[[nodiscard]] std::optional<std::string> check_arguments(const json::object& schema,
                                                         const json::object& arguments);

// From a request to the handler of the server program that answers it.

/// What a run of a handler came to: a result of the revision, or what Answer has beside it.
using Outcome = std::variant<json::object, InputRequired, ProtocolError>;
/// A handler with its arguments. It may run several times, and throws nothing.
using Runner = std::function<Outcome(Context& context)>;

/// Whether handlers of the program answer this method.
[[nodiscard]] bool has_handler(std::string_view method) noexcept;

/// The handler and its arguments. Errors: parameters of other shapes, names that there are not. What is wrong with the arguments
/// of a tool is a result of its run, for the model to read.
[[nodiscard]] std::variant<Runner, ProtocolError> find_handler(const ServerDefinition& server,
                                                               const Request& request,
                                                               Revision revision);

/// One run of a handler, for a thread to make. The outcome goes back to Machine::finish() with the number.
struct Call {
  std::uint64_t number = 0;
  Runner run;
  std::size_t cost = 0;        ///< bytes that it takes in memory
  RequestInfo info;            ///< without `on_progress` and `on_log`, which are the transport's
  json::value progress_token;  ///< null: the client wants no progress
  std::optional<LogLevel> log_level;  ///< the lowest that the client wants; absent: none
};

/// A request that a handler answers.
struct OpenCall {
  json::value id;
  Revision revision = newest_handshake;
  Call call;            ///< as it runs in its next round
  std::string binding;  ///< of states, see request_binding()
  std::stop_source stop;
  std::uint64_t batch = 0;  ///< 0: none
  std::size_t rounds = 0;
  std::size_t unanswered = 0;  ///< questions that went to the client
};

/// The open calls of one client, by number, by the id of the request, and by the ids of our questions.
class CallTable {
 public:
  OpenCall& add(OpenCall call);
  /// Null: it was answered or cancelled.
  [[nodiscard]] OpenCall* find(std::uint64_t number);
  [[nodiscard]] OpenCall* find_request(const json::value& id);
  void remove(std::uint64_t number);
  [[nodiscard]] std::size_t size() const noexcept { return calls_.size(); }
  [[nodiscard]] std::vector<std::uint64_t> numbers() const;

  struct Question {
    std::uint64_t call = 0;
    std::string key;
    std::string method;
  };
  /// Note a question; the result is its id, for the request to the client.
  [[nodiscard]] std::string add_question(Question question);
  /// Nothing for an unknown id, or one whose call is over.
  [[nodiscard]] std::optional<Question> take_question(const std::string& id);
  /// The ids of the questions of a call that have no answer yet. They are forgotten.
  [[nodiscard]] std::vector<std::string> drop_questions(std::uint64_t call);
  [[nodiscard]] std::size_t questions() const noexcept { return questions_.size(); }

 private:
  std::map<std::uint64_t, OpenCall> calls_;
  std::map<std::string, std::uint64_t> numbers_;  ///< by the JSON of the request's id
  std::map<std::string, Question> questions_;
  std::uint64_t next_call_ = 1;
  std::uint64_t next_question_ = 1;
};

}  // namespace cairn::tools::mcp
