#pragma once
// Requests of clients, read from their bytes and checked for their shape.

#include "codec/packstream_values.hpp"
#include "query/bolt/failure.hpp"

#include <cairn/value.hpp>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace cairn::query::bolt {

enum class Tag : std::uint8_t {
  hello = 0x01,
  goodbye = 0x02,
  reset = 0x0f,
  run = 0x10,
  begin = 0x11,
  commit = 0x12,
  rollback = 0x13,
  discard = 0x2f,
  pull = 0x3f,
  telemetry = 0x54,
  route = 0x66,
  logon = 0x6a,
  logoff = 0x6b,
  success = 0x70,
  record = 0x71,
  ignored = 0x7e,
  failure = 0x7f,
};

/// "RUN"
[[nodiscard]] std::string_view to_string(Tag tag) noexcept;

struct Request {
  Tag tag = Tag::reset;
  std::vector<Value> fields;  ///< as many as the message has, and of its types
};

/// The tag alone, of a message that has the right number of fields. Failure: bytes that are no request.
[[nodiscard]] std::variant<Tag, Failure> read_tag(std::string_view message);
/// The whole of it. Failure: one that ends the connection for bytes that are no request; else why a value is refused.
[[nodiscard]] std::variant<Request, Failure> read_request(std::string_view message,
                                                          const codec::PackStreamLimits& limits);

/// What RUN and BEGIN carry beside the statement.
struct TransactionExtra {
  bool is_reading = false;
  std::optional<std::chrono::milliseconds> time_limit;
  std::string database;  ///< empty: none was named
  std::vector<std::string> bookmarks;
  std::optional<bool> wants_notifications;  ///< absent: as HELLO said
};
[[nodiscard]] std::variant<TransactionExtra, Failure> read_extra(const Map& extra);

/// Whether remarks about statements are wanted; absent where nothing is said about it.
[[nodiscard]] std::optional<bool> wants_notifications(const Map& extra);

/// The number of rows, and the result they are from.
struct Portion {
  std::int64_t rows = -1;    ///< -1: all
  std::int64_t result = -1;  ///< -1: the last one
};
[[nodiscard]] std::variant<Portion, Failure> read_portion(const Map& extra);

}  // namespace cairn::query::bolt
