#pragma once
// BatchSearcher: searches of one state under one allow-list, any number at once. The allow-list is looked
// at once, and what is scanned is read from memory once; each search goes its own way and finds what
// it would find alone.

#include "engine/vector/coded_scan.hpp"
#include "engine/vector/ordinal_selection.hpp"
#include "engine/vector/search_plan.hpp"
#include "engine/vector/top_k_heap.hpp"
#include "engine/vector/vector_state.hpp"

#include <optional>
#include <span>
#include <vector>

namespace cairn::engine {

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
