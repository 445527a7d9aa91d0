#pragma once
// Segment: one sealed hnswlib graph and the map of its slots. Never changed once made, so that any
// number of threads search it without a lock. hnswlib's exceptions stop here.

#include "engine/vector/beam_search.hpp"
#include "engine/vector/build_threads.hpp"
#include "engine/vector/internal_ids.hpp"
#include "engine/vector/segment_rows.hpp"
#include "engine/vector/serialized_segment.hpp"
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
    DistanceMetric measure;
    // Owners: segments.
    std::shared_ptr<const SegmentGraph> graph;  ///< null where there is no slot
    std::shared_ptr<const SegmentRows> rows;  ///< null where records of the graph hold the vectors
    std::shared_ptr<const HalfRows> halves;   ///< null where they are not wanted
    std::shared_ptr<const InternalIds> slots = std::make_shared<InternalIds>();
    std::shared_ptr<const Partitioning> partitioning = std::make_shared<Partitioning>();
    /// Bytes of the graph choose whose vectors are compared.
    bool is_prefiltered_by_bytes = false;
  };
  using Tables = std::shared_ptr<const SegmentTables>;  // owners: segments
  /// Without tables, it is not finished where it wants them.
  Segment(Vectors vectors, Tables tables);
  ~Segment();
  Segment(const Segment&) = delete;
  Segment& operator=(const Segment&) = delete;

  /// The same plan gives the same vectors in the same slots on the same levels; one worker makes the
  /// same graph of it, several make one as good.
  /// Memory while it runs: the new segment, and 40 bytes for each slot beside it.
  /// Errors: cancelled when `stop` said so, resource_limit without memory.
  [[nodiscard]] static Result<std::shared_ptr<const Segment>> build(
      const VectorIndexOptions& options, const SegmentPlan& plan, const BuildThreads& workers);
  /// From parts that check_shape() and check_parts() let through. Not finished where their tables are
  /// missing or cannot be used.
  /// Errors: corruption, where an entity has two slots.
  [[nodiscard]] static Result<std::shared_ptr<const Segment>> restore(
      SegmentParts parts, codec::VectorStorage storage = codec::VectorStorage::float32);
  /// The same vectors with tables. Cost: that of make_tables(). Errors: resource_limit.
  [[nodiscard]] Result<std::shared_ptr<const Segment>> finish() const;
  /// The same segment with its vectors read from `rows`, which hold the same.
  [[nodiscard]] std::shared_ptr<const Segment> with_rows(
      std::shared_ptr<const SegmentRows> rows) const;
  /// Until it is, every selected vector is to be compared.
  [[nodiscard]] bool is_finished() const noexcept { return is_finished_; }

  [[nodiscard]] const InternalIds& slots() const noexcept { return *vectors_.slots; }
  [[nodiscard]] const float* row(std::uint32_t slot) const noexcept { return row_places_[slot]; }
  /// Null where records of the graph hold the vectors.
  [[nodiscard]] const SegmentRows* rows() const noexcept { return vectors_.rows.get(); }
  /// By rank. Empty where codes are no smaller than the vectors, or the vectors few.
  [[nodiscard]] const Sq4Codes& codes() const noexcept { return tables_->codes; }
  /// Empty where the vectors are few.
  [[nodiscard]] const IvfIndex& partitions() const noexcept { return tables_->partitions; }
  [[nodiscard]] const CostModel& cost_model() const noexcept { return tables_->cost_model; }
  /// Those nearest of the selection that a walk over the graph finds, in no order; or nothing, where
  /// more than the budget had to be asked for whether they are selected. Where records hold bytes,
  /// only those of the `ef` that may be among the nearest wanted.
  [[nodiscard]] std::optional<std::vector<SlotDistance>> search(BeamQuery query) const;
  /// `options` are those it was built with.
  [[nodiscard]] SerializedSegment image(const VectorIndexOptions& options) const;
  /// Of `slots`, those that may be among the `query.wanted` nearest by what is looked at before the
  /// vectors, with the distances of these; nothing where nothing is.
  [[nodiscard]] std::optional<std::vector<SlotDistance>> sift(
      const BeamQuery& query, std::span<const std::uint32_t> slots) const;
  /// Whether sift() looks at something.
  [[nodiscard]] bool is_prefiltered() const noexcept {
    return vectors_.halves != nullptr || vectors_.is_prefiltered_by_bytes;
  }
  [[nodiscard]] VectorMemory memory() const noexcept;

 private:
  [[nodiscard]] static Status build_graph(const VectorIndexOptions& options,
                                          const SegmentPlan& plan, const BuildThreads& workers,
                                          Vectors& made);

  static Result<std::shared_ptr<const Segment>> finish(Vectors vectors);
  static Result<Partitioning> partition(const VectorIndexOptions& options, const SegmentPlan& plan,
                                        const Vectors& made, const BuildThreads& workers);

  Vectors vectors_;
  RowPlaces row_places_;
  Tables tables_;  // never null
  bool is_finished_ = true;
};

}  // namespace cairn::engine
