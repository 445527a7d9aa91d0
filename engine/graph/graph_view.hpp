#pragma once
// GraphView: implements View for a published state, and for a transaction that is based on one.

#include "engine/graph/record_reader.hpp"
#include "engine/graph/state.hpp"
#include "engine/index/posting_reader.hpp"
#include "engine/index/property_index.hpp"
#include "engine/transaction/catalog_editor.hpp"
#include "engine/transaction/write_set.hpp"
#include "engine/view/segment_view.hpp"
#include "engine/view/view.hpp"

namespace cairn::engine {

struct VectorSources;

/// Reads of a transaction look at its write set first, then at the state. Threads: any for a
/// snapshot; one at a time for a transaction.
class GraphView final : public View {
 public:
  /// A view of a snapshot. The store and the cache must outlive the view.
  GraphView(const RocksStore& store, PostingCache& cache, StatePtr state)
      : GraphView(store, cache, std::move(state), nullptr, nullptr) {}
  /// A view of a transaction. Its write set and its catalog editor must outlive the view too.
  GraphView(const RocksStore& store, PostingCache& cache, StatePtr state, WriteSet* write_set,
            const CatalogEditor* editor);

  /// Returns a copy of this view that includes softly deleted entities.
  [[nodiscard]] GraphView with_deleted() const;

  const Catalog& catalog() const override;
  std::uint64_t commit_number() const override { return state_->commit; }

  Result<std::optional<codec::NodeRecord>> find_node(std::uint64_t id) const override;
  Result<std::optional<codec::RelationshipRecord>> find_relationship(
      std::uint64_t id) const override;
  Result<std::optional<std::uint64_t>> find_external(std::uint32_t name_space,
                                                     std::string_view text) const override;
  Result<Value> property(codec::EntityKind kind, std::uint64_t id,
                         std::uint32_t key) const override;
  Result<std::vector<Value>> properties(codec::EntityKind kind, std::span<const std::uint64_t> ids,
                                        std::uint32_t key) const override;
  Result<std::optional<Node>> load_node(std::uint64_t id) const override;
  Result<std::optional<Relationship>> load_relationship(std::uint64_t id) const override;
  Result<std::vector<std::optional<Node>>> load_nodes(
      std::span<const std::uint64_t> ids) const override;

  /// Returns every entity of a namespace, including hidden entities.
  [[nodiscard]] Result<codec::Bitmap> members(codec::EntityKind kind,
                                              std::uint32_t name_space) const;
  /// Returns every entity of all namespaces of `visibility`, including hidden entities.
  [[nodiscard]] Result<codec::Bitmap> members(codec::EntityKind kind,
                                              const Visibility& visibility) const;
  /// True if every entity is in one of the namespaces of `visibility`. Cost: usually two counters.
  [[nodiscard]] Result<bool> has_all(codec::EntityKind kind, const Visibility& visibility) const;
  Result<codec::Bitmap> visible(codec::EntityKind kind,
                                const Visibility& visibility) const override;
  Result<codec::Bitmap> invisible(codec::EntityKind kind,
                                  const Visibility& visibility) const override;
  Result<bool> all_visible(codec::EntityKind kind, const Visibility& visibility) const override;
  Result<codec::Bitmap> labelled(std::uint32_t label) const override;
  Result<codec::Bitmap> typed(std::uint32_t type) const override;
  Result<LookupResult> lookup(const IndexPredicate& question) const override;
  Result<Estimate> estimate(const IndexPredicate& question) const override;
  const PostingReader* index_reader() const noexcept override { return &postings_; }
  Result<std::uint64_t> count_labelled(std::uint32_t label) const override;
  Result<std::uint64_t> count_typed(std::uint32_t type) const override;

  Status expand(std::uint64_t node, Direction direction, std::span<const std::uint32_t> types,
                std::vector<Adjacent>& out) const override;
  Status expand_into(std::uint64_t node, std::uint64_t other, Direction direction,
                     std::span<const std::uint32_t> types,
                     std::vector<Adjacent>& out) const override;

  std::unique_ptr<ListReader> lists() const override;

  AdjacencyView adjacency(bool outgoing, const SegmentNeed& need) const override;
  ColumnView column(codec::EntityKind kind, std::uint32_t key,
                    const SegmentNeed& need) const override;

  Result<Neighbors> nearest(std::uint32_t index, const VectorQuery& query) const override;
  Result<std::vector<Neighbors>> nearest_all(std::uint32_t index,
                                             std::span<const VectorQuery> queries) const override;
  Result<codec::Bitmap> with_vector(std::uint32_t index) const override;
  Result<TextHits> search_text(std::uint32_t index, const TextQuery& query) const override;
  Result<std::vector<IndexDescription>> describe_indexes() const override;
  Result<std::vector<codec::BackupNote>> describe_backups() const override;

  // The parts of the view, for code of the engine.

  [[nodiscard]] const RecordReader& records() const noexcept { return records_; }
  [[nodiscard]] const AdjacencyReader& adjacency_reader() const noexcept { return adjacency_; }
  [[nodiscard]] const PostingReader& postings() const noexcept { return postings_; }
  [[nodiscard]] const State& state() const noexcept { return *state_; }

 private:
  /// Returns what a search of the index reads. Errors: not_found; unsupported if the index is not online.
  [[nodiscard]] Result<VectorSources> vector_sources(std::uint32_t index) const;
  [[nodiscard]] bool has_segments() const;
  /// Returns a counter, including the changes of the transaction.
  [[nodiscard]] std::int64_t count(Counter counter, codec::EntityKind kind) const;
  /// Returns the number of records of a kind, including hidden ones.
  [[nodiscard]] std::uint64_t live(codec::EntityKind kind) const;
  /// Returns the expired records, and the softly deleted ones unless this view includes them.
  [[nodiscard]] Result<codec::Bitmap> hidden(codec::EntityKind kind, std::int64_t now) const;

  const RocksStore* store_;
  StatePtr state_;
  WriteSet* write_set_;          // nullptr in a view of a snapshot
  const CatalogEditor* editor_;  // nullptr in a view of a snapshot
  bool sees_deleted_ = false;
  RecordReader records_;
  AdjacencyReader adjacency_;
  PostingReader postings_;
};

/// Returns the rows of SHOW INDEXES: first the named indexes, then every path that is indexed automatically.
[[nodiscard]] Result<std::vector<IndexDescription>> describe_all_indexes(const GraphView& view);

}  // namespace cairn::engine
