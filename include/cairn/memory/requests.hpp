#pragma once
// What the memory calls are asked, and what they answer.
//
//     SearchRequest request;
//     request.kinds = {"task"};
//     request.filter = Filter::where("status", FilterOperator::equals, "pending");
//     request.where = "m.dueDate < $day";
//     request.parameters = {{"day", "2026-02-01"}};
//     request.sort_by = "dueDate";
//     CAIRN_ASSIGN(const Page page, memory.search(request));
//
// A field is a path into the metadata: "thread.position"; "metadata.thread.position" is the same.

#include <cairn/filter.hpp>
#include <cairn/memory/chunks.hpp>
#include <cairn/memory/records.hpp>
#include <cairn/memory/structured_id.hpp>
#include <cairn/value.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cairn::memory {

/// What add() stored, in order, and what does not fit the schema ("warn" mode).
/// The ids are those of the records, not of sessions that were made for them.
struct Added {
  /// One for each record that was given.
  std::vector<NodeId> ids;
  /// What does not fit the schema, record by record.
  std::vector<std::string> warnings;
};

/// How to remember a text.
/// External id and session are those of NewRecord.
struct RememberOptions {
  /// Of the whole text; its chunks are of the kind `chunk`.
  std::string kind = "note";
  std::string external_id = {};
  std::string session = {};
  /// In code points; the overlap must be smaller than the size.
  ChunkSizes chunks = {};  ///< a text longer than a chunk is searched by its chunks
  /// What was found in the text, such as entities. They get the metadata of the text as well;
  /// their own fields win. Each is related by MENTIONS.
  std::vector<NewRecord> nodes = {};
  Lifetime lifetime = {};  ///< of the text and its chunks, and of nodes that have none of their own
};

/// What remember() stored.
struct Remembered {
  /// Texts of the chunks are copies: purge() of this record erases them as well.
  NodeId id;                   ///< the record with the whole text
  std::vector<NodeId> chunks;  ///< none where the text is no longer than a chunk
  std::vector<NodeId> nodes;
  std::vector<std::string> warnings;
};

/// Which records, in which order. All conditions must hold.
///
/// The same value selects for updates, tagging and distributions, which look at its conditions
/// only. By default: the newest hundred of all visible records.
struct SearchRequest {
  /// Those of one call are its own: search_tasks() asks for tasks whatever stands here.
  std::vector<std::string> kinds = {};  ///< any of them; none: every kind
  Filter filter = {};                   ///< the default passes every record
  /// A condition of the language on the record `m`, such as "m.importance > $least", and its
  /// parameters, whose names do not begin with an underscore.
  /// It must be a whole condition: "a) OR (b" is a parse_error. It only reads: procedures in it need no role but `read`.
  std::string where = {};
  /// Values of the names with a dollar sign in `where`.
  Parameters parameters = {};
  /// Records whose sessionId it is; empty: of any session and of none.
  std::string session = {};
  /// With text: the records nearest by meaning, best first; those without a vector are left out,
  /// in the total neither. `sort_by` orders the records of the page.
  /// Empty: by conditions alone.
  std::string query = {};
  /// A dotted path; records without it come last in both directions. Empty: newest first.
  /// A field that no record has gives a warning in Page::warnings.
  std::string sort_by = {};
  /// Of sort_by; without it the newest come first in any case. Equal ones stand by id.
  bool descending = false;
  /// Records on the page; 0 gives the total alone.
  std::uint64_t limit = 100;
  std::uint64_t offset = 0;
  /// Show what remove() has hidden beside what is visible.
  bool include_deleted = false;
  /// Without the records of MemoryOptions::also_read. Calls that change records always leave them out.
  bool own_only = false;
};

/// A page of records, and how many there are.
struct Page {
  std::vector<Record> records;
  /// Exact, as of the snapshot of the call.
  std::uint64_t total = 0;  ///< how many records there are on all pages
  /// As asked for.
  std::uint64_t limit = 0;
  std::uint64_t offset = 0;
  /// Whether there are records after this page.
  bool has_next_page = false;
  std::vector<std::string> warnings;
};

/// Which messages; what is not given does not matter.
struct MessageCriteria {
  std::optional<StructuredId> user = {};  ///< an id without a version is any version of it
  std::optional<StructuredId> agent = {};
  std::optional<StructuredId> chat = {};
  /// As it was stored, with case; so are all texts below.
  std::optional<std::string> role = {};
  std::optional<std::string> thread = {};  ///< thread.id
  std::optional<std::string> message_type = {};
};

/// Which cognitive processes: records of any kind that have a processType.
struct CognitiveCriteria {
  /// Whose thoughts.
  std::optional<StructuredId> agent = {};
  /// One of thought, reflection, insight, planning, evaluation and decision, or another word.
  std::optional<std::string> process_type = {};
  /// What is stored as `contextId`.
  std::optional<std::string> context = {};
  std::optional<std::string> related_to = {};  ///< one of the texts in relatedTo
};

/// Which documents.
struct DocumentCriteria {
  std::optional<std::string> source = {};
  std::optional<StructuredId> agent = {};
  std::optional<StructuredId> user = {};
  std::optional<std::string> title = {};  ///< the whole title
  /// What is stored as `contentType`.
  std::optional<std::string> content_type = {};
};

/// Which tasks.
struct TaskCriteria {
  std::optional<StructuredId> agent = {};
  /// What is stored as `assignedTo`. An id without a version stands for all of its versions, here and above.
  std::optional<StructuredId> assigned_to = {};
  std::optional<std::string> status = {};
  std::optional<std::string> priority = {};
  /// What is stored as `parentTaskId`: the external id of the task above.
  std::optional<std::string> parent_task = {};
};

/// Episodes, newest first. Errors: invalid_argument "limit must be between 1 and 100",
/// "offset must be >= 0", "Invalid ISO 8601 timestamp: ...", and for a range that ends before it
/// begins.
struct EpisodeList {
  /// Compared in Unicode form NFC, as they are stored.
  std::vector<std::string> tags = {};         ///< all of them
  std::optional<std::string> category = {};   ///< "ethr": the query begins with "[ethr]"
  std::optional<std::string> date_from = {};  ///< of created_at, both ends included
  std::optional<std::string> date_to = {};
  /// ISO 8601; relative times such as "7d" are for filters and facets.
  std::optional<std::string> since = {};  ///< as date_from; the later of the two counts
  /// How many at most, 1 to 100.
  std::int64_t limit = 50;
  std::int64_t offset = 0;
};

/// Insights, newest first. Errors as for episodes, and for other words than those of its fields.
/// All that is given must hold; a date range as of EpisodeList.
struct InsightList {
  std::vector<std::string> tags = {};
  std::optional<std::string> date_from = {};
  std::optional<std::string> date_to = {};
  std::optional<std::string> io_category = {};  ///< self, ethr, shared, relationship
  std::optional<bool> is_identity = {};
  std::optional<std::string> memory_sector =
      {};  ///< emotional, episodic, semantic, procedural, reflective
  std::int64_t limit = 50;
  std::int64_t offset = 0;
};

/// How to change metadata. Relationships that fields stand for, and the membership of a session, follow
/// the fields.
///
///     Update update{.changes = {{"status", "completed"}}, .unset = {"dueDate"}};
///     CAIRN_ASSIGN(const auto changed, memory.update(id, update));
///
/// `kind`, `content`, `embedding`, `earlier_texts`, `is_deleted` and `deletion_time` are no fields to change
/// (invalid_argument). The result is checked by the schema as a new record is.
struct Update {
  /// Fields by name, not by path: a map is given as a whole.
  Properties changes = {};
  std::vector<std::string> unset = {};  ///< fields to take away; so does null in `changes`
  /// True: other fields stay, and a map is replaced as a whole. False: they go, but for created_at,
  /// updated_at, sessionId and schemaVersion.
  bool merge = true;
  /// A new content, with its new vector. The chunks of the old one are erased; new ones are made by
  /// remember() alone.
  std::optional<std::string> content = {};
  /// The content before stays in `earlier_texts` of the record, which is not metadata: at most 50, and 256 KiB together.
  bool keep_earlier = false;
  /// A new lifetime, of its chunks as well; one with nothing in it is for ever.
  std::optional<Lifetime> lifetime = {};
};

/// Of Memory::find().
struct FindOptions {
  bool include_deleted = false;  ///< records that were removed and not purged as well
};

/// Of calls that change all records of a selection.
struct BulkOptions {
  bool dry_run = false;  ///< tell what would be done, and write nothing
};

/// Which names Memory::metadata_keys() gives.
enum class KeyDepth : std::uint8_t { top_level, nested };

/// What update_all() and upgrade_all() did, or in a dry run would do.
struct BulkUpdate {
  /// Records of the selection.
  std::uint64_t matched = 0;
  /// Ascending by id.
  std::vector<NodeId> changed;  ///< those that are (or in a dry run would be) other than before
  std::vector<std::string> warnings;
};

/// How remove_all() and purge_all() treat their selection.
struct BulkRemoval {
  /// A selection without conditions is every record, which is rarely meant: it must be said.
  bool every_record = false;
};

/// Values with their types, most frequent first and then in the language's order. Each element of a
/// list counts once a record; nulls, records without the field, and maps are no values.
///
/// All values are given, without a limit; faceted_search() gives the most frequent ones.
struct Distribution {
  /// A value, and how many records have it.
  std::vector<std::pair<Value, std::uint64_t>> values;
  std::uint64_t nulls = 0;    ///< records with a stored null
  std::uint64_t missing = 0;  ///< records without the field
};

}  // namespace cairn::memory
