#pragma once
// Memory: records of what an agent learnt, stored in one database. All calls use the graph, the
// indexes and the statements of the language; nothing is stored outside of the database.
//
// A record is one node, as memory/schema.hpp describes. A record with text has a vector in the
// index `memory_embedding`, and its words and those of its `title` are in the full-text index
// `memory_contents`. The first write creates both indexes. A write is one commit, and the next read
// sees it. Soft-deleted records and their relationships are hidden from every statement on the
// database; these calls return them on request.
//
//     CAIRN_ASSIGN(Memory memory, Memory::open(database));
//     CAIRN_TRY(memory.remember("Ada prefers tea", {{"user", "ada"}}, {.session = "s1"}));
//     RecallRequest request;
//     request.query = "what does Ada drink";
//     CAIRN_ASSIGN(const RecallResult found, memory.recall(request));
//     for (const Hit& hit : found.hits) std::cout << record_of(hit).content << "\n";
//
// A full-text index of your own with other settings, CREATE FULLTEXT INDEX contents FOR (m:Memory)
// ON EACH [m.content], is used instead; `memory_contents` is not created then.

#include <cairn/database.hpp>
#include <cairn/embedder.hpp>
#include <cairn/memory/recall.hpp>
#include <cairn/memory/records.hpp>
#include <cairn/memory/requests.hpp>
#include <cairn/memory/rules.hpp>
#include <cairn/memory/schema.hpp>
#include <cairn/options.hpp>
#include <cairn/result.hpp>
#include <cairn/visibility.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::memory {

/// Options of a memory. They are not stored in the database.
struct MemoryOptions {
  /// Makes vectors of contents and questions. Null means the built-in embedder, whose vectors
  /// recall() only uses on request. The first write stores its model() with the vector index; later
  /// writes with another model are refused. An index of an older database, or an index with vectors
  /// of your own, has no model: recall() warns about this, and the next write of a vector declares
  /// the model.
  std::shared_ptr<const Embedder> embedder = nullptr;  // owners: the caller and the memory
  /// What add(), remember() and updates do if a record does not match `schema`.
  SchemaMode mode = SchemaMode::warn;
  Schema schema = {};
  /// The tenant whose records are seen and created; empty is the default one. Sessions, rules and
  /// external ids are separate in each namespace.
  std::string name_space = {};
  /// Namespaces whose records are seen too. Calls that change one of those records fail with
  /// `unsupported`; calls that change a selection only change records of this memory's namespace.
  std::vector<std::string> also_read = {};
  std::string author = {};  ///< stored in new records, like StatementOptions::author
  /// Counts in `access_count` of each record how often find(), the search calls and recall()
  /// returned it. A background thread writes the counts half a second later, many in one commit, so
  /// no read waits for it.
  bool count_accesses = false;
  /// The current time in microseconds since 1970 UTC; nullopt: the system clock. For tests.
  std::optional<std::int64_t> now = std::nullopt;
  /// Limits and cancellation for each statement that a call runs. Its clock, namespaces and author
  /// are those above.
  StatementOptions limits = {};
};

/// The memory calls on one database.
///
/// Durability: a write is on disk when the call returns, depending on Options::durability of the
/// database. Errors of every call: io_error and corruption of the store; resource_limit over
/// MemoryOptions::limits. Errors of every write: busy after Options::writer_timeout, unsupported if
/// the database is open read-only, and those of Transaction::commit(). A failed call has written
/// nothing, except the two indexes, which have commits of their own, and except remove_all() and
/// purge_all(), which commit step by step. All hits and records of one call are of one snapshot.
/// The embedder runs before the writer lock is taken. Threads: any number at once.
class CAIRN_EXPORT Memory {
 public:
  /// Opens the memory calls on a database. Nothing is written before the first record. Errors:
  /// invalid_argument if the vector index has another model or dimension than the embedder; the
  /// first write and each recall check this too. Lifetime: the handle `database` may be moved. A
  /// memory does not keep its database open: after the database is closed, every call fails with
  /// conflict.
  [[nodiscard]] static Result<Memory> open(Database& database, MemoryOptions options = {});

  Memory(Memory&&) noexcept;
  Memory& operator=(Memory&&) noexcept;
  ~Memory();

  /// Stores records in one commit. Records may refer to each other by external id in any order. A
  /// reference to a record that does not exist yet creates no relationship, now or later. Errors:
  /// invalid_argument in strict mode, for an empty kind, a kind whose label is reserved (Memory,
  /// MemoryTagRule, MemoryTagRun), an external id with a reserved prefix, the metadata fields
  /// `kind`, `content`, `embedding`, `earlier_texts`, is_deleted and deletion_time, and a sessionId
  /// that differs from the record's session; already_exists for an external id in use. If the
  /// embedder fails, the vectors are pending (<cairn/memory/pending.hpp>), and a warning says why.
  /// Cost: one call of the embedder for all records, then one commit, so many records at once are
  /// much cheaper.
  [[nodiscard]] Result<Added> add(std::span<const NewRecord> records);
  [[nodiscard]] Result<Added> add(const NewRecord& record);

  /// Stores a text with its chunks and related nodes in one commit:
  /// (record)-[:HAS_CHUNK]->(chunk)-[:NEXT]->(chunk) and (record)-[:MENTIONS]->(node), all in the
  /// session. Chunks and nodes get copies of the metadata; later updates of the record also change
  /// the copies of its chunks, but not those of the nodes. Each chunk has its number and its
  /// begin and end in the text. A text with chunks has no vector; its chunks have vectors instead.
  /// Errors: those of add(); invalid_argument if the overlap of chunks is not smaller than their
  /// size.
  [[nodiscard]] Result<Remembered> remember(std::string_view content,
                                            const Properties& metadata = {},
                                            const RememberOptions& options = {});

  /// Finds one record by its id or external id. Returns nullopt if it does not exist, is in another
  /// namespace, is not a record, has expired, or is hidden and hidden records are not requested.
  /// Cost: one read of the store, two by an external id.
  [[nodiscard]] Result<std::optional<Record>> find(NodeId id,
                                                   const FindOptions& options = {}) const;
  [[nodiscard]] Result<std::optional<Record>> find(std::string_view external_id,
                                                   const FindOptions& options = {}) const;

  /// Finds records by conditions, by default newest first, with the total number whatever the
  /// limit. Errors: those of parse_filter() for the filter; parse_error if `where` is not a
  /// complete condition; invalid_argument for a sort_by that is not a path and for a parameter name
  /// that begins with an underscore. Cost: postings of the conditions, and one read for each record
  /// of the page; sorting reads the field of all records.
  [[nodiscard]] Result<Page> search(const SearchRequest& request) const;
  /// Finds messages by criteria, which must all hold, together with `more`. The kinds of `more` are
  /// replaced by those of the call, except in search_cognitive_processes(). Errors: those of
  /// search().
  [[nodiscard]] Result<Page> search_messages(const MessageCriteria& criteria,
                                             const SearchRequest& more = {}) const;
  [[nodiscard]] Result<Page> search_cognitive_processes(const CognitiveCriteria& criteria,
                                                        const SearchRequest& more = {}) const;
  [[nodiscard]] Result<Page> search_documents(const DocumentCriteria& criteria,
                                              const SearchRequest& more = {}) const;
  [[nodiscard]] Result<Page> search_tasks(const TaskCriteria& criteria,
                                          const SearchRequest& more = {}) const;
  /// Returns episodes or insights, newest first. Errors: see EpisodeList and InsightList.
  [[nodiscard]] Result<Page> list_episodes(const EpisodeList& request) const;
  [[nodiscard]] Result<Page> list_insights(const InsightList& request) const;

  /// Finds records by meaning, words and neighbourhood, best first. Finding nothing is not an
  /// error. Errors: invalid_argument "Embedding provider required for vector retrieval" if text and
  /// vector are both missing, and for invalid numbers in the ranking, a min_score that is NaN and
  /// a vector of another dimension than the index; those of search() for the scope. Cost: a
  /// vector search under the conditions; depending on the strategy, a text search or expansions of
  /// its hits; one read for each of limit * oversample hits.
  [[nodiscard]] Result<RecallResult> recall(const RecallRequest& request) const;

  /// Writes the counts of MemoryOptions::count_accesses now instead of some time later; the
  /// destructor does so too. Records that are hidden or erased by then are not counted.
  /// `updated_at` does not change. Errors: those of a write. After an error the counts remain in
  /// memory and are written with the next ones, unless the database is open read-only.
  [[nodiscard]] Status write_access_counts() const;

  /// Changes a record's metadata and returns the new record; nullopt if it does not exist.
  /// updated_at becomes the time of the call, unless `update` sets it or changes nothing. Errors:
  /// those of add(), also for a sessionId that is not a name.
  [[nodiscard]] Result<std::optional<Record>> update(NodeId id, const Update& update);
  /// Changes all records of a selection in one commit, without a limit. Limit and offset of the
  /// selection are ignored. A dry run writes nothing. Errors: those of update() for any of the
  /// records, after which no record is changed; unsupported for a selection with include_deleted,
  /// except in a dry run. Cost: reads every record of the selection and writes those that change;
  /// the changes must fit Options::transaction_bytes.
  [[nodiscard]] Result<BulkUpdate> update_all(const SearchRequest& selection, const Update& update,
                                              const BulkOptions& options = {});
  /// Applies the schema's upgrades to all records of older versions, in one commit.
  /// Errors: those of the upgrades; invalid_argument for a field that they must not create.
  [[nodiscard]] Result<BulkUpdate> upgrade_all(const BulkOptions& options = {});

  /// Hides a record, the chunks of its text, and their relationships; returns false if it does not
  /// exist or is hidden. Nothing is erased: find(), search() and recall() return it with
  /// include_deleted, and filters can test is_deleted and deletion_time. Cost: one write for each
  /// relationship.
  [[nodiscard]] Result<bool> remove(NodeId id);
  /// Makes a hidden record visible again, with the relationships whose other end is not hidden, and
  /// the chunks that were hidden with it. Chunks that were hidden before stay hidden. Returns false
  /// if the record is not hidden.
  [[nodiscard]] Result<bool> restore(NodeId id);
  /// Erases a record, the chunks of its text, and their relationships for good, hidden or not.
  /// Returns false if it does not exist. It cannot be undone; the external id may be used again.
  /// The node of a session is erased with the last record of the session, unless somebody has added
  /// relationships, properties or labels to the node.
  [[nodiscard]] Result<bool> purge(NodeId id);

  /// Hides every record of a selection like remove(); returns how many records of the selection
  /// were hidden. The chunks of their texts are hidden too, but count only if they are in the
  /// selection.
  ///
  /// Works in commits of at most a thousand records, between which other writers can commit. A
  /// record that no longer passes when its commit begins is left. If a call fails, the records that
  /// it has hidden stay hidden, and the error has their number. Limit, offset and order of the
  /// selection are ignored; records that are already hidden are not changed. Errors: those of
  /// search() for the selection; invalid_argument for a selection without conditions, unless
  /// BulkRemoval::every_record is set, and for one with a query, which only ranks records.
  [[nodiscard]] Result<std::uint64_t> remove_all(const SearchRequest& selection,
                                                 const BulkRemoval& removal = {});
  /// Erases every record of a selection for good, like purge(); otherwise like remove_all(). With
  /// include_deleted it erases hidden records as well.
  [[nodiscard]] Result<std::uint64_t> purge_all(const SearchRequest& selection,
                                                const BulkRemoval& removal = {});

  /// Stores a rule and replaces a rule of the same name. Errors: invalid_argument for an invalid
  /// pattern, and for a rule without name, tags or fields. Storing a rule tags nothing;
  /// apply_tag_rules() does.
  [[nodiscard]] Status put_tag_rule(const TagRule& rule);
  /// Erases a rule; returns false if the rule does not exist. Tags that the rule has added stay.
  [[nodiscard]] Result<bool> erase_tag_rule(std::string_view name);
  /// Returns all rules, by name.
  [[nodiscard]] Result<std::vector<TagRule>> tag_rules() const;
  /// Applies all rules to the records of a selection in one commit. Existing tags stay, and a
  /// second run changes nothing. A dry run writes nothing. Limit and offset of the selection are
  /// ignored. Cost: reads every record of the selection. Errors: those of search() for the
  /// selection; unsupported with include_deleted, except in a dry run.
  [[nodiscard]] Result<TagRun> apply_tag_rules(const SearchRequest& selection = {},
                                               const BulkOptions& options = {});
  /// Removes the tags that a run added, in one commit; returns the number of records changed. A tag
  /// that was added again by hand since then is removed too. `run` is TagRun::id. Errors: not_found
  /// if the run does not exist or was already undone.
  [[nodiscard]] Result<std::uint64_t> undo_tag_run(NodeId run);

  /// Returns the names of metadata fields in use, in order; with KeyDepth::nested also paths into
  /// maps. Only fields of visible records count, and only those of one session if it is given.
  /// Paths over Options::max_paths are omitted. Cost: an index lookup for each path of the
  /// database; no record is read.
  [[nodiscard]] Result<std::vector<std::string>> metadata_keys(
      std::string_view session = {}, KeyDepth depth = KeyDepth::top_level) const;
  /// Returns the same names for the records of a selection, whose limit and offset are ignored, as
  /// fields of a filter: "a.b" for b within a, but "['a.b']" for a key with a dot.
  [[nodiscard]] Result<std::vector<std::string>> metadata_fields(
      const SearchRequest& selection, KeyDepth depth = KeyDepth::top_level) const;
  /// Returns how often each value of a field occurs among the records of a selection, whose limit
  /// and offset are ignored. Errors: those of search() for the selection; invalid_argument for a
  /// field that is not a path. Cost: the postings of the field's values.
  [[nodiscard]] Result<Distribution> value_distribution(std::string_view field,
                                                        const SearchRequest& selection = {}) const;

  class Impl;

 private:
  explicit Memory(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace cairn::memory
