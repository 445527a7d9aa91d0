#pragma once
// StructuredId: an identity that says what it names. ThreadInfo: a message's place in a thread.
//
//     const StructuredId ada = user_id("ada");                  // user:user:ada
//     const StructuredId bot{"agent", "agent", "scribe", 3};    // agent:agent:scribe:3
//     record.metadata["agentId"] = to_value(bot);
//     if (const auto read = parse_structured_id("user:user:ada")) use(read->id);
//
// Two systems may both have a user "7": the namespace keeps them apart where plain strings would
// not.

#include <cairn/value.hpp>
#include <cairn/visibility.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace cairn::memory {

/// Namespace, type and id of a user, an agent, a chat or whatever else, and where it has several
/// states, their number. No part but the version may be empty.
///
/// Nothing checks it when it is made; a schema refuses or remarks one with an empty part when it is
/// stored.
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
/// So "a:b:c:007", "a:b:c:-1", "a::c" and "%41:b:c" are invalid. Threads: any, as all functions here.
[[nodiscard]] CAIRN_EXPORT std::optional<StructuredId> parse_structured_id(std::string_view text);

/// Whether `id` is the one that `wanted` names: a wanted id without a version is any version of it.
/// The other three parts are compared byte by byte.
[[nodiscard]] CAIRN_EXPORT bool matches(const StructuredId& wanted, const StructuredId& id);
/// Whether its `id` part is this text: the only comparison with plain strings.
[[nodiscard]] CAIRN_EXPORT bool has_plain_id(const StructuredId& id, std::string_view text);

/// As a property: {namespace, type, id, version, canonical}, each part and the canonical text
/// indexed. Without a version that key is missing.
[[nodiscard]] CAIRN_EXPORT Value to_value(const StructuredId& id);
/// The identity in a property: a map as above, whatever else is in it, or a canonical text.
/// Of a map the canonical text is not looked at. Nothing where a part is empty or missing, or the
/// version no integer from 0.
[[nodiscard]] CAIRN_EXPORT std::optional<StructuredId> structured_id_of(const Value& value);

// The identities that source systems use, without a version.
[[nodiscard]] CAIRN_EXPORT StructuredId user_id(std::string_view id);    ///< user:user:ID
[[nodiscard]] CAIRN_EXPORT StructuredId agent_id(std::string_view id);   ///< agent:agent:ID
[[nodiscard]] CAIRN_EXPORT StructuredId chat_id(std::string_view id);    ///< chat:chat:ID
[[nodiscard]] CAIRN_EXPORT StructuredId thread_id(std::string_view id);  ///< chat:thread:ID
/// The id system:TYPE:ID, where the type is "user", "agent", "chat", "message", "thought", "thread", ...
[[nodiscard]] CAIRN_EXPORT StructuredId system_id(std::string_view type, std::string_view id);

/// A message's place in a thread. Two messages may have one position; they are ordered by id then.
struct ThreadInfo {
  std::string id;
  std::int64_t position = 0;  ///< from 0
  std::optional<std::string> parent_id = std::nullopt;

  friend bool operator==(const ThreadInfo&, const ThreadInfo&) = default;
};

/// As a property: {id, position, parentId}.
[[nodiscard]] CAIRN_EXPORT Value to_value(const ThreadInfo& thread);
/// Nothing if the value is not such a map: an empty id, a position that is negative or not an integer, a parentId
/// that is not a text.
[[nodiscard]] CAIRN_EXPORT std::optional<ThreadInfo> thread_of(const Value& value);

}  // namespace cairn::memory
