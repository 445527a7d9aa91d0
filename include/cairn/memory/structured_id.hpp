#pragma once
// StructuredId: an identity with namespace and type. ThreadInfo: the place of a message in a
// thread.
//
//     const StructuredId ada = user_id("ada");                  // user:user:ada
//     const StructuredId bot{"agent", "agent", "scribe", 3};    // agent:agent:scribe:3
//     record.metadata["agentId"] = to_value(bot);
//     if (const auto read = parse_structured_id("user:user:ada")) use(read->id);
//
// Two systems may both have a user "7". The namespace distinguishes them; plain strings could not.

#include <cairn/value.hpp>
#include <cairn/visibility.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace cairn::memory {

/// The namespace, type and id of a user, an agent, a chat or something else, optionally with a
/// version. Only the version may be absent.
///
/// A StructuredId is not checked when it is made. A schema refuses or reports an empty part when
/// the record is stored.
struct StructuredId {
  std::string name_space;
  std::string type;
  std::string id;
  std::optional<std::int64_t> version = std::nullopt;  ///< 0 or more

  /// Compares all parts, the version included.
  friend bool operator==(const StructuredId&, const StructuredId&) = default;
};

/// Formats as "namespace:type:id" or "namespace:type:id:version". Within the parts, ':' is %3A and
/// '%' is %25.
[[nodiscard]] CAIRN_EXPORT std::string to_text(const StructuredId& id);
/// Parses the result of to_text(); nullopt for any other text, so an identity has exactly one text.
/// For example "a:b:c:007", "a:b:c:-1", "a::c" and "%41:b:c" are invalid. Threads: any, like all
/// functions here.
[[nodiscard]] CAIRN_EXPORT std::optional<StructuredId> parse_structured_id(std::string_view text);

/// True if `id` matches `wanted`. A wanted id without a version matches every version; the other
/// parts are compared byte by byte.
[[nodiscard]] CAIRN_EXPORT bool matches(const StructuredId& wanted, const StructuredId& id);
/// True if the `id` part equals this text. No other comparison accepts plain strings.
[[nodiscard]] CAIRN_EXPORT bool has_plain_id(const StructuredId& id, std::string_view text);

/// Converts to a property: the map {namespace, type, id, version, canonical}, with each part and
/// the canonical text indexed. An id without a version has no key `version`.
[[nodiscard]] CAIRN_EXPORT Value to_value(const StructuredId& id);
/// Converts a property back: a map as above, which may have other keys, or a canonical text. In a
/// map, `canonical` is ignored. Returns nullopt if a part is empty or missing, or the version is
/// not an integer from 0.
[[nodiscard]] CAIRN_EXPORT std::optional<StructuredId> structured_id_of(const Value& value);

// Identities that are commonly used, without a version.
[[nodiscard]] CAIRN_EXPORT StructuredId user_id(std::string_view id);    ///< user:user:ID
[[nodiscard]] CAIRN_EXPORT StructuredId agent_id(std::string_view id);   ///< agent:agent:ID
[[nodiscard]] CAIRN_EXPORT StructuredId chat_id(std::string_view id);    ///< chat:chat:ID
[[nodiscard]] CAIRN_EXPORT StructuredId thread_id(std::string_view id);  ///< chat:thread:ID
/// Returns the id system:TYPE:ID, where the type is "user", "agent", "chat", "message", "thought",
/// "thread", ...
[[nodiscard]] CAIRN_EXPORT StructuredId system_id(std::string_view type, std::string_view id);

/// The place of a message in a thread. Messages at the same position are ordered by id.
struct ThreadInfo {
  std::string id;
  std::int64_t position = 0;  ///< counted from 0
  std::optional<std::string> parent_id = std::nullopt;

  friend bool operator==(const ThreadInfo&, const ThreadInfo&) = default;
};

/// Converts to a property: the map {id, position, parentId}.
[[nodiscard]] CAIRN_EXPORT Value to_value(const ThreadInfo& thread);
/// Converts a property back; nullopt for an empty id, a position that is negative or not an
/// integer, or a parentId that is not a text.
[[nodiscard]] CAIRN_EXPORT std::optional<ThreadInfo> thread_of(const Value& value);

}  // namespace cairn::memory
