// Decodes requests. The table `shapes` defines number and types of their fields.
#include "query/bolt/messages.hpp"

#include "query/functions/time_zone.hpp"

#include <algorithm>
#include <utility>

namespace cairn::query::bolt {
namespace {

struct MessageShape {
  Tag tag;
  std::string_view name;
  std::string_view fields;  // one letter for the type of each field, see is_of_type()
};

// All requests of clients.
constexpr MessageShape shapes[] = {
    {Tag::hello, "HELLO", "m"},         {Tag::goodbye, "GOODBYE", ""},  {Tag::reset, "RESET", ""},
    {Tag::run, "RUN", "smo"},           {Tag::begin, "BEGIN", "o"},     {Tag::commit, "COMMIT", ""},
    {Tag::rollback, "ROLLBACK", ""},    {Tag::discard, "DISCARD", "m"}, {Tag::pull, "PULL", "m"},
    {Tag::telemetry, "TELEMETRY", "i"}, {Tag::route, "ROUTE", "mlo"},   {Tag::logon, "LOGON", "m"},
    {Tag::logoff, "LOGOFF", ""},
};

const MessageShape* shape_of(std::uint8_t tag) {
  const auto* const found = std::ranges::find(shapes, static_cast<Tag>(tag), &MessageShape::tag);
  return found == std::end(shapes) ? nullptr : found;
}

// The letters: s string, l list, i integer, m map, o map or null.
bool is_of_type(const Value& value, char letter) {
  switch (letter) {
    case 's':
      return value.string() != nullptr;
    case 'l':
      return value.list() != nullptr;
    case 'i':
      return value.type() == ValueType::integer;
    case 'o':
      return value.map() != nullptr || value.is_null();
    default:
      return value.map() != nullptr;
  }
}

// Returns an error message if the fields do not match the shape; otherwise an empty text.
std::string fault_of_fields(const MessageShape& shape, const std::vector<Value>& fields) {
  for (std::size_t i = 0; i < fields.size(); ++i)
    if (!is_of_type(fields[i], shape.fields[i]))
      return std::string(shape.name) + ": field " + std::to_string(i + 1) + " must not be a " +
             std::string(to_string(fields[i].type()));
  return {};
}

// True if the bytes are complete PackStream items up to their end, whatever the items mean.
bool is_well_formed(std::string_view message) {
  codec::PackStreamReader reader(message);
  for (std::size_t left = 1; left > 0; --left) {
    const auto item = reader.next();
    if (!item) return false;
    const bool is_container = item->type == codec::PackStreamType::list ||
                              item->type == codec::PackStreamType::map ||
                              item->type == codec::PackStreamType::structure;
    if (is_container)
      left += item->type == codec::PackStreamType::map ? 2 * item->size : item->size;
  }
  return reader.is_at_end();
}

// A text entry; empty if it is absent or of another type.
std::string_view text_in(const Map& map, std::string_view key) {
  const auto found = map.find(key);
  const std::string* text = found == map.end() ? nullptr : found->second.string();
  return text == nullptr ? std::string_view() : std::string_view(*text);
}

// True if the entry exists and is not null.
bool is_given(const Map& map, std::string_view key) {
  const auto found = map.find(key);
  return found != map.end() && !found->second.is_null();
}

Failure invalid_entry(std::string_view key, std::string_view rule) {
  std::string message(key);
  message.append(" must ").append(rule);
  return invalid_request(std::move(message));
}

// An integer entry; nullopt if it is absent. Failure: the entry has another type.
std::variant<std::optional<std::int64_t>, Failure> integer_in(const Map& map,
                                                              std::string_view key) {
  if (!is_given(map, key)) return std::optional<std::int64_t>();
  const auto* integer = map.find(key)->second.get_if<std::int64_t>();
  if (integer == nullptr)
    return invalid_entry(key, "be an integer, got a value of the type " +
                                  std::string(to_string(map.find(key)->second.type())));
  return std::optional(*integer);
}

// A list of strings; empty if it is absent. Failure: the entry has another type.
std::variant<std::vector<std::string>, Failure> texts_in(const Map& map, std::string_view key) {
  std::vector<std::string> texts;
  if (!is_given(map, key)) return texts;
  const List* list = map.find(key)->second.list();
  if (list == nullptr) return invalid_entry(key, "be a list of strings");
  for (const Value& value : *list) {
    if (value.string() == nullptr) return invalid_entry(key, "hold strings");
    texts.push_back(*value.string());
  }
  return texts;
}

/// Reads the request id in tx_metadata, whose other entries are free for programs. Failure: the id is
/// not a text, or too long.
std::variant<std::string, Failure> request_id_in(const Map& extra) {
  constexpr std::size_t most_bytes = 256;
  const auto metadata = extra.find("tx_metadata");
  const Map* const said = metadata == extra.end() ? nullptr : metadata->second.map();
  if (said == nullptr || !is_given(*said, "cairn_request_id")) return std::string();
  std::string id(text_in(*said, "cairn_request_id"));
  const bool is_good = !id.empty() && id.size() <= most_bytes;
  if (!is_good)
    return invalid_entry("tx_metadata.cairn_request_id", "be a string of 1 to 256 bytes");
  return id;
}

Failure refuses_impersonation() {
  return {code::forbidden,
          "imp_user: impersonation is not supported; log on with the token of that user"};
}

}  // namespace

std::string_view to_string(Tag tag) noexcept {
  const MessageShape* shape = shape_of(static_cast<std::uint8_t>(tag));
  return shape == nullptr ? "unknown" : shape->name;
}

// Reads only the header, so that a message that is ignored is not decoded.
std::variant<Tag, Failure> read_tag(std::string_view message) {
  const auto item = codec::PackStreamReader(message).next();
  if (!item) return invalid_request("the message cannot be read: " + item.error().message);
  if (item->type != codec::PackStreamType::structure)
    return invalid_request("a message must be a structure");
  const MessageShape* shape = shape_of(item->tag);
  if (shape == nullptr)
    return invalid_request("there is no request with the tag " + std::to_string(item->tag));
  if (item->size != shape->fields.size())
    return invalid_request(std::string(shape->name) + " has " +
                           std::to_string(shape->fields.size()) + " fields, not " +
                           std::to_string(item->size));
  return shape->tag;
}

// A value that the language does not support fails its statement only; bytes that are not values end the connection.
std::variant<Request, Failure> read_request(std::string_view message,
                                            const codec::PackStreamLimits& limits) {
  auto tag = read_tag(message);
  if (auto* failure = std::get_if<Failure>(&tag)) return std::move(*failure);
  Request request{std::get<Tag>(tag), {}};
  const MessageShape& shape = *shape_of(static_cast<std::uint8_t>(request.tag));
  codec::PackStreamReader reader(message);
  if (auto header = reader.next(); !header) return invalid_request(header.error().message);
  request.fields.reserve(shape.fields.size());
  while (request.fields.size() < shape.fields.size()) {
    auto value = codec::read_value(reader, limits, named_zone_offset);
    if (!value && is_well_formed(message)) return failure_of(value.error(), Operation::statement);
    if (!value)
      return invalid_request(std::string(shape.name) + ": field " +
                             std::to_string(request.fields.size() + 1) +
                             " cannot be read: " + value.error().message);
    request.fields.push_back(*std::move(value));
  }
  if (!reader.is_at_end()) return invalid_request("the message has bytes after its last field");
  std::string fault = fault_of_fields(shape, request.fields);
  if (!fault.empty()) return invalid_request(std::move(fault));
  for (Value& field : request.fields)
    if (field.is_null()) field = Map();
  return request;
}

// All warnings have the same severity and category, so a client gets either all warnings or none.
std::optional<bool> wants_notifications(const Map& extra) {
  const std::string_view severity = text_in(extra, "notifications_minimum_severity");
  if (severity == "OFF") return false;
  for (const std::string_view key :
       {"notifications_disabled_categories", "notifications_disabled_classifications"}) {
    const auto found = extra.find(key);
    const List* disabled = found == extra.end() ? nullptr : found->second.list();
    if (disabled != nullptr && std::ranges::find(*disabled, Value("GENERIC")) != disabled->end())
      return false;
  }
  return severity.empty() ? std::nullopt : std::optional(true);
}

// Unknown entries are ignored.
std::variant<TransactionExtra, Failure> read_extra(const Map& extra) {
  if (is_given(extra, "imp_user")) return refuses_impersonation();
  auto time = integer_in(extra, "tx_timeout");
  if (auto* failure = std::get_if<Failure>(&time)) return std::move(*failure);
  auto bookmarks = texts_in(extra, "bookmarks");
  if (auto* failure = std::get_if<Failure>(&bookmarks)) return std::move(*failure);
  TransactionExtra read{.is_reading = text_in(extra, "mode") == "r",
                        .time_limit = std::nullopt,
                        .database = std::string(text_in(extra, "db")),
                        .bookmarks = std::get<std::vector<std::string>>(std::move(bookmarks)),
                        .wants_notifications = wants_notifications(extra)};
  const auto milliseconds = std::get<std::optional<std::int64_t>>(time);
  if (milliseconds.value_or(0) < 0)
    return invalid_request("tx_timeout must not be negative, got " + std::to_string(*milliseconds));
  // Drivers send 0 if they set no limit; the default limit of each statement still applies.
  if (milliseconds.value_or(0) > 0) read.time_limit = std::chrono::milliseconds(*milliseconds);
  auto id = request_id_in(extra);
  if (auto* failure = std::get_if<Failure>(&id)) return std::move(*failure);
  read.request_id = std::get<std::string>(std::move(id));
  return read;
}

// `n` is mandatory in Bolt; an absent one is refused like 0.
std::variant<Portion, Failure> read_portion(const Map& extra) {
  Portion portion;
  auto rows = integer_in(extra, "n");
  if (auto* failure = std::get_if<Failure>(&rows)) return std::move(*failure);
  auto result = integer_in(extra, "qid");
  if (auto* failure = std::get_if<Failure>(&result)) return std::move(*failure);
  portion.rows = std::get<std::optional<std::int64_t>>(rows).value_or(0);
  portion.result = std::get<std::optional<std::int64_t>>(result).value_or(-1);
  if (portion.rows == 0 || portion.rows < -1)
    return invalid_request("n must be -1 or at least 1, got " + std::to_string(portion.rows));
  return portion;
}

}  // namespace cairn::query::bolt
