#pragma once
// Memory: records of what an agent learnt, over one database. Every call works on the same graph,
// indexes and statements as the language does; nothing is stored outside of the database.
//
// A record is one node, as memory/schema.hpp describes it; with text it has a vector in the index
// `memory_embedding`, and its words and those of its `title` are in the full-text index `memory_contents`. The first write
// makes both.
// A write is one commit and is seen by the next read.
// Softly deleted records and their relationships are hidden from every statement on the database, and
// shown by these calls where they are asked to.
//
//     CAIRN_ASSIGN(Memory memory, Memory::open(database));
//     CAIRN_TRY(memory.remember("Ada prefers tea", {{"user", "ada"}}, {.session = "s1"}));
//     RecallRequest request;
//     request.query = "what does Ada drink";
//     CAIRN_ASSIGN(const RecallResult found, memory.recall(request));
//     for (const Hit& hit : found.hits) std::cout << record_of(hit).content << "\n";
//
// A full-text index of your own, CREATE FULLTEXT INDEX contents FOR (m:Memory) ON EACH [m.content], with other
// settings, is used in place of `memory_contents`, which is not made then.

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

/// How to use a memory. None of it is stored with the database.
struct MemoryOptions {
  /// Makes vectors of contents and questions; null is the built-in one, by which recall() goes only where it is
  /// asked for vectors. The first write keeps its model() with the index of vectors, and another one is refused
  /// from then on. An index of older databases and of vectors that you brought says of none: it is searched with
  /// a warning, and the next write that brings a vector declares the model with another one.
  std::shared_ptr<const Embedder> embedder = nullptr;  // owners: the caller and the memory
  /// What add(), remember() and updates do about what does not fit `schema`.
  SchemaMode mode = SchemaMode::warn;
  Schema schema = {};
  /// Empty is the default one. Sessions, rules and external ids are apart in each.
  std::string name_space = {};  ///< the tenant whose records are seen and made
  /// Namespaces whose records are seen too. Calls that change one of those records are `unsupported`, and
  /// those that change a selection choose among the memory's own.
  std::vector<std::string> also_read = {};
  std::string author = {};  ///< of the records that are made, as StatementOptions::author
  /// Count in `access_count` of each record how often find(), search() and its like and recall() gave it back. A
  /// thread of the memory writes the counts half a second later, many in one commit, so that no read waits.
  bool count_accesses = false;
  /// What time it is, in microseconds since 1970 UTC; the system clock if absent. For tests.
  std::optional<std::int64_t> now = std::nullopt;
  /// Time, memory and cancellation of each statement that a call runs. Its clock, namespaces and author are those above.
  StatementOptions limits = {};
};

/// The memory calls over one database.
///
/// Durability: a write is on disk when the call returns, as Options::durability of the database
/// says.
/// Errors of every call: io_error and corruption of the store; resource_limit over
/// MemoryOptions::limits. Of every write also busy after Options::writer_timeout,
/// unsupported on a database that is open for reading, and those of Transaction::commit(). What
/// fails has written nothing, but for the two indexes, each made in a commit of its own, and for remove_all() and
/// purge_all(), which commit step by step.
/// Hits and records are of one snapshot a call. An embedder runs before the writer's turn is taken.
/// Threads: any number at once.
class CAIRN_EXPORT Memory {
 public:
  /// The memory calls over an open database. Nothing is written before the first record.
  /// Errors: invalid_argument where the index of vectors is of another model or dimension than the embedder; the first
  /// write and each recall look as well.
  /// Lifetime: the handle `database` may be moved. A memory does not keep its database open: once that is
  /// closed, every call of it is the error conflict.
  [[nodiscard]] static Result<Memory> open(Database& database, MemoryOptions options = {});

  Memory(Memory&&) noexcept;
  Memory& operator=(Memory&&) noexcept;
  ~Memory();

  /// Store records in one commit. `kind`, `content`, `embedding` and `earlier_texts` are no metadata: fields of these
  /// names are refused, and so is a sessionId that differs from the record's session. Records may name each
  /// other by external id in any order; what a field names and is not there yet is not linked later.
  /// Errors: invalid_argument (strict mode, names), already_exists for a used external id.
  /// invalid_argument also for an empty kind or one whose label is the memory's own (Memory,
  /// MemoryTagRule, MemoryTagRun), for external ids that begin with the memory's own prefixes, and
  /// for is_deleted and deletion_time; the embedder's errors as they are. Cost: one call of the
  /// embedder for all, then one commit: many records at once are much cheaper.
  [[nodiscard]] Result<Added> add(std::span<const NewRecord> records);
  [[nodiscard]] Result<Added> add(const NewRecord& record);

  /// Store a text with what belongs to it in one commit: (record)-[:HAS_CHUNK]->(chunk)-[:NEXT]->(chunk)
  /// and (record)-[:MENTIONS]->(node), all in the session. Chunks and nodes get copies of the metadata
  /// (later updates of the record do not change them), chunks their place in the text, and the vectors
  /// that the record has otherwise. Errors: as add().
  /// Also invalid_argument where the overlap of chunks is not smaller than their size. Sizes are
  /// code points. The whole text has no vector where there are chunks: they stand for it in
  /// searches by meaning.
  [[nodiscard]] Result<Remembered> remember(std::string_view content,
                                            const Properties& metadata = {},
                                            const RememberOptions& options = {});

  /// One record by its number or its external id; nothing if it does not exist, is in
  /// another namespace or no record, where it has expired, and where it is hidden and that is not
  /// asked for.
  /// Cost: one read of the store, two by an external id.
  [[nodiscard]] Result<std::optional<Record>> find(NodeId id,
                                                   const FindOptions& options = {}) const;
  [[nodiscard]] Result<std::optional<Record>> find(std::string_view external_id,
                                                   const FindOptions& options = {}) const;

  /// Records by conditions: newest first unless sorted, the total whatever the limit.
  /// Errors: as parse_filter() for the filter, parse_error for `where` that is not a complete
  /// condition, invalid_argument for a sort_by that is not a path and for a parameter that begins with an
  /// underscore.
  /// Cost: postings of the conditions, one read a record of the page; sorting reads the field of
  /// all.
  [[nodiscard]] Result<Page> search(const SearchRequest& request) const;
  /// The calls of the source systems, with their limits and texts.
  /// Criteria that are given must all hold, and `more` beside them; its kinds are those of the
  /// call, but for search_cognitive_processes(), which keeps them.
  /// Errors: as search().
  [[nodiscard]] Result<Page> search_messages(const MessageCriteria& criteria,
                                             const SearchRequest& more = {}) const;
  [[nodiscard]] Result<Page> search_cognitive_processes(const CognitiveCriteria& criteria,
                                                        const SearchRequest& more = {}) const;
  [[nodiscard]] Result<Page> search_documents(const DocumentCriteria& criteria,
                                              const SearchRequest& more = {}) const;
  [[nodiscard]] Result<Page> search_tasks(const TaskCriteria& criteria,
                                          const SearchRequest& more = {}) const;
  /// Episodes and insights, newest first; errors stand at EpisodeList and InsightList.
  [[nodiscard]] Result<Page> list_episodes(const EpisodeList& request) const;
  [[nodiscard]] Result<Page> list_insights(const InsightList& request) const;

  /// Records by meaning, words and neighbourhood, best first.
  /// Errors: invalid_argument "Embedding provider required for vector retrieval" where there is
  /// neither text nor a vector, and for a ranking whose numbers cannot work.
  /// Also for a min_score that is NaN, and as search() for the scope. The vector in the request
  /// must have the dimension of the index. Finding nothing is not an error.
  /// Cost: a vector search under the conditions, and by strategy a text search or expansions of its
  /// hits; one read for each of limit * oversample hits.
  [[nodiscard]] Result<RecallResult> recall(const RecallRequest& request) const;

  /// Write what MemoryOptions::count_accesses has counted up to now, instead of some time later; the end of the
  /// memory does it as well. Records that are hidden or gone by then are not counted; `updated_at` stays.
  /// Errors: those of a write; the counts stay in memory and are written with the next ones, unless the database is open for
  /// reading.
  [[nodiscard]] Status write_access_counts() const;

  /// Change a record's metadata; nothing where there is no such record.
  /// Gives the record as it is afterwards. updated_at becomes the time of the call, unless it is
  /// among the changes; an update that changes nothing leaves it.
  /// Errors: as add(), also a sessionId that is not a name.
  [[nodiscard]] Result<std::optional<Record>> update(NodeId id, const Update& update);
  /// Change all records of a selection in one commit, without a limit. Limit and offset of the
  /// selection are not looked at. A dry run writes nothing.
  /// Errors: as update() for any of the records, which then all stay as they are; unsupported for a
  /// selection with include_deleted, but in a dry run.
  /// Cost: reads every record of the selection, writes those that change; they must fit
  /// Options::transaction_bytes.
  [[nodiscard]] Result<BulkUpdate> update_all(const SearchRequest& selection, const Update& update,
                                              const BulkOptions& options = {});
  /// Apply the schema's upgrades to all records that have an older version.
  /// In one commit.
  /// Errors: those of the upgrades, invalid_argument for a field they must not make.
  [[nodiscard]] Result<BulkUpdate> upgrade_all(const BulkOptions& options = {});

  /// Hide a record, the chunks of its text, and their relationships; false if it does not exist or is hidden already.
  /// Nothing is erased: find(), search() and recall() show it with include_deleted, filters by
  /// is_deleted and deletion_time.
  /// Cost: one write a relationship.
  [[nodiscard]] Result<bool> remove(NodeId id);
  /// Show it again, with those relationships whose other end is not hidden.
  /// Chunks that were hidden with it come back, those hidden before stay. False where it is not
  /// hidden.
  [[nodiscard]] Result<bool> restore(NodeId id);
  /// Erase a record, the chunks of its text, and their relationships for good, hidden or not.
  /// False if it does not exist. It cannot be undone; an external id is free again.
  [[nodiscard]] Result<bool> purge(NodeId id);

  /// Hide every record of a selection, each as remove() does; gives how many of the selection were hidden. The
  /// chunks of their texts go along, and count where they are of the selection themselves.
  ///
  /// It is done in commits of at most a thousand records, between which others can write; a record that no longer
  /// passes by then stays. What a call that fails has hidden stays hidden, and the error says how many.
  /// Limit, offset and order of the selection are not looked at; those that are hidden already stay as they are.
  /// Errors: as search() for the selection; invalid_argument for one without any condition, unless
  /// BulkRemoval::every_record, and for one with a query, which chooses no records.
  [[nodiscard]] Result<std::uint64_t> remove_all(const SearchRequest& selection,
                                                 const BulkRemoval& removal = {});
  /// Erase every record of a selection for good, each as purge() does; as remove_all() otherwise. With
  /// include_deleted hidden ones as well.
  [[nodiscard]] Result<std::uint64_t> purge_all(const SearchRequest& selection,
                                                const BulkRemoval& removal = {});

  /// Store a rule, in place of one of the same name.
  /// Errors: invalid_argument for an invalid pattern, and a rule without name, tags or fields.
  /// Nothing is tagged by it alone: apply_tag_rules() does.
  [[nodiscard]] Status put_tag_rule(const TagRule& rule);
  /// False if there is no rule of this name.
  /// Erase a rule; the tags that it gave stay.
  [[nodiscard]] Result<bool> erase_tag_rule(std::string_view name);
  /// All rules by name.
  [[nodiscard]] Result<std::vector<TagRule>> tag_rules() const;
  /// Apply all rules to the records of a selection in one commit; the tags that are there stay, and a
  /// second run changes nothing. A dry run writes nothing. Cost: reads every record of the selection.
  /// Errors: as search() for the selection; unsupported with include_deleted, but in a dry run.
  /// Limit and offset of the selection are not looked at.
  [[nodiscard]] Result<TagRun> apply_tag_rules(const SearchRequest& selection = {},
                                               const BulkOptions& options = {});
  /// Take away the tags that a run added and say from how many records; a tag that was given by hand
  /// since then goes as well. Errors: not_found where there is no such run, or it was undone before.
  /// `run` is TagRun::id. In one commit.
  [[nodiscard]] Result<std::uint64_t> undo_tag_run(NodeId run);

  /// The names of metadata fields in use, in order; with KeyDepth::nested paths into maps as well.
  /// Cost: an index lookup for each path of the database, no record is read.
  /// Only those of visible records, and of one session where it is given. Paths over
  /// Options::max_paths are not among them.
  [[nodiscard]] Result<std::vector<std::string>> metadata_keys(
      std::string_view session = {}, KeyDepth depth = KeyDepth::top_level) const;
  /// How often each value of a field occurs among the records of a selection.
  /// Cost: the postings of the field's values. Errors: invalid_argument for a field that is not a path.
  /// Also as search() for the selection, whose limit and offset are not looked at.
  [[nodiscard]] Result<Distribution> value_distribution(std::string_view field,
                                                        const SearchRequest& selection = {}) const;

  class Impl;

 private:
  explicit Memory(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace cairn::memory
