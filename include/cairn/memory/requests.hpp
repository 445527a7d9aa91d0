#pragma once
// Requests to the memory calls, and their results.
//
//     SearchRequest request;
//     request.kinds = {"task"};
//     request.filter = Filter::where("status", FilterOperator::equals, "pending");
//     request.where = "m.dueDate < $day";
//     request.parameters = {{"day", "2026-02-01"}};
//     request.sort_by = "dueDate";
//     CAIRN_ASSIGN(const Page page, memory.search(request));
//
// A field is a path into the metadata: "thread.position", or equally "metadata.thread.position".

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

/// The records that add() stored, in order, and warnings about the schema (in mode "warn"). The ids
/// do not include sessions that were created for the records.
struct Added {
  /// One id for each given record.
  std::vector<NodeId> ids;
  /// What does not match the schema, record by record.
  std::vector<std::string> warnings;
};

/// Options of remember(). External id and session are those of NewRecord.
struct RememberOptions {
  /// The kind of the whole text; its chunks are of kind `chunk`.
  std::string kind = "note";
  std::string external_id = {};
  std::string session = {};
  /// In code points; the overlap must be smaller than the size.
  ChunkSizes chunks = {};  ///< a text longer than a chunk is searched by its chunks
  /// What was found in the text, such as entities. Each node also gets those metadata fields of the
  /// text that it lacks. A relationship MENTIONS leads to each node.
  std::vector<NewRecord> nodes = {};
  Lifetime lifetime = {};  ///< of text and chunks, and of nodes without a lifetime of their own
};

/// The result of remember().
struct Remembered {
  /// Chunks hold copies of the text; purge() of this record erases them as well.
  NodeId id;                   ///< the record with the whole text
  std::vector<NodeId> chunks;  ///< empty if the text fits into one chunk
  std::vector<NodeId> nodes;
  std::vector<std::string> warnings;
};

/// Selects and orders records. All conditions must hold.
///
/// The same type selects records for updates, tagging and distributions, which only use its
/// conditions. By default: the newest hundred of all visible records.
struct SearchRequest {
  /// Ignored by calls for a fixed kind: search_tasks() always searches tasks.
  std::vector<std::string> kinds = {};  ///< any of them; empty: all kinds
  Filter filter = {};                   ///< the default passes every record
  /// A condition of the language on the record `m`, such as "m.importance > $least". It must be a
  /// complete condition: "a) OR (b" is a parse_error. It cannot write: it may only call procedures
  /// of role `read`.
  std::string where = {};
  /// Values for the parameters in `where`. Their names must not begin with an underscore.
  Parameters parameters = {};
  /// Only records with this sessionId; empty: records of any session and of no session.
  std::string session = {};
  /// If not empty: the records nearest by meaning, best first. Records without a vector are
  /// excluded, also from the total. `sort_by` then orders the records of the page. If empty:
  /// records by conditions alone.
  std::string query = {};
  /// A dotted path. Records without the field come last in both directions. Empty: newest first. A
  /// field that no record has causes a warning in Page::warnings.
  std::string sort_by = {};
  /// Direction of sort_by; without sort_by the newest always come first. Equal records are ordered
  /// by id.
  bool descending = false;
  /// Records on the page; 0 returns only the total.
  std::uint64_t limit = 100;
  std::uint64_t offset = 0;
  /// Also returns records that remove() has hidden.
  bool include_deleted = false;
  /// Excludes the records of MemoryOptions::also_read. Calls that change records always exclude
  /// them.
  bool own_only = false;
};

/// A page of records, and the total number.
struct Page {
  std::vector<Record> records;
  /// Number of records on all pages, as of the snapshot of the call. With a query: the number of
  /// records with a vector. If the query is answered by words, fewer may be found; the page with
  /// the last of them has their exact number.
  std::uint64_t total = 0;
  /// As requested.
  std::uint64_t limit = 0;
  std::uint64_t offset = 0;
  /// True if there are records after this page.
  bool has_next_page = false;
  std::vector<std::string> warnings;
};

/// Selects messages. A criterion that is not given does not restrict the result.
struct MessageCriteria {
  std::optional<StructuredId> user = {};  ///< an id without a version matches all versions of it
  std::optional<StructuredId> agent = {};
  std::optional<StructuredId> chat = {};
  /// Compared with the stored text, case-sensitive, like all texts below.
  std::optional<std::string> role = {};
  std::optional<std::string> thread = {};  ///< thread.id
  std::optional<std::string> message_type = {};
};

/// Selects cognitive processes: records of any kind with a processType.
struct CognitiveCriteria {
  /// The agent whose processes they are.
  std::optional<StructuredId> agent = {};
  /// One of thought, reflection, insight, planning, evaluation and decision, or another word.
  std::optional<std::string> process_type = {};
  /// The stored `contextId`.
  std::optional<std::string> context = {};
  std::optional<std::string> related_to = {};  ///< one of the texts in relatedTo
};

/// Selects documents.
struct DocumentCriteria {
  std::optional<std::string> source = {};
  std::optional<StructuredId> agent = {};
  std::optional<StructuredId> user = {};
  std::optional<std::string> title = {};  ///< the complete title
  /// The stored `contentType`.
  std::optional<std::string> content_type = {};
};

/// Selects tasks.
struct TaskCriteria {
  std::optional<StructuredId> agent = {};
  /// The stored `assignedTo`. Here and above, an id without a version matches all of its versions.
  std::optional<StructuredId> assigned_to = {};
  std::optional<std::string> status = {};
  std::optional<std::string> priority = {};
  /// The stored `parentTaskId`: the external id of the parent task.
  std::optional<std::string> parent_task = {};
};

/// Lists episodes, newest first. Errors: invalid_argument "limit must be between 1 and 100",
/// "offset must be >= 0", "Invalid ISO 8601 timestamp: ...", and for a range that ends before it
/// begins.
struct EpisodeList {
  /// Compared in Unicode form NFC, as they are stored.
  std::vector<std::string> tags = {};         ///< records must have all of them
  std::optional<std::string> category = {};   ///< "ethr": the query begins with "[ethr]"
  std::optional<std::string> date_from = {};  ///< range of created_at, both ends included
  std::optional<std::string> date_to = {};
  /// ISO 8601; relative times such as "7d" are only for filters and facets.
  std::optional<std::string> since = {};  ///< like date_from; the later of the two applies
  /// Maximal number of episodes, 1 to 100.
  std::int64_t limit = 50;
  std::int64_t offset = 0;
};

/// Lists insights, newest first. All criteria must hold. Errors: those of EpisodeList, and
/// invalid_argument for other words than those listed at its fields.
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

/// How to change metadata. Relationships and session membership that result from fields are updated
/// too.
///
///     Update update{.changes = {{"status", "completed"}}, .unset = {"dueDate"}};
///     CAIRN_ASSIGN(const auto changed, memory.update(id, update));
///
/// `kind`, `content`, `embedding`, `earlier_texts`, `is_deleted` and `deletion_time` cannot be
/// changed as fields (invalid_argument). The result is checked by the schema like a new record.
struct Update {
  /// Fields by name, not by path: a map is replaced as a whole.
  Properties changes = {};
  std::vector<std::string> unset = {};  ///< fields to remove; null in `changes` removes too
  /// True: other fields stay. False: other fields are removed, except created_at, updated_at,
  /// sessionId and schemaVersion.
  bool merge = true;
  /// New content, with a new vector. The chunks of the old content are erased; only remember()
  /// makes chunks.
  std::optional<std::string> content = {};
  /// Adds the previous content to `earlier_texts` of the record, which is not metadata: at most 50
  /// texts and 256 KiB in total.
  bool keep_earlier = false;
  /// A new lifetime, also of the chunks; an empty Lifetime means forever.
  std::optional<Lifetime> lifetime = {};
};

/// Options of Memory::find().
struct FindOptions {
  bool include_deleted = false;  ///< also finds records that were removed but not purged
};

/// Options of calls that change all records of a selection.
struct BulkOptions {
  bool dry_run = false;  ///< report what would be done, and write nothing
};

/// Which names Memory::metadata_keys() returns.
enum class KeyDepth : std::uint8_t { top_level, nested };

/// What update_all() or upgrade_all() did, or would do (dry run).
struct BulkUpdate {
  /// Number of records in the selection.
  std::uint64_t matched = 0;
  std::vector<NodeId> changed;  ///< ascending; in a dry run, those that would change
  std::vector<std::string> warnings;
};

/// Options of remove_all() and purge_all().
struct BulkRemoval {
  /// Confirms a selection without conditions, which selects every record and is rarely intended.
  bool every_record = false;
};

/// How often values occur, most frequent first, then in the order of the language. Each element of
/// a list counts once per record. Nulls, missing fields and maps are not counted as values.
///
/// All values are returned without a limit; faceted_search() returns the most frequent ones.
struct Distribution {
  /// A value, and the number of records that have it.
  std::vector<std::pair<Value, std::uint64_t>> values;
  std::uint64_t nulls = 0;    ///< records with a stored null
  std::uint64_t missing = 0;  ///< records without the field
};

}  // namespace cairn::memory
