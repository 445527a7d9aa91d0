#pragma once
// SegmentGraph: the hnswlib graph of one segment and its vectors. Only this header and its .cpp
// include hnswlib. Exceptions of hnswlib pass through; Segment turns them into errors.

#include "engine/vector/beam_search.hpp"
#include "engine/vector/exact_codes.hpp"
#include "engine/vector/segment_rows.hpp"
#include "engine/vector/serialized_segment.hpp"
#include "engine/vector/sq8_codes.hpp"
#include "engine/vector/vector_index.hpp"

#include <hnswlib/hnswlib.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace cairn::engine {

/// A graph that is filled by one build and then sealed. After seal() it is immutable, and any
/// number of threads search it.
///
/// The graph's records hold either the float vectors or, if the constructor gets `codes`, their
/// 8-bit codes. With codes, the vectors are held in a separate array, which seal() hands to the
/// segment.
class SegmentGraph {
 public:
  /// Makes an empty graph with memory for `capacity` slots. Errors: throws std::bad_alloc.
  SegmentGraph(const VectorIndexOptions& options, std::size_t capacity,
               std::optional<Sq8Codes> codes);
  /// Takes over the parts of a file, which were checked (check_parts()). `parts.rows` is left to
  /// the segment.
  explicit SegmentGraph(SegmentParts& parts);
  SegmentGraph(const SegmentGraph&) = delete;
  SegmentGraph& operator=(const SegmentGraph&) = delete;
  ~SegmentGraph();

  /// Copies all slots of `base` into this graph, which is empty and has room for more. `rows` are
  /// the vectors of `base`. If `base` has no codes or codes with another centre, all codes are
  /// computed from `rows`.
  void copy_from(const SegmentGraph& base, const RowPlaces& rows);
  /// Appends empty slots up to the capacity and draws the level of each; add() fills them.
  void open_slots();
  /// Puts the vector `row` into an empty slot and links it. Threads: any number at once, for
  /// different slots.
  void add(const float* row, std::uint32_t slot);
  /// Ends the build: nothing is added after it. Returns the array of float vectors that codes need,
  /// or null without codes.
  [[nodiscard]] Memory seal();

  [[nodiscard]] std::size_t slots() const { return hnsw_.cur_element_count; }
  /// The places of the float vectors within the records. Only for a graph without codes.
  [[nodiscard]] RowPlaces record_rows() const noexcept {
    return {hnsw_.data_level0_memory_ + hnsw_.offsetData_, hnsw_.size_data_per_element_};
  }
  [[nodiscard]] const std::optional<Sq8Codes>& codes() const noexcept { return codes_; }
  /// Returns selected slots near the query, in no particular order, with distances of the full
  /// vectors `rows`. With codes, it returns the nearest `query.wanted` candidates, and the others
  /// that may be among the nearest by the error bound of the codes.
  ///
  /// Returns nullopt if the budget was exceeded, if the codes cannot represent the query, or if a
  /// search with codes found fewer selected slots than it should. Errors: throws what hnswlib
  /// throws.
  [[nodiscard]] std::optional<std::vector<SlotDistance>> search(const BeamQuery& query,
                                                                const RowPlaces& rows) const;
  /// Of `slots`, returns those that may be among the `query.wanted` nearest by the error bound of
  /// the codes, with distances of the full vectors, in the order of `slots`. Returns nullopt
  /// without codes, or if they cannot represent the query.
  [[nodiscard]] std::optional<std::vector<SlotDistance>> nearest(
      const BeamQuery& query, const RowPlaces& rows, std::span<const std::uint32_t> slots) const;
  /// Lower bounds of distances by the codes, with `rows` as the full vectors; see
  /// Segment::exact_codes().
  [[nodiscard]] const ExactCodes* exact_codes(const RowPlaces& rows, std::size_t comparisons) const;
  [[nodiscard]] std::size_t exact_codes_bytes() const noexcept { return exact_.memory_bytes(); }
  /// Fills the graph's part of a serialized segment. The spans of `image` refer to this graph's
  /// memory.
  void show(SerializedSegment& image) const;
  [[nodiscard]] std::size_t memory_bytes() const;

 private:
  using Hnsw = hnswlib::HierarchicalNSW<float>;
  class Space;
  class SelectionFilter;

  // The .cpp describes these, except walk(): our own search of level 0, see walk_level0().
  void adopt_level0(Memory level0);
  [[nodiscard]] std::size_t upper_bytes(std::uint32_t slot) const {
    return static_cast<std::size_t>(hnsw_.element_levels_[slot]) * hnsw_.size_links_per_element_;
  }
  void take_upper(std::uint32_t slot, int level, const char* links);
  void write_vector(const float* row, std::uint32_t slot);
  void write_record(const float* row, std::uint32_t slot);
  [[nodiscard]] hnswlib::tableint descend(const char* point, hnswlib::tableint from, int level,
                                          int to_level);
  [[nodiscard]] std::optional<std::vector<SlotDistance>> walk(const BeamQuery& query,
                                                              const char* point) const;
  [[nodiscard]] std::optional<std::vector<SlotDistance>> walk_by_hnswlib(const BeamQuery& query,
                                                                         const void* point) const;
  [[nodiscard]] SlotDistance find_entry(const BeamQuery& query, const char* point) const;
  void settle(const BeamQuery& query, const RowPlaces& rows, const char* point,
              std::vector<SlotDistance>& found) const;
  void compare(const BeamQuery& query, const RowPlaces& rows, std::span<SlotDistance> found) const;

  DistanceMetric measure_;
  std::optional<Sq8Codes> codes_;
  std::unique_ptr<Space> space_;
  Hnsw hnsw_;
  Memory rows_;  // the vectors of a graph with codes until seal(); null otherwise
  mutable ExactCodesOnDemand exact_;
};

}  // namespace cairn::engine
