#pragma once
// Segment: one sealed HNSW graph with the entities, partitions and codes of its vectors. Immutable
// once made, so that any number of threads search it without a lock. Exceptions of hnswlib do not
// pass beyond it.

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

/// A vector to put into a segment, in the form that store_components() writes.
struct SegmentRow {
  std::uint64_t entity = 0;
  const float* row = nullptr;
};

class ExactCodes;
class Segment;
class SegmentGraph;

/// The contents of a new segment. First come the slots of `base`, if it is not null; those in
/// `dropped` become dead. The vectors of `added` follow, in ascending order of entities.
struct SegmentPlan {
  const Segment* base = nullptr;
  SlotBits dropped;
  std::vector<SegmentRow> added;
};

class Segment {
 public:
  Segment();  ///< no slots
  /// The parts that segments of the same vectors share.
  struct Vectors {
    DistanceMetric measure;
    // Owners of all pointers: segments.
    std::shared_ptr<const SegmentGraph> graph;  ///< null without slots
    std::shared_ptr<const SegmentRows> rows;    ///< null if the graph's records hold the vectors
    std::shared_ptr<const HalfRows> halves;     ///< null unless the storage is float16
    std::shared_ptr<const InternalIds> slots = std::make_shared<InternalIds>();
    std::shared_ptr<const Partitioning> partitioning = std::make_shared<Partitioning>();
    /// The graph's 8-bit codes decide which candidates are compared in full.
    bool is_prefiltered_by_bytes = false;
  };
  using Tables = std::shared_ptr<const SegmentTables>;  // owners: segments
  /// Makes a segment. If `tables` is null although the vectors want tables, the segment is not
  /// finished.
  Segment(Vectors vectors, Tables tables);
  ~Segment();
  Segment(const Segment&) = delete;
  Segment& operator=(const Segment&) = delete;

  /// Builds a segment. The same plan always puts the same vectors into the same slots and levels.
  /// With one thread the graph is the same too; with several it is of equal quality.
  ///
  /// Memory meanwhile: the new segment, and 40 bytes for each slot. Errors: cancelled if
  /// `workers.stop` returned true; resource_limit if memory runs out.
  [[nodiscard]] static Result<std::shared_ptr<const Segment>> build(
      const VectorIndexOptions& options, const SegmentPlan& plan, const BuildThreads& workers);
  /// Makes a segment from parts of a file that passed check_shape() and check_parts(). It is not
  /// finished if its tables are missing or cannot be used. Errors: corruption if an entity has two
  /// live slots; resource_limit.
  [[nodiscard]] static Result<std::shared_ptr<const Segment>> restore(
      SegmentParts parts, codec::VectorStorage storage = codec::VectorStorage::float32);
  /// Returns a segment of the same vectors with tables. Cost: like make_tables(). Errors:
  /// resource_limit.
  [[nodiscard]] Result<std::shared_ptr<const Segment>> finish() const;
  /// Returns the same segment with its vectors read from `rows`, which must hold the same vectors.
  [[nodiscard]] std::shared_ptr<const Segment> with_rows(
      std::shared_ptr<const SegmentRows> rows) const;
  /// False if tables are wanted and missing: then a search must compare every selected vector.
  [[nodiscard]] bool is_finished() const noexcept { return is_finished_; }

  [[nodiscard]] const InternalIds& slots() const noexcept { return *vectors_.slots; }
  /// The full vector of a slot.
  [[nodiscard]] const float* row(std::uint32_t slot) const noexcept { return row_places_[slot]; }
  /// The array of full vectors, or nullptr if the graph's records hold them.
  [[nodiscard]] const SegmentRows* rows() const noexcept { return vectors_.rows.get(); }
  /// 4-bit and 1-bit codes by rank. Empty if there are few vectors or few components.
  [[nodiscard]] const Sq4Codes& codes() const noexcept { return tables_->codes; }
  /// The IVF index. Empty if there are few vectors or few components.
  [[nodiscard]] const IvfIndex& partitions() const noexcept { return tables_->partitions; }
  [[nodiscard]] const CostModel& cost_model() const noexcept { return tables_->cost_model; }
  /// Searches the graph and returns selected slots near the query, in no particular order, with
  /// distances of full vectors; see SegmentGraph::search(). Returns nullopt if the search was
  /// abandoned, for instance because it exceeded its budget: then a scan has to follow.
  [[nodiscard]] std::optional<std::vector<SlotDistance>> search(BeamQuery query) const;
  /// A view for saving. `options` must equal the options of the build.
  [[nodiscard]] SerializedSegment image(const VectorIndexOptions& options) const;
  /// Prefilters `slots` by float16 copies or 8-bit codes. Returns those that may be among the
  /// `query.wanted` nearest, with distances of full vectors; nullopt without a prefilter.
  [[nodiscard]] std::optional<std::vector<SlotDistance>> sift(
      const BeamQuery& query, std::span<const std::uint32_t> slots) const;
  /// Lower bounds of distances for an exact scan that compares `comparisons` vectors. Null if the
  /// graph holds no 8-bit codes, if they are larger than half a vector, if so few vectors were
  /// compared so far that making the bounds does not pay, if the scan compares less than a sixteenth
  /// of the vectors, while another thread makes the bounds, or if there is no memory for them
  /// (ExactCodesOnDemand).
  [[nodiscard]] const ExactCodes* exact_codes(std::size_t comparisons) const;
  /// True if sift() has a prefilter.
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
  RowPlaces row_places_;  // where row() finds the vectors
  Tables tables_;         // never null
  bool is_finished_ = true;
};

}  // namespace cairn::engine
