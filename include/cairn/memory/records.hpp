#pragma once
// Records: what the memory calls store and return, and functions that make one of each kind.
//
// The functions set schemaVersion. `more` takes the optional fields of the kind and any other
// fields. Typed parameters override fields of the same name in `more`.
//
//     NewRecord said = message("I prefer tea", "user", user_id("ada"), agent_id("scribe"),
//                              chat_id("c1"), {.id = "t1", .position = 4});
//     said.external_id = "m-17";
//     CAIRN_ASSIGN(const Added added, memory.add(said));
//     CAIRN_ASSIGN(const auto stored, memory.find("m-17"));
//     std::cout << stored->field("thread.position").to_text() << "\n";   // 4
//
// A function only makes a value; nothing is checked or stored before Memory::add(). Field names are
// those of the original systems, some in camelCase and some with underscores.

#include <cairn/graph.hpp>
#include <cairn/hit.hpp>
#include <cairn/memory/schema.hpp>
#include <cairn/memory/structured_id.hpp>
#include <cairn/value.hpp>
#include <cairn/visibility.hpp>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::memory {

/// How long a record lives: forever if neither is given, otherwise until the earlier moment.
///
/// After that moment the record is not found any more; some time later it is erased, with its
/// chunks.
struct Lifetime {
  std::optional<std::int64_t> expires_at = std::nullopt;  ///< in microseconds since 1970 UTC
  /// Counted from the time of the call.
  std::optional<std::chrono::microseconds> time_to_live = std::nullopt;

  /// Returns when a record of a call at `now` expires; nullopt: never.
  [[nodiscard]] CAIRN_EXPORT std::optional<std::int64_t> moment(std::int64_t now) const;
};

/// A record to store.
///
/// `metadata` may have any fields except `kind`, `content`, `embedding`, `earlier_texts`,
/// `is_deleted` and `deletion_time`. Missing created_at and updated_at are set to the time of the
/// call.
struct NewRecord {
  /// Any word whose label is not reserved. A kind of the schema is checked by the schema.
  std::string kind = "note";
  /// The text that is embedded and searched. If it is empty, the record is only found by its
  /// fields.
  std::string content;
  Properties metadata = {};
  std::string external_id = {};  ///< unique; other records refer to it by this id; empty: none
  std::string session = {};      ///< the session it belongs to, created if it does not exist
  Lifetime lifetime = {};
};

/// A stored record as of the moment when it was read. `metadata` includes tags, times and
/// sessionId, but neither the embedding nor earlier texts.
///
/// Changing this copy changes nothing in the database; use Memory::update().
struct Record {
  NodeId id;
  /// Empty if it has none.
  std::string external_id;
  std::string kind;
  std::string content;
  Properties metadata;
  /// Hidden by Memory::remove(), and read because hidden records were requested.
  bool is_deleted = false;

  /// Returns the value at a dotted path of the metadata ("thread.position"); null if it is missing.
  /// A field whose name is the whole path takes precedence. A key with dots is written a['b.c'],
  /// and a leading "metadata." may be omitted. Lifetime: as long as this record.
  [[nodiscard]] CAIRN_EXPORT const Value& field(std::string_view path) const;
};

/// Converts a node to a record. Fields that the node does not have are empty.
[[nodiscard]] CAIRN_EXPORT Record record_of(const Node& node);
/// Converts a hit of Memory::recall(), which has a node, to a record; returns an empty record for a
/// hit without a node.
[[nodiscard]] CAIRN_EXPORT Record record_of(const Hit& hit);

/// Formats a time as the memory calls store it: ISO 8601 in UTC with six fraction digits, so that
/// texts sort as times do. `time` is in microseconds since 1970 UTC.
[[nodiscard]] CAIRN_EXPORT std::string time_text(std::int64_t time);
/// Returns tags as they are stored: from a text or list, each once, in order of first occurrence,
/// in Unicode form NFC.
[[nodiscard]] CAIRN_EXPORT List tag_set(const Value& value);

/// A message. `role` is user, assistant, system, or another word. Optional fields in `more`:
/// messageType, attachments, senderAgentId, receiverAgentId, communicationType (request, response,
/// notification, broadcast), priority (low, normal, high, urgent), requiresResponse. A parent in
/// `thread` becomes a relationship PARENT to the record with that external id.
[[nodiscard]] CAIRN_EXPORT NewRecord message(std::string content, std::string role,
                                             const StructuredId& user, const StructuredId& agent,
                                             const StructuredId& chat, const ThreadInfo& thread,
                                             Properties more = {});
/// A thought of an agent. `process_type` is thought, reflection, insight, planning, evaluation,
/// decision, or another word. relatedTo, influences and influencedBy in `more` are external ids and
/// become relationships RELATED_TO, INFLUENCES and INFLUENCED_BY. The kind is the process type, or
/// `cognitive` for insight and for other words.
[[nodiscard]] CAIRN_EXPORT NewRecord cognitive_process(std::string content,
                                                       std::string process_type,
                                                       const StructuredId& agent,
                                                       Properties more = {});
/// A cognitive_process() of type thought.
[[nodiscard]] CAIRN_EXPORT NewRecord thought(std::string content, const StructuredId& agent,
                                             Properties more = {});
/// A cognitive_process() of type reflection.
[[nodiscard]] CAIRN_EXPORT NewRecord reflection(std::string content, const StructuredId& agent,
                                                Properties more = {});
/// A document. `source` is file, web, api, user, agent, tool, system, or another word. Optional in
/// `more`: userId, title, url, contentType, fileName, fileSize, creationDate, lastModified,
/// authors.
[[nodiscard]] CAIRN_EXPORT NewRecord document(std::string content, std::string source,
                                              const StructuredId& agent, Properties more = {});
/// A task. `status` is pending, in_progress, completed, cancelled or failed; `priority` is low,
/// medium, high or urgent; other words do not match the schema. parentTaskId in `more` becomes a
/// relationship PARENT.
[[nodiscard]] CAIRN_EXPORT NewRecord task(std::string content, std::string title,
                                          std::string status, std::string priority,
                                          const StructuredId& agent, Properties more = {});
/// An episode: what was tried, and with what result. `reward` is from -1 to 1.
///
/// The content is the query, an empty line, and the reflection; only the query if the reflection is
/// empty.
[[nodiscard]] CAIRN_EXPORT NewRecord episode(std::string query, double reward,
                                             std::string reflection,
                                             std::vector<std::string> tags = {},
                                             Properties more = {});
/// An insight, learnt from other records. `source_ids` are their external ids, which become
/// relationships DERIVED_FROM.
///
/// Memory::list_insights() can select by io_category (self, ethr, shared, relationship),
/// memory_sector and is_identity in `more`.
[[nodiscard]] CAIRN_EXPORT NewRecord insight(std::string content,
                                             std::vector<std::string> source_ids = {},
                                             std::vector<std::string> tags = {},
                                             Properties more = {});
/// A text without further fields, for everything that has no kind of its own.
[[nodiscard]] CAIRN_EXPORT NewRecord note(std::string content, Properties more = {});

}  // namespace cairn::memory
