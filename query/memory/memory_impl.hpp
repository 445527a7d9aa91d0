#pragma once
// What is behind a Memory handle, and the steps that its calls share.

#include "engine/database/access.hpp"
#include "query/memory/access_counter.hpp"
#include "query/memory/statements.hpp"

#include <cairn/filter.hpp>
#include <cairn/memory/memory.hpp>

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace cairn::codec {
class Bitmap;
}
namespace cairn::query {
struct ExecutionContext;
}

namespace cairn::memory {

class Memory::Impl {
 public:
  Impl(const Database& opened, MemoryOptions chosen);

  /// The database as long as the caller works with it. Errors: conflict where it was closed.
  [[nodiscard]] Result<std::shared_ptr<Database>> database() const;

  [[nodiscard]] std::int64_t now() const;
  [[nodiscard]] StatementOptions statement_options() const;
  [[nodiscard]] Result<std::shared_ptr<const engine::View>> view(bool include_deleted) const;
  /// The number of the memory's namespace; nothing where it has no record yet.
  [[nodiscard]] std::optional<std::uint32_t> name_space(const engine::View& view) const;
  /// The node where it is a record of this memory; a hidden one only where that is asked for.
  [[nodiscard]] Result<std::optional<Node>> load(const engine::View& view, NodeId id,
                                                 bool include_deleted) const;

  /// Make the indexes of vectors and of contents if they are missing. Errors: invalid_argument for
  /// another model or dimension.
  [[nodiscard]] Status prepare_indexes();
  /// Whether the embedder's vectors may be compared with those of the index, where there is one.
  [[nodiscard]] Status check_index() const;
  [[nodiscard]] Status check_index(const engine::View& view) const;
  /// The first time that vectors of an unknown model were searched.
  void warn_of_unknown_model(const engine::View& view, std::vector<std::string>& warnings) const;
  /// A vector for each text; null where the text has nothing to make one of.
  [[nodiscard]] Result<std::vector<Value>> embed(const std::vector<std::string_view>& texts) const;

  /// A caller gets the record; counted where MemoryOptions::count_accesses says so.
  void note_access(NodeId id) const;
  [[nodiscard]] Status write_access_counts() const;

  MemoryOptions options;
  /// Whether the caller gave an embedder: the built-in one knows spelling, and not what words mean.
  bool has_model = false;

 private:
  [[nodiscard]] Status make_vector_index();
  [[nodiscard]] Status make_content_index();
  [[nodiscard]] Result<bool> add_accesses(const query::AccessCounter::Counts& counts,
                                          bool waits) const;

  // Weak: a memory does not keep its database open, and finds it wherever its handle was moved to.
  std::weak_ptr<Database::Impl> database_;
  mutable std::atomic<bool> has_warned_ = false;
  // Null: nobody counts. Last, as it uses the others.
  std::unique_ptr<query::AccessCounter> accesses_;
};

inline constexpr std::string_view memory_label = "Memory";
inline constexpr std::string_view session_label = "Session";
inline constexpr std::string_view session_relationship = "IN_SESSION";
inline constexpr std::string_view embedding_index = "memory_embedding";
inline constexpr std::string_view contents_index = "memory_contents";

/// A writing transaction whose new records go to the memory's namespace.
class Writing {
 public:
  [[nodiscard]] static Result<Writing> begin(const Memory::Impl& impl);
  /// Nothing where somebody else has the turn.
  [[nodiscard]] static Result<std::optional<Writing>> begin_if_free(const Memory::Impl& impl);
  [[nodiscard]] engine::Writer& writer() const { return *Access::writer(*transaction_); }
  /// Before vectors of the embedder are written. Errors: invalid_argument where the index has those of another.
  [[nodiscard]] Status use_model(const Embedder& embedder, std::vector<std::string>& warnings);
  [[nodiscard]] Status commit() { return transaction_->commit(); }

 private:
  [[nodiscard]] static Result<Writing> prepare(const Memory::Impl& impl, Transaction transaction);
  explicit Writing(Transaction transaction)
      : transaction_(std::make_unique<Transaction>(std::move(transaction))) {}
  std::unique_ptr<Transaction> transaction_;
};

/// Which records a statement is about: "(m:...)", " WHERE ..." or nothing, and parameters.
struct Selection {
  std::string pattern;
  std::string where;
  Parameters parameters;
  /// The same as a filter; nothing where a condition is text of the language.
  std::optional<Filter> filter;

  [[nodiscard]] std::string match() const { return "MATCH " + pattern + where; }
};
/// Errors: parse_error where `where` is not a whole condition.
[[nodiscard]] Result<Selection> select_records(const SearchRequest& request,
                                               query::Conditions conditions = {});
/// Its records as a set of ids. Names that no record has give a warning in `warnings`.
[[nodiscard]] Result<codec::Bitmap> selected_records(query::ExecutionContext& context,
                                                     const SearchRequest& request,
                                                     const Selection& selection,
                                                     std::vector<std::string>& warnings);
[[nodiscard]] Result<RecallResult> recall_records(const Memory::Impl& impl,
                                                  const RecallRequest& request,
                                                  query::Conditions conditions = {});
/// By `sort_by`, where there is one: hits without the field last, equal ones as they were ranked.
void sort_hits(std::vector<RecallHit>& hits, const SearchRequest& scope);
/// The ids of a selection, ascending. Limit, offset, query and order are not looked at. Names that no
/// record has give a warning in `warnings`, where there is one.
[[nodiscard]] Result<std::vector<NodeId>> selected_ids(const Memory::Impl& impl,
                                                       const engine::View& view,
                                                       const SearchRequest& request,
                                                       std::vector<std::string>* warnings = nullptr,
                                                       query::Conditions conditions = {});
/// Whether it has no condition, and so is every record.
[[nodiscard]] bool selects_everything(const SearchRequest& request);
/// The chunks of a record's text, hidden ones too.
[[nodiscard]] Result<std::vector<NodeId>> chunks_of(const engine::View& view, NodeId id);
/// Hide a record and the chunks of its text at one time; gives those that were not hidden before.
[[nodiscard]] Result<std::vector<NodeId>> hide_record(engine::Writer& writer, NodeId id,
                                                      std::int64_t time);
/// Erase a record and the chunks of its text; gives those that were there.
[[nodiscard]] Result<std::vector<NodeId>> purge_record(engine::Writer& writer, NodeId id);
/// Erase a node with its relationships.
[[nodiscard]] Status erase_record(engine::Writer& writer, NodeId id);
/// The page that a request asks for.
[[nodiscard]] Result<Page> read_page(const Memory::Impl& impl, const SearchRequest& request,
                                     query::Conditions conditions = {});

}  // namespace cairn::memory
