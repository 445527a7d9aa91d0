#pragma once
// SegmentGraph: hnswlib's graph of one segment, with its vectors. Only this and its source know
// hnswlib; its exceptions are for the segment to catch.

#include "engine/vector/beam_search.hpp"
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

/// Changed while it is built, then sealed: from there on any number of threads walk it. Records hold
/// the vectors, or their bytes, where these are given: then the vectors lie beside them, and are the
/// segment's as soon as it is sealed.
class SegmentGraph {
 public:
  SegmentGraph(const VectorIndexOptions& options, std::size_t capacity,
               std::optional<Sq8Codes> codes);
  /// Made from parts that were checked, except their rows.
  explicit SegmentGraph(SegmentParts& parts);
  SegmentGraph(const SegmentGraph&) = delete;
  SegmentGraph& operator=(const SegmentGraph&) = delete;
  ~SegmentGraph();

  /// Into an empty graph with room for more; `rows` are the base's. Where only this one has bytes, they
  /// are made.
  void copy_from(const SegmentGraph& base, const RowPlaces& rows);
  /// Room for all slots, those that are new on levels drawn for them; nothing is in them yet.
  void open_slots();
  /// Into a slot that is empty. Threads: any number at once.
  void add(const float* row, std::uint32_t slot);
  /// Nothing is added after this. Gives what was put beside the bytes; null if absent.
  [[nodiscard]] Memory seal();

  [[nodiscard]] std::size_t slots() const { return hnsw_.cur_element_count; }
  /// The float vectors in records, for a segment without byte codes.
  [[nodiscard]] RowPlaces record_rows() const noexcept {
    return {hnsw_.data_level0_memory_ + hnsw_.offsetData_, hnsw_.size_data_per_element_};
  }
  [[nodiscard]] const std::optional<Sq8Codes>& codes() const noexcept { return codes_; }
  /// In no order, with the distances of `rows`, which are the vectors by slot; of more than `wanted`,
  /// those whose bytes tell that they may be among them. Nothing where the budget was spent.
  /// Errors: throws what hnswlib throws.
  [[nodiscard]] std::optional<std::vector<SlotDistance>> search(const BeamQuery& query,
                                                                const RowPlaces& rows) const;
  /// Of `slots` and in their order, those whose bytes tell that they may be among the nearest wanted, as
  /// of search(); nothing where bytes tell nothing of this query.
  [[nodiscard]] std::optional<std::vector<SlotDistance>> nearest(
      const BeamQuery& query, const RowPlaces& rows, std::span<const std::uint32_t> slots) const;
  void show(SerializedSegment& image) const;
  [[nodiscard]] std::size_t memory_bytes() const;

 private:
  using Hnsw = hnswlib::HierarchicalNSW<float>;
  class Space;
  class SelectionFilter;

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
  Memory rows_;  // beside bytes, until it is sealed
};

}  // namespace cairn::engine
