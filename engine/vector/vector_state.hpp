#pragma once
// IndexSnapshot: the VectorState of one sealed segment and a delta over it.

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

/// Threads: any number at once.
class IndexSnapshot final : public VectorState {
 public:
  /// What the writer fills in. All versions and sequences rise from state to state.
  struct Parts {
    DistanceMetric measure;
    std::uint32_t m = 16;
    std::shared_ptr<const Segment> segment;          // owners: states and builds
    std::shared_ptr<const IdTombstones> tombstones;  // owners: states and the index
    std::size_t hidden = 0;                          ///< slots of the segment that are hidden
    DeltaView delta;
    std::uint64_t version = 0;           ///< of delta and tombstones
    std::uint64_t sequence = 0;          ///< newest change applied
    std::uint64_t segment_sequence = 0;  ///< newest change in the segment
    std::uint64_t epoch = 0;             ///< how many segments the index had before
    std::size_t changes = 0;             ///< applied in this epoch
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
  /// Those of `all` that `which` names; each puts its hits to its place in `found`.
  void run(std::span<const VectorSearch> all, std::span<const std::size_t> which,
           std::vector<Neighbors>& found) const;

  Parts parts_;
  LiveIds live_ids_;
};

// BatchSearcher: searches of one state under one allow-list, any number at once. The allow-list is looked
// at once, and what is scanned is read from memory once; each search goes its own way and finds what
// it would find alone.

class BatchSearcher {
 public:
  /// All of it outlives the search; a null `allowed` allows all.
  BatchSearcher(const IndexSnapshot::Parts& parts, const LiveIds& live,
                const codec::Bitmap* allowed);

  /// `search` was checked; its k is what it brings, before hits are cut.
  void add(const VectorSearch& search);
  /// One for each that was added. Once.
  [[nodiscard]] std::vector<Neighbors> run();

 private:
  /// A search on its way.
  struct Running {
    Running(const VectorSearch& search, const DistanceMetric& measure, std::size_t size);

    VectorSearch asked;
    std::vector<float> query;  // as it is stored
    std::size_t k = 0;
    TopKHeap top;
    SearchPlan plan;
    bool is_coded = false;  // there are codes, and they tell something of this query
    std::optional<CodedQuery> coded;
    std::optional<IvfIndex::ProbePlan> probe_plan;
    std::optional<Neighbors> found;  // as soon as it is there, while its vectors are in the cache
  };

  void scan_delta(std::span<const RowProbe> probes) const;
  void choose_way(Running& one) const;
  [[nodiscard]] const CodedQuery& coded(Running& one) const;
  void walk_or_read(Running& one) const;
  [[nodiscard]] bool walk_graph(Running& one) const;
  [[nodiscard]] bool read_partitions(Running& one) const;
  void scan_flat(Running& one) const;
  void scan_exactly(std::span<const RowProbe> probes) const;
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
  /// Those that go this way and have something to find, with their queries.
  [[nodiscard]] std::vector<RowProbe> probes(std::optional<SearchStrategy> strategy);

  const IndexSnapshot::Parts& parts_;
  const Segment& segment_;
  const LiveIds& live_;
  const codec::Bitmap* allowed_;
  std::optional<OrdinalSelection> selection_;
  std::vector<Running> running_;
};

}  // namespace cairn::engine
