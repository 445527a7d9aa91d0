#pragma once
// StructuredId: an identity that says what it names. ThreadInfo: a message's place in a thread.

#include <cairn/export.hpp>
#include <cairn/value.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace cairn::memory {

/// Namespace, type and id of a user, an agent, a chat or whatever else, and where it has several
/// states, their number. No part but the version may be empty.
struct StructuredId {
  std::string name_space;
  std::string type;
  std::string id;
  std::optional<std::int64_t> version = std::nullopt;  ///< 0 or more

  /// All parts, the version too; two namespaces never collide.
  friend bool operator==(const StructuredId&, const StructuredId&) = default;
};

/// "namespace:type:id" or "namespace:type:id:version", with ':' as %3A and '%' as %25 in the parts.
[[nodiscard]] CAIRN_EXPORT std::string to_text(const StructuredId& id);
/// Reads what to_text writes; nothing for any other text, so that one identity has one text.
[[nodiscard]] CAIRN_EXPORT std::optional<StructuredId> parse_structured_id(std::string_view text);

/// Whether `id` is the one that `wanted` names: a wanted id without a version is any version of it.
[[nodiscard]] CAIRN_EXPORT bool matches(const StructuredId& wanted, const StructuredId& id);
/// Whether its `id` part is this text: the only comparison with plain strings.
[[nodiscard]] CAIRN_EXPORT bool has_plain_id(const StructuredId& id, std::string_view text);

/// As a property: {namespace, type, id, version, canonical}, each part and the canonical text
/// indexed. Without a version that key is missing.
[[nodiscard]] CAIRN_EXPORT Value to_value(const StructuredId& id);
/// The identity in a property: a map as above, whatever else is in it, or a canonical text.
[[nodiscard]] CAIRN_EXPORT std::optional<StructuredId> structured_id_of(const Value& value);

[[nodiscard]] CAIRN_EXPORT StructuredId user_id(std::string_view id);    ///< user:user:ID
[[nodiscard]] CAIRN_EXPORT StructuredId agent_id(std::string_view id);   ///< agent:agent:ID
[[nodiscard]] CAIRN_EXPORT StructuredId chat_id(std::string_view id);    ///< chat:chat:ID
[[nodiscard]] CAIRN_EXPORT StructuredId thread_id(std::string_view id);  ///< chat:thread:ID
/// system:TYPE:ID, where the type is "user", "agent", "chat", "message", "thought", "thread", ...
[[nodiscard]] CAIRN_EXPORT StructuredId system_id(std::string_view type, std::string_view id);

/// Two messages may have one position; they are ordered by id then.
struct ThreadInfo {
  std::string id;
  std::int64_t position = 0;  ///< from 0
  std::optional<std::string> parent_id = std::nullopt;

  friend bool operator==(const ThreadInfo&, const ThreadInfo&) = default;
};

/// As a property: {id, position, parentId}.
[[nodiscard]] CAIRN_EXPORT Value to_value(const ThreadInfo& thread);
[[nodiscard]] CAIRN_EXPORT std::optional<ThreadInfo> thread_of(const Value& value);

}  // namespace cairn::memory
