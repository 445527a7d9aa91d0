// Reads lines and JSON-RPC messages and writes them. Memory is limited before a message is parsed:
// by the length of the line, and by an upper bound of its number of values.
#include "tools/mcp/protocol/message.hpp"

#include "tools/mcp/protocol/exact_json.hpp"

#include <utf8proc.h>

#include <cmath>
#include <limits>
#include <new>
#include <optional>
#include <utility>

namespace cairn::tools::mcp {
namespace {

bool is_blank_line(std::string_view line) {
  return line.find_first_not_of(" \t\r") == std::string_view::npos;
}

BadMessage bad_message(ProtocolCode code, std::string text, json::value id = nullptr) {
  return {std::move(id), {code, std::move(text), std::nullopt}};
}

/// Returns an upper bound of the number of values: each value except the first follows one of these
/// characters.
std::size_t count_values(std::string_view line) noexcept {
  std::size_t values = 1;
  bool is_in_text = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char sign = line[i];
    if (sign == '"')
      is_in_text = !is_in_text;
    else if (is_in_text && sign == '\\')
      ++i;
    else if (!is_in_text && (sign == ',' || sign == '[' || sign == '{' || sign == ':'))
      ++values;
  }
  return values;
}

BadMessage invalid_request(std::string text, json::value id = nullptr) {
  return bad_message(ProtocolCode::invalid_request, std::move(text), std::move(id));
}

/// Returns nullopt if the value is not an id: another type, a fraction, or a text that is too long.
/// 1.0 is the integer 1.
std::optional<json::value> read_id(const json::value& value, const MessageLimits& limits) {
  if (const json::string* text = value.if_string()) {
    if (text->size() > limits.most_id_bytes) return std::nullopt;
    return value;
  }
  if (value.is_int64() || value.is_uint64()) return value;
  const double* number = value.if_double();
  constexpr double most_exact = 9'007'199'254'740'992.0;
  if (number == nullptr || std::trunc(*number) != *number || std::abs(*number) > most_exact)
    return std::nullopt;
  return json::value(static_cast<std::int64_t>(*number));
}

Message read_response(json::object& object) {
  // The server's ids are texts. Other ids are ignored: answering an error with an error could go on
  // forever.
  const json::string* id = find_text(object, "id");
  Response response;
  if (id != nullptr) response.id = std::string(*id);
  json::value* error = object.if_contains("error");
  response.is_error = error != nullptr;
  response.body = std::move(error != nullptr ? *error : object.at("result"));
  return response;
}

Message read_request(json::object& object, std::string method, const MessageLimits& limits) {
  Request request{nullptr, std::move(method), {}};
  if (const json::value* id = object.if_contains("id")) {
    auto read = read_id(*id, limits);
    if (!read)
      return invalid_request("\"id\" must be an integer or a string of at most " +
                             std::to_string(limits.most_id_bytes) + " bytes");
    request.id = *std::move(read);
  }
  if (json::value* params = object.if_contains("params")) {
    if (!params->is_object())
      return bad_message(ProtocolCode::invalid_params, "params must be an object",
                         std::move(request.id));
    request.params = std::move(params->get_object());
  }
  return request;
}

/// Replaces each byte of invalid UTF-8 by U+FFFD.
std::string with_valid_utf8(std::string_view line) {
  std::string valid;
  valid.reserve(line.size());
  while (!line.empty()) {
    utf8proc_int32_t point = 0;
    const auto read = utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(line.data()),
                                       static_cast<utf8proc_ssize_t>(line.size()), &point);
    const std::size_t bytes = read > 0 ? static_cast<std::size_t>(read) : 1;
    valid += read > 0 ? line.substr(0, bytes) : std::string_view("\xef\xbf\xbd");
    line.remove_prefix(bytes);
  }
  return valid;
}

bool is_ascii_line(std::string_view line) {
  for (const char byte : line)
    if (static_cast<unsigned char>(byte) >= 0x80) return false;
  return true;
}

}  // namespace

std::optional<LineReader::Line> LineReader::next(std::string_view& bytes) {
  while (!bytes.empty()) {
    const std::size_t end = bytes.find('\n');
    hold(bytes.substr(0, end));
    if (end == std::string_view::npos) {
      bytes = {};
      return std::nullopt;
    }
    bytes.remove_prefix(end + 1);
    if (auto line = take()) return line;
  }
  return std::nullopt;
}

std::optional<LineReader::Line> LineReader::last() { return take(); }

void LineReader::hold(std::string_view bytes) {
  if (is_too_long_) return;
  if (bytes.size() > most_bytes_ - held_.size()) {
    is_too_long_ = true;
    held_ = std::string();
    return;
  }
  held_.append(bytes);
}

std::optional<LineReader::Line> LineReader::take() {
  Line line{std::exchange(held_, std::string()), std::exchange(is_too_long_, false)};
  if (!line.is_too_long && is_blank_line(line.text)) return std::nullopt;
  return line;
}

std::size_t memory_cost(std::string_view line) noexcept {
  // A list with one element takes most: the list, its element, and the overhead of the allocator.
  constexpr std::size_t bytes_of_value = 64;
  return line.size() + bytes_of_value * count_values(line);
}

std::variant<json::value, BadMessage> parse_message(std::string_view line,
                                                    const MessageLimits& limits) {
  if (count_values(line) > limits.most_values)
    return invalid_request("a message has at most " + std::to_string(limits.most_values) +
                           " values");
  boost::system::error_code error;
  std::size_t place = 0;
  json::value value = parse_exactly(line, limits.most_depth, error, &place);
  if (error == json::error::too_deep)
    return bad_message(
        ProtocolCode::parse_error,
        "the message is nested deeper than " + std::to_string(limits.most_depth) + " levels");
  if (error)
    return bad_message(ProtocolCode::parse_error,
                       "the line is not valid JSON: " + error.message() + " after " +
                           std::to_string(place) + " bytes; send one JSON object a line, in UTF-8");
  return value;
}

Message read_message(json::value value, const MessageLimits& limits) {
  json::object* object = value.if_object();
  if (object == nullptr) return invalid_request("a message must be a JSON object");
  const json::string* version = find_text(*object, "jsonrpc");
  const json::string* method = find_text(*object, "method");
  if (version == nullptr || *version != "2.0") {
    const json::value* id = object->if_contains("id");
    const auto read = id == nullptr ? std::nullopt : read_id(*id, limits);
    return invalid_request("\"jsonrpc\" must be \"2.0\"", read.value_or(nullptr));
  }
  if (method != nullptr) return read_request(*object, std::string(*method), limits);
  if (object->contains("result") || object->contains("error")) return read_response(*object);
  return invalid_request(
      "the message needs a string `method` (requests, notifications), or `result` or `error` "
      "(responses)");
}

const json::object& meta_of(const json::object& params) {
  static const json::object none;
  const json::object* meta = find_object(params, "_meta");
  return meta == nullptr ? none : *meta;
}

const json::string* find_text(const json::object& object, std::string_view key) {
  const json::value* value = object.if_contains(key);
  return value == nullptr ? nullptr : value->if_string();
}

const json::object* find_object(const json::object& object, std::string_view key) {
  const json::value* value = object.if_contains(key);
  return value == nullptr ? nullptr : value->if_object();
}

json::object result_message(const json::value& id, json::object result) {
  return {{"jsonrpc", "2.0"}, {"id", id}, {"result", std::move(result)}};
}

json::object error_message(const json::value& id, ProtocolError error) {
  json::object body{{"code", static_cast<std::int32_t>(error.code)},
                    {"message", std::move(error.message)}};
  if (error.data) body["data"] = *std::move(error.data);
  return {{"jsonrpc", "2.0"}, {"id", id}, {"error", std::move(body)}};
}

json::object request_message(std::string_view id, std::string_view method, json::value params) {
  return {{"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", std::move(params)}};
}

json::object notification(std::string_view method, json::object params) {
  json::object message{{"jsonrpc", "2.0"}, {"method", method}};
  if (!params.empty()) message["params"] = std::move(params);
  return message;
}

std::string to_line(const json::value& message) {
  std::string line = json::serialize(message);
  return is_ascii_line(line) ? line : with_valid_utf8(line);
}

}  // namespace cairn::tools::mcp
