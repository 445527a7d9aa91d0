#pragma once
// Requests that handlers answer, from their arrival to their response, including questions to the
// client.

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

// Checks the arguments of a call against the top level of the tool's schema.

namespace json = boost::json;

/// Returns the known name that an unknown one means, or an empty text.
using MeantName = std::function<std::string(std::string_view unknown)>;

/// Returns what is wrong, for the model: missing and unknown keys, values of wrong types or not in
/// an `enum`; nullopt if the arguments are valid. Other keywords of JSON Schema and nested values
/// are not checked. `meant` may be empty.
[[nodiscard]] std::optional<std::string> check_arguments(const json::object& schema,
                                                         const json::object& arguments,
                                                         const MeantName& meant = {});

// Finds the handler for a request.

/// The outcome of a handler: a result in the form of the revision, questions, or an error.
using Outcome = std::variant<json::object, InputRequired, ProtocolError>;
/// A handler with its arguments. It may run several times and does not throw.
using Runner = std::function<Outcome(Context& context)>;

/// True if handlers of the program answer this method.
[[nodiscard]] bool has_handler(std::string_view method) noexcept;

/// Finds the handler and binds its arguments. Errors: parameters of another shape, and unknown
/// names. Invalid arguments of a tool are reported when it runs, as a result for the model.
[[nodiscard]] std::variant<Runner, ProtocolError> find_handler(const ServerDefinition& server,
                                                               const Request& request,
                                                               Revision revision);

/// One run of a handler, to be made on a worker thread. Pass the outcome to Machine::finish() with
/// the number.
struct Call {
  std::uint64_t number = 0;
  Runner run;
  std::size_t cost = 0;               ///< bytes in memory
  RequestInfo info;                   ///< the transport sets `on_progress` and `on_log`
  json::value progress_token;         ///< null: no progress requested
  std::optional<LogLevel> log_level;  ///< lowest level that the client wants; absent: no logs
};

/// A request that waits for a handler or for answers of the client.
struct OpenCall {
  json::value id;
  Revision revision = newest_handshake;
  Call call;            ///< the next run
  std::string binding;  ///< of its states, see request_binding()
  std::stop_source stop;
  std::uint64_t batch = 0;  ///< 0: not in a batch
  std::size_t rounds = 0;
  std::size_t unanswered = 0;  ///< questions without an answer
};

/// The open calls of one client, by number, by request id, and by the ids of questions to the
/// client.
class CallTable {
 public:
  OpenCall& add(OpenCall call);
  /// Returns nullptr if the call was answered or cancelled.
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
  /// Records a question; returns its id for the request to the client.
  [[nodiscard]] std::string add_question(Question question);
  /// Removes and returns a question; nullopt for an unknown id, or if its call has ended.
  [[nodiscard]] std::optional<Question> take_question(const std::string& id);
  /// Removes the unanswered questions of a call; returns their ids.
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
