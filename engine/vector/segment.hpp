#pragma once
// Segment: one sealed hnswlib graph and the map of its slots. Never changed once made, so that any
// number of threads search it without a lock. hnswlib's exceptions stop here.

#include "engine/vector/graph_query.hpp"
#include "engine/vector/segment_image.hpp"
#include "engine/vector/segment_tables.hpp"
#include "engine/vector/slot_map.hpp"
#include "engine/vector/vector_index.hpp"
#include "engine/vector/workers.hpp"

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

class Segment;
class SegmentGraph;

/// What a new segment is made of: the graph of `base`, if there is one, with the slots that `dropped`
/// names dead, and `added`, in ascending order of entities, behind it.
struct SegmentPlan {
  const Segment* base = nullptr;
  SlotBits dropped;
  std::vector<SegmentRow> added;
};

class Segment {
 public:
  Segment();  ///< without a slot
  /// What segments of the same vectors share.
  struct Vectors {
    Measure measure;
    std::shared_ptr<const SegmentGraph> graph;  // owners: segments; null where there is no slot
    std::shared_ptr<const SlotMap> slots = std::make_shared<SlotMap>();  // owners: segments
    Partitioning partitioning;
  };
  /// Without tables, it is not finished where it wants them.
  Segment(Vectors vectors, std::optional<SegmentTables> tables);
  ~Segment();
  Segment(const Segment&) = delete;
  Segment& operator=(const Segment&) = delete;

  /// The same plan gives the same vectors in the same slots on the same levels; one worker makes the
  /// same graph of it, several make one as good.
  /// Memory while it runs: the new segment, and 40 bytes for each slot beside it.
  /// Errors: cancelled when `stop` said so, resource_limit without memory.
  [[nodiscard]] static Result<std::shared_ptr<const Segment>> build(
      const VectorIndexOptions& options, const SegmentPlan& plan, const Workers& workers);
  /// From parts that check_shape() and check_parts() let through. Not finished where their tables are
  /// missing or cannot be used.
  /// Errors: corruption, where an entity has two slots.
  [[nodiscard]] static Result<std::shared_ptr<const Segment>> restore(SegmentParts parts);
  /// The same vectors with tables. Cost: that of make_tables(). Errors: resource_limit.
  [[nodiscard]] Result<std::shared_ptr<const Segment>> finish() const;
  /// Until it is, every selected vector is to be compared.
  [[nodiscard]] bool is_finished() const noexcept { return is_finished_; }

  [[nodiscard]] const SlotMap& slots() const noexcept { return *vectors_.slots; }
  [[nodiscard]] const float* row(std::uint32_t slot) const noexcept;
  /// By rank. Empty where codes are no smaller than the vectors, or the vectors few.
  [[nodiscard]] const CodeTable& codes() const noexcept { return tables_.codes; }
  /// Empty where the vectors are few.
  [[nodiscard]] const PartitionTable& partitions() const noexcept { return tables_.partitions; }
  [[nodiscard]] const Calibration& calibration() const noexcept { return tables_.calibration; }
  /// Those nearest of the selection that a walk over the graph finds, in no order; or nothing, where
  /// more than the budget had to be asked for whether they are selected. Where records hold bytes,
  /// only those of the `ef` that may be among the nearest wanted.
  [[nodiscard]] std::optional<std::vector<SlotDistance>> search(GraphQuery query) const;
  /// `options` are those it was built with.
  [[nodiscard]] SegmentImage image(const VectorIndexOptions& options) const;
  [[nodiscard]] std::size_t memory_bytes() const noexcept;

 private:
  static Result<std::unique_ptr<SegmentGraph>> build_graph(const VectorIndexOptions& options,
                                                           const SegmentPlan& plan,
                                                           const Workers& workers);

  static Result<std::shared_ptr<const Segment>> finish(Vectors vectors);
  static Result<Partitioning> partition(const VectorIndexOptions& options, const SegmentPlan& plan,
                                        const SegmentGraph* graph, const Workers& workers);

  Vectors vectors_;
  SegmentTables tables_;
  bool is_finished_ = true;
};

}  // namespace cairn::engine
