#pragma once
// Memory: records of what an agent learnt, over one database. Every call is a door to the same graph,
// indexes and statements that the language has; nothing is kept outside of the database.
//
// A record is one node, as memory/schema.hpp describes it; with text it has a vector in the index
// `memory_embedding`, which the first write makes. A write is one commit and is seen by the next read.
// Softly deleted records and their relationships are hidden from every statement on the database, and
// shown by these calls where they are asked to.

#include <cairn/database.hpp>
#include <cairn/embedder.hpp>
#include <cairn/export.hpp>
#include <cairn/memory/recall.hpp>
#include <cairn/memory/records.hpp>
#include <cairn/memory/requests.hpp>
#include <cairn/memory/rules.hpp>
#include <cairn/memory/schema.hpp>
#include <cairn/result.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::memory {

struct MemoryOptions {
  /// Makes vectors of contents and questions; null is the built-in one. A memory must be used with one
  /// model only: its dimension is compared with the index, its name is not.
  std::shared_ptr<const Embedder> embedder = nullptr;  // owners: the caller and the memory
  SchemaMode mode = SchemaMode::warn;
  Schema schema = {};
  std::string name_space = {};  ///< the tenant whose records are seen and made
  /// What time it is, in microseconds since 1970 UTC; the system clock if absent. For tests.
  std::optional<std::int64_t> now = std::nullopt;
};

/// Threads: any number at once.
class CAIRN_EXPORT Memory {
 public:
  /// Lifetime: `database` must outlive it. Errors: invalid_argument where the index of vectors has
  /// another dimension than the embedder.
  [[nodiscard]] static Result<Memory> open(Database& database, MemoryOptions options = {});

  Memory(Memory&&) noexcept;
  Memory& operator=(Memory&&) noexcept;
  ~Memory();

  /// Store records in one commit. `kind`, `content` and `embedding` are no metadata: fields of these
  /// names are refused, and so is a sessionId that differs from the record's session. Records may name each
  /// other by external id in any order; what a field names and is not there yet is not linked later.
  /// Errors: invalid_argument (strict mode, names), already_exists for a used external id.
  [[nodiscard]] Result<Added> add(std::span<const NewRecord> records);
  [[nodiscard]] Result<Added> add(const NewRecord& record);

  /// Store a text with what belongs to it in one commit: (record)-[:HAS_CHUNK]->(chunk)-[:NEXT]->(chunk)
  /// and (record)-[:MENTIONS]->(node), all in the session. Chunks and nodes get copies of the metadata
  /// (later updates of the record do not change them), chunks their place in the text, and the vectors
  /// that the record has otherwise. Errors: as add().
  [[nodiscard]] Result<Remembered> remember(std::string_view content,
                                            const Properties& metadata = {},
                                            const RememberOptions& options = {});

  [[nodiscard]] Result<std::optional<Record>> find(NodeId id, bool include_deleted = false) const;
  [[nodiscard]] Result<std::optional<Record>> find(std::string_view external_id,
                                                   bool include_deleted = false) const;

  /// Records by conditions: newest first unless sorted, the total whatever the limit.
  [[nodiscard]] Result<Page> search(const SearchRequest& request) const;
  /// The calls of the source systems, with their limits and texts.
  [[nodiscard]] Result<Page> search_messages(const MessageCriteria& criteria,
                                             const SearchRequest& more = {}) const;
  [[nodiscard]] Result<Page> search_cognitive_processes(const CognitiveCriteria& criteria,
                                                        const SearchRequest& more = {}) const;
  [[nodiscard]] Result<Page> search_documents(const DocumentCriteria& criteria,
                                              const SearchRequest& more = {}) const;
  [[nodiscard]] Result<Page> search_tasks(const TaskCriteria& criteria,
                                          const SearchRequest& more = {}) const;
  [[nodiscard]] Result<Page> list_episodes(const EpisodeList& request) const;
  [[nodiscard]] Result<Page> list_insights(const InsightList& request) const;

  /// Records by meaning, words and neighbourhood, best first.
  /// Errors: invalid_argument "Embedding provider required for vector retrieval" where there is
  /// neither text nor a vector, and for a ranking whose numbers cannot work.
  [[nodiscard]] Result<RecallResult> recall(const RecallRequest& request) const;

  /// Change a record's metadata; nothing where there is no such record.
  [[nodiscard]] Result<std::optional<Record>> update(NodeId id, const Update& update);
  /// Change all records of a selection in one commit, without a limit. Limit and offset of the
  /// selection are not looked at. A dry run writes nothing.
  [[nodiscard]] Result<BulkUpdate> update_all(const SearchRequest& selection, const Update& update,
                                              bool dry_run = false);
  /// Apply the schema's upgrades to all records that have an older version.
  [[nodiscard]] Result<BulkUpdate> upgrade_all(bool dry_run = false);

  /// Hide a record, the chunks of its text, and their relationships; false where there is none, or it is hidden already.
  [[nodiscard]] Result<bool> remove(NodeId id);
  /// Show it again, with those relationships whose other end is not hidden.
  [[nodiscard]] Result<bool> restore(NodeId id);
  /// Erase a record, the chunks of its text, and their relationships for good, hidden or not.
  [[nodiscard]] Result<bool> purge(NodeId id);

  /// Store a rule, in place of one of the same name.
  /// Errors: invalid_argument for a pattern that is none, and a rule without name, tags or fields.
  [[nodiscard]] Status put_tag_rule(const TagRule& rule);
  /// False where there is none of this name.
  [[nodiscard]] Result<bool> erase_tag_rule(std::string_view name);
  /// All rules by name.
  [[nodiscard]] Result<std::vector<TagRule>> tag_rules() const;
  /// Apply all rules to the records of a selection in one commit; the tags that are there stay, and a
  /// second run changes nothing. A dry run writes nothing. Cost: reads every record of the selection.
  [[nodiscard]] Result<TagRun> apply_tag_rules(const SearchRequest& selection = {},
                                               bool dry_run = false);
  /// Take away the tags that a run added and say from how many records; a tag that was given by hand
  /// since then goes as well. Errors: not_found where there is no such run, or it was undone before.
  [[nodiscard]] Result<std::uint64_t> undo_tag_run(NodeId run);

  /// The names of metadata fields in use, in order; with `nested` paths into maps as well.
  /// Cost: an index lookup for each path of the database, no record is read.
  [[nodiscard]] Result<std::vector<std::string>> metadata_keys(std::string_view session = {},
                                                               bool nested = false) const;
  /// How often each value of a field occurs among the records of a selection.
  /// Cost: the postings of the field's values. Errors: invalid_argument for what is no path.
  [[nodiscard]] Result<Distribution> value_distribution(std::string_view field,
                                                        const SearchRequest& selection = {}) const;

  class Impl;

 private:
  explicit Memory(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace cairn::memory
