#pragma once
// IndexSnapshot: the state of a vector index, made of a sealed segment and a delta. BatchSearcher:
// searches of one state.

#include "engine/vector/coded_scan.hpp"
#include "engine/vector/distance.hpp"
#include "engine/vector/ordinal_selection.hpp"
#include "engine/vector/search_plan.hpp"
#include "engine/vector/segment.hpp"
#include "engine/vector/top_k_heap.hpp"
#include "engine/vector/vector_delta.hpp"
#include "engine/vector/vector_index.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace cairn::engine {

/// An immutable state of a vector index. Threads: any number at once.
class IndexSnapshot final : public VectorState {
 public:
  /// The contents, set by the writer. Versions and sequences increase from state to state.
  struct Parts {
    DistanceMetric measure;
    std::uint32_t m = 16;
    std::shared_ptr<const Segment> segment;          // owners: states and builds
    std::shared_ptr<const IdTombstones> tombstones;  // owners: states and the index
    std::size_t hidden = 0;                          ///< number of hidden slots of the segment
    DeltaView delta;
    std::uint64_t version = 0;           ///< version of delta and tombstones
    std::uint64_t sequence = 0;          ///< newest change that was applied
    std::uint64_t segment_sequence = 0;  ///< newest change that the segment contains
    std::uint64_t epoch = 0;             ///< number of segments that the index had before
    std::size_t changes = 0;             ///< number of changes applied in this epoch
  };

  explicit IndexSnapshot(Parts parts);

  [[nodiscard]] Result<std::vector<Neighbors>> search_all(
      std::span<const VectorSearch> searches) const override;
  [[nodiscard]] std::uint64_t size() const noexcept override;
  [[nodiscard]] codec::Bitmap entities() const override;
  [[nodiscard]] std::uint64_t sequence() const noexcept override { return parts_.sequence; }
  [[nodiscard]] VectorMemory memory() const noexcept override;
  [[nodiscard]] std::optional<std::vector<float>> find(std::uint64_t entity) const override;

  [[nodiscard]] const Parts& parts() const noexcept { return parts_; }
  [[nodiscard]] const LiveIds& live_ids() const noexcept { return live_ids_; }

 private:
  /// Runs the searches of `all` with the indexes `which`, and stores their hits in `found` at the
  /// same indexes.
  void run(std::span<const VectorSearch> all, std::span<const std::size_t> which,
           std::vector<Neighbors>& found) const;

  Parts parts_;
  LiveIds live_ids_;
};

// Runs any number of searches of one state under one filter. The filter is converted once, and
// scanned memory is read once for all. Each search has its own plan and finds the same as if it
// were alone.

class BatchSearcher {
 public:
  /// All arguments must outlive the object. A null `allowed` allows all.
  BatchSearcher(const IndexSnapshot::Parts& parts, const LiveIds& live,
                const codec::Bitmap* allowed);

  /// Adds a search, which must have passed check_vector(). It returns `search.k` hits, before cuts
  /// by score or distance.
  void add(const VectorSearch& search);
  /// Runs all searches and returns their results in the order of add(). To be called once.
  [[nodiscard]] std::vector<Neighbors> run();

 private:
  /// The state of one search.
  struct Running {
    Running(const VectorSearch& search, const DistanceMetric& measure, std::size_t size);

    VectorSearch asked;
    std::vector<float> query;  // the query in stored form
    /// Hits to find: at most the size of the state.
    std::size_t k = 0;
    TopKHeap top;
    SearchPlan plan;
    // True if there are codes and they represent this query.
    bool is_coded = false;
    // The prepared query and the expectations of partitions. Both are made when first needed.
    std::optional<CodedQuery> coded;
    std::optional<IvfIndex::ProbePlan> probe_plan;
    // Set as soon as the search is complete, while its vectors are cached.
    std::optional<Neighbors> found;
  };

  // The .cpp describes the steps in order.
  void scan_delta(std::span<const RowProbe> probes) const;
  void choose_way(Running& one) const;
  [[nodiscard]] const CodedQuery& coded(Running& one) const;
  void walk_or_read(Running& one) const;
  [[nodiscard]] bool walk_graph(Running& one) const;
  [[nodiscard]] bool read_partitions(Running& one) const;
  void scan_flat(Running& one) const;
  void settle_exactly();
  [[nodiscard]] double bound_of_last(const Running& one) const;
  [[nodiscard]] double distance_of_last(const Running& one) const;
  template <class Scan>
  [[nodiscard]] std::vector<SlotDistance> refine(Running& one, Scan&& scan) const;
  [[nodiscard]] std::vector<SlotDistance> rescore_best(std::span<const QuantizedTopK::Item> items,
                                                       const CodedQuery& coded,
                                                       const Running& one) const;
  [[nodiscard]] std::vector<SlotDistance> compare(std::span<const QuantizedTopK::Item> items,
                                                  const Running& one) const;
  [[nodiscard]] bool is_out_of_distribution(std::span<const SlotDistance> hits, Running& one) const;
  void offer(std::span<const SlotDistance> hits, Running& one) const;
  [[nodiscard]] float least_product(const Running& one) const;
  [[nodiscard]] Neighbors finish(const Running& one) const;
  /// The unfinished searches with this strategy, or all of them if it is nullopt, with their
  /// queries.
  [[nodiscard]] std::vector<RowProbe> probes(std::optional<SearchStrategy> strategy);

  const IndexSnapshot::Parts& parts_;
  const Segment& segment_;
  const LiveIds& live_;
  const codec::Bitmap* allowed_;
  std::optional<OrdinalSelection> selection_;
  std::vector<Running> running_;
};

}  // namespace cairn::engine
