// Structured ids as text and as map:
//    id := namespace ':' type ':' id [ ':' version ]      ':' and '%' within a part are written %3A and %25
//
// Both forms mean the same identity. The map contains the text as `canonical`.
#include <cairn/memory/structured_id.hpp>

#include <charconv>
#include <vector>

namespace cairn::memory {
namespace {

/// Appends one part. Colon and percent sign are escaped, because one separates parts and the other begins escapes.
void append_part(std::string& text, std::string_view part) {
  for (const char sign : part) {
    if (sign == ':')
      text += "%3A";
    else if (sign == '%')
      text += "%25";
    else
      text += sign;
  }
}

// Accepts only the two escapes that to_text() writes. With others, one identity could have several texts.
std::optional<std::string> read_part(std::string_view part) {
  if (part.empty()) return {};
  std::string text;
  for (std::size_t i = 0; i < part.size(); ++i) {
    if (part[i] != '%') {
      text += part[i];
      continue;
    }
    const std::string_view code = part.substr(i + 1, 2);
    if (code != "3A" && code != "25") return {};
    text += code == "25" ? '%' : ':';
    i += 2;
  }
  return text;
}

// A non-negative integer without leading zeros.
std::optional<std::int64_t> read_version(std::string_view text) {
  std::int64_t version = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, version);
  if (error != std::errc() || stop != end || version < 0) return {};
  if (text.size() > 1 && (text[0] == '0' || text[0] == '-')) return {};
  return text == "-0" ? std::nullopt : std::optional(version);
}

/// The parts between the colons. Empty parts are returned too; the caller refuses them.
std::vector<std::string_view> split_parts(std::string_view text) {
  std::vector<std::string_view> parts;
  for (auto colon = text.find(':'); colon != std::string_view::npos; colon = text.find(':')) {
    parts.push_back(text.substr(0, colon));
    text.remove_prefix(colon + 1);
  }
  parts.push_back(text);
  return parts;
}

const std::string* text_in(const Map& map, std::string_view key) {
  const auto found = map.find(key);
  return found == map.end() ? nullptr : found->second.string();
}

const std::int64_t* integer_in(const Map& map, std::string_view key) {
  const auto found = map.find(key);
  return found == map.end() ? nullptr : found->second.get_if<std::int64_t>();
}

}  // namespace

// Escapes each part, so that the text can be split at its colons.
std::string to_text(const StructuredId& id) {
  std::string text;
  append_part(text, id.name_space);
  append_part(text += ':', id.type);
  append_part(text += ':', id.id);
  if (id.version) text += ':' + std::to_string(*id.version);
  return text;
}

// An identity has exactly one text, so texts can be compared instead of identities.
std::optional<StructuredId> parse_structured_id(std::string_view text) {
  const auto parts = split_parts(text);
  if (parts.size() < 3 || parts.size() > 4) return {};
  auto name_space = read_part(parts[0]);
  auto type = read_part(parts[1]);
  auto id = read_part(parts[2]);
  if (!name_space || !type || !id) return {};
  StructuredId read{*std::move(name_space), *std::move(type), *std::move(id), {}};
  if (parts.size() == 3) return read;
  read.version = read_version(parts[3]);
  return read.version ? std::optional(std::move(read)) : std::nullopt;
}

bool matches(const StructuredId& wanted, const StructuredId& id) {
  return wanted.name_space == id.name_space && wanted.type == id.type && wanted.id == id.id &&
         (!wanted.version || wanted.version == id.version);
}

bool has_plain_id(const StructuredId& id, std::string_view text) { return id.id == text; }

Value to_value(const StructuredId& id) {
  Map map = {
      {"namespace", id.name_space}, {"type", id.type}, {"id", id.id}, {"canonical", to_text(id)}};
  if (id.version) map.emplace("version", *id.version);
  return map;
}

// Accepts both forms. A map with an invalid version is refused as a whole.
std::optional<StructuredId> structured_id_of(const Value& value) {
  if (const std::string* text = value.string()) return parse_structured_id(*text);
  const Map* map = value.map();
  if (map == nullptr) return {};
  const std::string* name_space = text_in(*map, "namespace");
  const std::string* type = text_in(*map, "type");
  const std::string* id = text_in(*map, "id");
  if (name_space == nullptr || type == nullptr || id == nullptr) return {};
  if (name_space->empty() || type->empty() || id->empty()) return {};
  StructuredId read{*name_space, *type, *id, {}};
  if (!map->contains("version")) return read;
  const std::int64_t* version = integer_in(*map, "version");
  if (version == nullptr || *version < 0) return {};
  read.version = *version;
  return read;
}

StructuredId user_id(std::string_view id) { return {"user", "user", std::string(id), {}}; }
StructuredId agent_id(std::string_view id) { return {"agent", "agent", std::string(id), {}}; }
StructuredId chat_id(std::string_view id) { return {"chat", "chat", std::string(id), {}}; }
StructuredId thread_id(std::string_view id) { return {"chat", "thread", std::string(id), {}}; }
StructuredId system_id(std::string_view type, std::string_view id) {
  return {"system", std::string(type), std::string(id), {}};
}

// An absent parent has no key; null would be refused by thread_of().
Value to_value(const ThreadInfo& thread) {
  Map map = {{"id", thread.id}, {"position", thread.position}};
  if (thread.parent_id) map.emplace("parentId", *thread.parent_id);
  return map;
}

// parentId must be a text if it exists, so null is refused.
std::optional<ThreadInfo> thread_of(const Value& value) {
  const Map* map = value.map();
  if (map == nullptr) return {};
  const std::string* id = text_in(*map, "id");
  const std::int64_t* position = integer_in(*map, "position");
  if (id == nullptr || id->empty() || position == nullptr || *position < 0) return {};
  ThreadInfo thread{*id, *position, {}};
  if (const std::string* parent = text_in(*map, "parentId"))
    thread.parent_id = *parent;
  else if (map->contains("parentId"))
    return {};
  return thread;
}

}  // namespace cairn::memory
