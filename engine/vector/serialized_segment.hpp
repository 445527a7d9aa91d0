#pragma once
// A segment as plain memory: the parts that are saved to a file, and their validation before
// hnswlib sees them.
//
// level0 := record{count}
// record := links:u32 slot:u32{2m} vector 0* label:u64   label = own slot; padded to 8 bytes, if coded to 64
// vector := component:f32{dimension}
//         | element                                      if coded, see sq8_codes.hpp
// centre := component:f32{dimension}                     only if coded
// rows   := (component:f32{dimension}){count}            only if coded
// levels := u8{count}
// upper  := for each slot in order, for each level 1..levels[slot]: links:u32 slot:u32{m}
// means, partition_of: see partitioning.hpp; both or neither
//
// Numbers are little-endian, as hnswlib stores them in memory. Unused links are zero. The zeros
// align the label, which hnswlib writes through a typed pointer, and align coded records to cache
// lines.

#include "codec/catalog_entry.hpp"
#include "engine/vector/cost_model.hpp"
#include "engine/vector/huge_memory.hpp"
#include "engine/vector/internal_ids.hpp"
#include "engine/vector/ivf_index.hpp"
#include "engine/vector/partitioning.hpp"
#include "engine/vector/sq4_codes.hpp"

#include <cairn/result.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace cairn::engine {

// The derived data that a search of a segment reads before the vectors. Computed from the vectors
// or read from a file, with the same result.

struct SegmentTables {
  Sq4Codes codes;       ///< by rank
  IvfIndex partitions;  ///< empty without a partitioning
  CostModel cost_model;

  /// Calls visit(std::vector<T>&) for each array that a file stores, in the order of the file.
  template <class Self, class Visit>
  static void visit_arrays(Self& self, Visit&& visit) {
    Sq4Codes::visit_arrays(self.codes, visit);
    IvfIndex::visit_arrays(self.partitions, visit);
    Sq4Codes::visit_signs(self.codes, visit);
  }
  /// Calls visit(float&) or visit(double&) for each number that a file stores.
  template <class Self, class Visit>
  static void visit_numbers(Self& self, Visit&& visit) {
    IvfIndex::visit_numbers(self.partitions, visit);
    engine::visit_numbers(self.cost_model, visit);
  }
};

/// The vectors of which tables are made. Members are explained at CostModelInput.
struct TableInput {
  const DistanceMetric& measure;
  const InternalIds& slots;
  const Partitioning& partitioning;                          ///< may be empty
  const std::function<const float*(std::uint32_t)>& row_of;  ///< by rank
  std::function<std::vector<std::uint32_t>(std::uint32_t slot, std::size_t ef, GraphSearcher)> walk;
  bool has_own_walk = false;
};

/// True if a segment should have tables. Codes of short vectors are no smaller than the vectors, and a small set of
/// vectors is compared completely.
[[nodiscard]] bool wants_tables(std::uint32_t dimension, std::size_t vectors) noexcept;

/// Computes the tables. Cost: about a second for 340,000 vectors of 100 components.
[[nodiscard]] SegmentTables make_tables(const TableInput& input);

/// Completes `tables` that were read from a file. Returns false if they are invalid. Then they must
/// not be used.
[[nodiscard]] bool settle(SegmentTables& tables, const DistanceMetric& measure,
                          const InternalIds& slots, const Partitioning& partitioning);

/// Version of the tables, to be raised whenever the same vectors would give different tables.
/// Tables of another version, or of a machine with other instruction sets, are rebuilt.
inline constexpr std::uint32_t tables_version = 7;
/// Identifies the instruction sets of this machine, on which rounding in the tables depends.
[[nodiscard]] std::uint64_t this_machine() noexcept;

class HalfRows;
class SegmentRows;

/// hnswlib stores slots as int in some places.
inline constexpr std::uint32_t max_slots = 0x7FFFFFFF;
/// Bounds of m, the links of a slot on each level; level 0 has twice as many. With m below 2
/// hnswlib divides by log(1) = 0.
inline constexpr std::uint32_t min_m = 2;
inline constexpr std::uint32_t max_m = 512;
/// Far above any level that is drawn: with m = 2, each level has half the slots of the one below.
inline constexpr std::uint32_t max_level = 64;

/// The numbers from which all sizes and offsets follow.
struct SegmentShape {
  codec::Metric metric = codec::Metric::cosine;
  std::uint32_t dimension = 0;
  std::uint32_t m = 0;
  std::uint32_t ef_construction = 0;
  std::uint32_t count = 0;       ///< slots
  std::uint32_t entry_slot = 0;  ///< where searches begin
  std::uint32_t top_level = 0;   ///< level of the entry slot
  bool is_coded = false;         ///< records hold 8-bit codes, and the vectors are in `rows`

  /// Size of a list of links above level 0.
  [[nodiscard]] std::size_t link_bytes() const noexcept { return 4 + 4 * std::size_t{m}; }
  /// Offset of the vector, or its code, within a record.
  [[nodiscard]] std::size_t vector_offset() const noexcept { return 4 + 8 * std::size_t{m}; }
  /// Distance between two records of level 0. The label is the last part of a record.
  [[nodiscard]] std::size_t record_bytes() const noexcept;
  [[nodiscard]] std::size_t label_offset() const noexcept { return record_bytes() - 8; }

  friend bool operator==(const SegmentShape&, const SegmentShape&) = default;
};

/// A view of a segment for saving. Valid as long as the segment.
struct SerializedSegment {
  SegmentShape shape;
  std::span<const std::uint64_t> entities;
  std::span<const std::uint64_t> dead;
  std::span<const char> level0;
  std::span<const float> centre;  ///< empty if not coded, like `rows`
  std::span<const float> rows;
  std::vector<std::uint8_t> levels;
  std::vector<char> upper;
  std::span<const float> means;
  std::span<const std::uint32_t> partition_of;
  const SegmentTables* tables = nullptr;  ///< nullptr without codes
};

/// The parts of a segment as read from a file: sizes fit the shape, but contents are unchecked.
struct SegmentParts {
  SegmentShape shape;
  std::vector<std::uint64_t> entities;
  SlotBits dead;
  Memory level0;              ///< count records
  std::vector<float> centre;  ///< empty if not coded
  /// count * dimension floats; null if not coded. Mapped rows were already checked when they were
  /// read.
  std::shared_ptr<const SegmentRows> rows;  // owners: these parts, then segments
  std::shared_ptr<const HalfRows> halves;   // owners: these parts, then segments; may be null
  std::vector<std::uint8_t> levels;
  std::vector<char> upper;
  Partitioning partitioning;
  std::optional<SegmentTables> tables;  ///< read from the file; settle() has not been called
};

/// Checks that a row is a vector in stored form. Errors: corruption, naming the slot.
[[nodiscard]] Status check_row(std::span<const float> row, codec::Metric metric,
                               std::uint32_t slot);
/// Checks that every number is within its limits. Errors: corruption.
[[nodiscard]] Status check_shape(const SegmentShape& shape);
/// Checks that a graph search cannot leave these parts, and that every vector can have been stored.
/// `parts.shape` must have passed check_shape(). Errors: corruption, naming slot and fault.
[[nodiscard]] Status check_parts(const SegmentParts& parts);

}  // namespace cairn::engine
