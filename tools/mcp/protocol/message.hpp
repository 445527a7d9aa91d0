#pragma once
// Messages of JSON-RPC 2.0: lines of a stream, their JSON, the messages in it, and messages to
// send.

#include "tools/mcp/protocol/answer.hpp"
#include "tools/mcp/protocol/context.hpp"

#include <boost/json.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace cairn::tools::mcp {

/// A request, or a notification if `id` is null.
struct Request {
  json::value id;
  std::string method;
  json::object params;

  [[nodiscard]] bool is_notification() const noexcept { return id.is_null(); }
};

/// The client's answer to a request of the server.
struct Response {
  std::string id;
  bool is_error = false;
  json::value body;  ///< the result, or the error
};

/// A malformed message. It is answered if possible.
struct BadMessage {
  json::value id;  ///< null if it could not be read
  ProtocolError error;
};

using Message = std::variant<Request, Response, BadMessage>;

/// The answer of a method.
using Reply = std::variant<json::object, ProtocolError>;

struct MessageLimits {
  std::size_t most_depth = 160;  ///< levels of objects and lists
  /// A short text can have many values, and each takes memory.
  std::size_t most_values = 250'000;
  /// Limit for ids and progress tokens, which are stored while a request runs.
  std::size_t most_id_bytes = 256;
};

/// Splits a stream of bytes into lines. It holds at most `most_bytes` bytes, however long a line
/// is.
class LineReader {
 public:
  explicit LineReader(std::size_t most_bytes) : most_bytes_(most_bytes) {}

  struct Line {
    std::string text;          ///< without its end; empty if it was too long
    bool is_too_long = false;  ///< reported once for each such line, at its end
  };

  /// Takes the next line from the front of `bytes`, skipping blank lines. Returns nullopt if no
  /// line ends in `bytes`; all bytes are taken then.
  [[nodiscard]] std::optional<Line> next(std::string_view& bytes);
  /// Returns the text after the last line end, when the stream has ended.
  [[nodiscard]] std::optional<Line> last();

 private:
  void hold(std::string_view bytes);
  [[nodiscard]] std::optional<Line> take();

  std::size_t most_bytes_;
  std::string held_;
  bool is_too_long_ = false;
};

/// Estimates the memory of a parsed message from above.
[[nodiscard]] std::size_t memory_cost(std::string_view line) noexcept;

/// Parses the JSON of a line, which may be a batch.
[[nodiscard]] std::variant<json::value, BadMessage> parse_message(std::string_view line,
                                                                  const MessageLimits& limits);
/// Reads one message, or one element of a batch.
[[nodiscard]] Message read_message(json::value value, const MessageLimits& limits);

/// Returns `params._meta`, or an empty object.
[[nodiscard]] const json::object& meta_of(const json::object& params);
/// Returns a text member of an object; nullptr if it is absent or has another type.
[[nodiscard]] const json::string* find_text(const json::object& object, std::string_view key);
/// Returns an object member of an object; nullptr if it is absent or has another type.
[[nodiscard]] const json::object* find_object(const json::object& object, std::string_view key);

[[nodiscard]] json::object result_message(const json::value& id, json::object result);
[[nodiscard]] json::object error_message(const json::value& id, ProtocolError error);
[[nodiscard]] json::object request_message(std::string_view id, std::string_view method,
                                           json::value params);
/// Omits `params` if it is empty.
[[nodiscard]] json::object notification(std::string_view method, json::object params = {});

/// Returns one line without a line end. Invalid UTF-8 becomes U+FFFD, because the client could not
/// read the line otherwise.
[[nodiscard]] std::string to_line(const json::value& message);

}  // namespace cairn::tools::mcp
