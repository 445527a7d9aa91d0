#pragma once
// Reads the requests of clients from their bytes and checks their shape.

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

/// The tags of messages in Bolt. The last four are answers.
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

/// The name of a message, such as "RUN".
[[nodiscard]] std::string_view to_string(Tag tag) noexcept;

/// A message of a client.
struct Request {
  Tag tag = Tag::reset;
  std::vector<Value> fields;  ///< number and types match the message
};

/// Reads the tag and checks the number of fields. Failure: the bytes are not a request.
[[nodiscard]] std::variant<Tag, Failure> read_tag(std::string_view message);
/// Decodes a request. Failure: ends the connection if the bytes are not a request; otherwise names the value that is
/// refused.
[[nodiscard]] std::variant<Request, Failure> read_request(std::string_view message,
                                                          const codec::PackStreamLimits& limits);

/// The transaction options in RUN and BEGIN.
struct TransactionExtra {
  bool is_reading = false;
  std::optional<std::chrono::milliseconds> time_limit;
  std::string database;  ///< empty if the client names none
  std::vector<std::string> bookmarks;
  std::optional<bool> wants_notifications;  ///< nullopt: as HELLO requested
  std::string request_id{};                 ///< of tx_metadata; empty if there is none
};
/// Reads the options. Failure: an entry has the wrong type, or impersonation is requested.
[[nodiscard]] std::variant<TransactionExtra, Failure> read_extra(const Map& extra);

/// True if the client wants warnings about statements; nullopt if it does not state its choice.
[[nodiscard]] std::optional<bool> wants_notifications(const Map& extra);

/// The metadata of PULL and DISCARD: how many rows of which result.
struct Portion {
  std::int64_t rows = -1;    ///< -1: all rows
  std::int64_t result = -1;  ///< -1: the result of the last statement
};
[[nodiscard]] std::variant<Portion, Failure> read_portion(const Map& extra);

}  // namespace cairn::query::bolt
