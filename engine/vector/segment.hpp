#pragma once
// Segment: one sealed hnswlib graph and the map of its slots. Never changed once made, so that any
// number of threads search it without a lock. The only place that knows hnswlib: its exceptions and
// its types stop here.

#include "engine/vector/calibration.hpp"
#include "engine/vector/partition_table.hpp"
#include "engine/vector/segment_image.hpp"
#include "engine/vector/slot_map.hpp"
#include "engine/vector/slot_selection.hpp"
#include "engine/vector/vector_index.hpp"

#include <cairn/result.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace cairn::engine {

/// A vector to put into a segment, as store_components() wrote it.
struct SegmentRow {
  std::uint64_t entity = 0;
  const float* row = nullptr;
};

struct SlotDistance {
  std::uint32_t slot = 0;
  float distance = 0;
};

class Segment;

/// What a new segment is made of: the graph of `base`, if there is one, with the slots that `dropped`
/// names dead, and `added`, in ascending order of entities, behind it.
struct SegmentPlan {
  const Segment* base = nullptr;
  SlotBits dropped;
  std::vector<SegmentRow> added;
};

class Segment {
  class Graph;

 public:
  Segment();  ///< without a slot
  /// Makes the codes and calibrates.
  Segment(const Measure& measure, std::unique_ptr<const Graph> graph, SlotMap slots,
          Partitioning partitioning);
  ~Segment();
  Segment(const Segment&) = delete;
  Segment& operator=(const Segment&) = delete;

  /// The same plan gives the same segment. One thread, since hnswlib draws its levels in one.
  /// Memory while it runs: the new segment, and 100 bytes for each slot beside it.
  /// Errors: cancelled when `stop` said so, resource_limit without memory.
  [[nodiscard]] static Result<std::shared_ptr<const Segment>> build(
      const VectorIndexOptions& options, const SegmentPlan& plan,
      const std::function<bool()>& stop);
  /// From parts that check_shape() and check_parts() let through.
  /// Errors: corruption, where an entity has two slots.
  [[nodiscard]] static Result<std::shared_ptr<const Segment>> restore(SegmentParts parts);

  [[nodiscard]] const SlotMap& slots() const noexcept { return slots_; }
  [[nodiscard]] const float* row(std::uint32_t slot) const noexcept;
  /// By rank. Empty where codes are no smaller than the vectors, or the vectors few.
  [[nodiscard]] const CodeTable& codes() const noexcept { return codes_; }
  /// Empty where the vectors are few, or the segment came from a file without them.
  [[nodiscard]] const PartitionTable& partitions() const noexcept { return partitions_; }
  [[nodiscard]] const Calibration& calibration() const noexcept { return calibration_; }
  /// The `ef` nearest of `selection` that a walk over the graph finds, in no order; or nothing, where
  /// more than `budget` candidates had to be asked for whether they are selected.
  [[nodiscard]] std::optional<std::vector<SlotDistance>> search(const float* query, std::size_t ef,
                                                                const SlotSelection& selection,
                                                                std::size_t budget) const;
  /// `options` are those it was built with.
  [[nodiscard]] SegmentImage image(const VectorIndexOptions& options) const;
  [[nodiscard]] std::size_t memory_bytes() const noexcept;

 private:
  static Result<std::unique_ptr<Graph>> build_graph(const VectorIndexOptions& options,
                                                    const SegmentPlan& plan,
                                                    const std::function<bool()>& stop);

  static Result<std::shared_ptr<const Segment>> make_segment(const Measure& measure,
                                                             std::unique_ptr<const Graph> graph,
                                                             SlotMap slots,
                                                             Partitioning partitioning);
  static Result<Partitioning> partition(const VectorIndexOptions& options, const SegmentPlan& plan,
                                        const Graph* graph, const std::function<bool()>& stop);
  void encode(const Measure& measure);

  std::unique_ptr<const Graph> graph_;  // null where there is no slot
  SlotMap slots_;
  Partitioning partitioning_;
  CodeTable codes_;
  PartitionTable partitions_;
  Calibration calibration_;
};

}  // namespace cairn::engine
