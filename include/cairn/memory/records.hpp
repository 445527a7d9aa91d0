#pragma once
// Records: what the memory calls store and give back, and the ways to describe one of each kind.
//
// The functions fill in schemaVersion. Their typed parameters win over fields of the same name in
// `more`, which takes the optional fields of the kind and any others.
//
//     NewRecord said = message("I prefer tea", "user", user_id("ada"), agent_id("scribe"),
//                              chat_id("c1"), {.id = "t1", .position = 4});
//     said.external_id = "m-17";
//     CAIRN_ASSIGN(const Added added, memory.add(said));
//     CAIRN_ASSIGN(const auto stored, memory.find("m-17"));
//     std::cout << stored->field("thread.position").to_text() << "\n";   // 4
//
// A function only makes a value: nothing is checked or stored before Memory::add(). Fields have the
// names of the source systems, some in camelCase and some with underscores.

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

/// How long a record lives: for ever, unless one of the two is given; the earlier of both.
///
/// From its moment on it is found by nothing, and some time later it is erased, with its chunks.
struct Lifetime {
  std::optional<std::int64_t> expires_at = std::nullopt;  ///< in microseconds since 1970 UTC
  /// From the time of the call on.
  std::optional<std::chrono::microseconds> time_to_live = std::nullopt;

  /// When a record of a call at `now` expires; nullopt: never.
  [[nodiscard]] CAIRN_EXPORT std::optional<std::int64_t> moment(std::int64_t now) const;
};

/// A record to store.
///
/// `metadata` may have any fields but `kind`, `content`, `embedding`, `earlier_texts`, `is_deleted` and
/// `deletion_time`. created_at and updated_at are filled in where they are missing, the time of the
/// call.
struct NewRecord {
  /// Any word that has a label of its own; one of the schema is checked by it.
  std::string kind = "note";
  /// What is embedded and searched. Empty: found by its fields only, or as the embedder has it.
  std::string content;
  Properties metadata = {};
  std::string external_id = {};  ///< unique; other records name it by this. Empty for none
  std::string session = {};      ///< the session it belongs to, made if it does not exist
  Lifetime lifetime = {};
};

/// A stored record. `metadata` has its tags, times and sessionId with the rest.
/// A stored record, as of the moment when it was read.
///
/// Changing it changes nothing: Memory::update() does. The embedding and earlier texts are not among its metadata.
struct Record {
  NodeId id;
  /// Empty where none was given.
  std::string external_id;
  std::string kind;
  std::string content;
  Properties metadata;
  /// Hidden by Memory::remove(), and read because that was asked for.
  bool is_deleted = false;

  /// The value at a dotted path of the metadata ("thread.position"), null if there is no such value.
  /// A field whose own name is the whole path is preferred; a['b.c'] names keys with dots, and a
  /// leading "metadata." is not needed.
  /// Lifetime: as this record.
  [[nodiscard]] CAIRN_EXPORT const Value& field(std::string_view path) const;
};

/// The record in a node. Fields that the node does not have stay empty.
[[nodiscard]] CAIRN_EXPORT Record record_of(const Node& node);
/// The record of a hit that came with its node, as those of Memory::recall() do; an empty one without it.
[[nodiscard]] CAIRN_EXPORT Record record_of(const Hit& hit);

/// A time as the memory calls write it: ISO 8601 in UTC with six digits of a fraction, so that the order of
/// the texts is the order of the times. `time` is in microseconds since 1970 UTC.
[[nodiscard]] CAIRN_EXPORT std::string time_text(std::int64_t time);
/// Tags as they are stored: a set from a text or a list, no text twice, first come first, in Unicode form NFC.
[[nodiscard]] CAIRN_EXPORT List tag_set(const Value& value);

/// What somebody said. `role`: user, assistant, system, or another word.
/// Optional fields in `more`: messageType, attachments, senderAgentId, receiverAgentId,
/// communicationType (request, response, notification, broadcast), priority (low, normal, high,
/// urgent), requiresResponse. A parent in `thread` becomes a relationship PARENT to the record of
/// that external id.
[[nodiscard]] CAIRN_EXPORT NewRecord message(std::string content, std::string role,
                                             const StructuredId& user, const StructuredId& agent,
                                             const StructuredId& chat, const ThreadInfo& thread,
                                             Properties more = {});
/// What an agent thought.
/// relatedTo, influences and influencedBy in `more` are external ids, and become relationships
/// RELATED_TO, INFLUENCES and INFLUENCED_BY.
/// `process_type`: thought, reflection, insight, planning, evaluation, decision, or another word.
/// The kind is the process type, `cognitive` for insight and for words of the caller.
[[nodiscard]] CAIRN_EXPORT NewRecord cognitive_process(std::string content,
                                                       std::string process_type,
                                                       const StructuredId& agent,
                                                       Properties more = {});
/// A cognitive_process() of the type thought.
[[nodiscard]] CAIRN_EXPORT NewRecord thought(std::string content, const StructuredId& agent,
                                             Properties more = {});
/// A cognitive_process() of the type reflection.
[[nodiscard]] CAIRN_EXPORT NewRecord reflection(std::string content, const StructuredId& agent,
                                                Properties more = {});
/// A text from somewhere. `source`: file, web, api, user, agent, tool, system, or another word.
/// Optional in `more`: userId, title, url, contentType, fileName, fileSize, creationDate,
/// lastModified, authors.
[[nodiscard]] CAIRN_EXPORT NewRecord document(std::string content, std::string source,
                                              const StructuredId& agent, Properties more = {});
/// Something to do. `status`: pending, in_progress, completed, cancelled or failed; `priority`:
/// low, medium, high or urgent; other words do not fit the schema. parentTaskId in `more` becomes a
/// relationship PARENT.
[[nodiscard]] CAIRN_EXPORT NewRecord task(std::string content, std::string title,
                                          std::string status, std::string priority,
                                          const StructuredId& agent, Properties more = {});
/// What was tried and what came of it. `reward` is from -1 to 1.
///
/// The content is the query and, behind an empty line, the reflection.
[[nodiscard]] CAIRN_EXPORT NewRecord episode(std::string query, double reward,
                                             std::string reflection,
                                             std::vector<std::string> tags = {},
                                             Properties more = {});
/// What was learnt from other records.
///
/// The ids become relationships DERIVED_FROM. io_category (self, ethr, shared, relationship),
/// memory_sector and is_identity in `more` are what Memory::list_insights() asks for.
/// `source_ids`: external ids of the records it was made of.
[[nodiscard]] CAIRN_EXPORT NewRecord insight(std::string content,
                                             std::vector<std::string> source_ids = {},
                                             std::vector<std::string> tags = {},
                                             Properties more = {});
/// A text without further fields; what does not fit elsewhere.
[[nodiscard]] CAIRN_EXPORT NewRecord note(std::string content, Properties more = {});

}  // namespace cairn::memory
