#pragma once
// A segment as plain memory: what is saved, and what is checked before hnswlib sees it.
//
// level0 := record{count}
// record := links:u32 slot:u32{2m} vector 0* label:u64            label = own slot
// vector := component:f32{dimension}                               records of 8 bytes each, or
//         | element                              where the segment is coded: see sq8_codes.hpp; of 64
// rows   := (component:f32{dimension}){count}    where it is coded, with a centre:f32{dimension}
// levels := u8{count}
// upper  := for each slot in order, for each level 1..levels[slot]: links:u32 slot:u32{m}
//
// means, partition_of: see partitioning.hpp; both or neither
//
// Numbers are little-endian, as hnswlib keeps them in memory; unused links are zero. The zeros align
// the label, which hnswlib writes through a typed pointer, and coded records to lines of memory.

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

// SegmentTables: what a search of one segment looks at before the vectors. Made of the vectors, or
// taken from a file, which is a matter of time only: both answer alike.

struct SegmentTables {
  Sq4Codes codes;       ///< by rank
  IvfIndex partitions;  ///< empty where there is no partitioning
  CostModel cost_model;

  /// What a file holds, in its order: visit(std::vector<T>&).
  template <class Self, class Visit>
  static void visit_arrays(Self& self, Visit&& visit) {
    Sq4Codes::visit_arrays(self.codes, visit);
    IvfIndex::visit_arrays(self.partitions, visit);
    Sq4Codes::visit_signs(self.codes, visit);
  }
  /// The numbers beside them: visit(float&), visit(double&).
  template <class Self, class Visit>
  static void visit_numbers(Self& self, Visit&& visit) {
    IvfIndex::visit_numbers(self.partitions, visit);
    engine::visit_numbers(self.cost_model, visit);
  }
};

/// The vectors that tables are made of.
struct TableInput {
  const DistanceMetric& measure;
  const InternalIds& slots;
  const Partitioning& partitioning;                          ///< may be empty
  const std::function<const float*(std::uint32_t)>& row_of;  ///< by rank
  /// The same as in CostModelInput.
  std::function<std::vector<std::uint32_t>(std::uint32_t slot, std::size_t ef, GraphSearcher)> walk;
  bool has_own_walk = false;
};

/// Whether there are to be tables: codes are no smaller than short vectors, and few vectors are
/// compared one and all.
[[nodiscard]] bool wants_tables(std::uint32_t dimension, std::size_t vectors) noexcept;

/// Cost: for 340,000 vectors of 100 components about a second.
[[nodiscard]] SegmentTables make_tables(const TableInput& input);

/// To be called when a file filled `tables`: false where they are not to be used.
[[nodiscard]] bool settle(SegmentTables& tables, const DistanceMetric& measure,
                          const InternalIds& slots, const Partitioning& partitioning);

/// Tables of another version, or of a machine with another instruction set, are rebuilt.
/// The version is raised whenever the same vectors would give different tables.
inline constexpr std::uint32_t tables_version = 7;
[[nodiscard]] std::uint64_t this_machine() noexcept;

class HalfRows;
class SegmentRows;

/// hnswlib keeps slots as int in places.
inline constexpr std::uint32_t max_slots = 0x7FFFFFFF;
/// Links a slot and level, twice as many on level 0. Below 2 hnswlib divides by log(1).
inline constexpr std::uint32_t min_m = 2;
inline constexpr std::uint32_t max_m = 512;
/// Far above what is drawn: with m = 2, each level has half the slots of the one below.
inline constexpr std::uint32_t max_level = 64;

/// The numbers that sizes and places follow from.
struct SegmentShape {
  codec::Metric metric = codec::Metric::cosine;
  std::uint32_t dimension = 0;
  std::uint32_t m = 0;
  std::uint32_t ef_construction = 0;
  std::uint32_t count = 0;
  std::uint32_t entry_slot = 0;  ///< where walks begin
  std::uint32_t top_level = 0;   ///< of the entry slot
  bool is_coded = false;         ///< records hold bytes, and rows lie beside them

  /// The size of one list above level 0.
  [[nodiscard]] std::size_t link_bytes() const noexcept { return 4 + 4 * std::size_t{m}; }
  /// The vector's place within a record.
  [[nodiscard]] std::size_t vector_offset() const noexcept { return 4 + 8 * std::size_t{m}; }
  [[nodiscard]] std::size_t record_bytes() const noexcept;
  [[nodiscard]] std::size_t label_offset() const noexcept { return record_bytes() - 8; }

  friend bool operator==(const SegmentShape&, const SegmentShape&) = default;
};

/// A view of a segment for saving; valid as long as the segment.
struct SerializedSegment {
  SegmentShape shape;
  std::span<const std::uint64_t> entities;
  std::span<const std::uint64_t> dead;
  std::span<const char> level0;
  std::span<const float> centre;  ///< empty where it is not coded, as `rows`
  std::span<const float> rows;
  std::vector<std::uint8_t> levels;
  std::vector<char> upper;
  std::span<const float> means;
  std::span<const std::uint32_t> partition_of;
  const SegmentTables* tables = nullptr;  ///< null: none
};

/// The parts of a segment as read from a file: sizes fit the shape, contents are not to be trusted.
struct SegmentParts {
  SegmentShape shape;
  std::vector<std::uint64_t> entities;
  SlotBits dead;
  Memory level0;              ///< count records
  std::vector<float> centre;  ///< empty where it is not coded
  /// count * dimension floats; null where it is not coded. Checked already where they are mapped.
  std::shared_ptr<const SegmentRows> rows;  // owners: these parts, then segments
  std::shared_ptr<const HalfRows> halves;   // the same; may be null
  std::vector<std::uint8_t> levels;
  std::vector<char> upper;
  Partitioning partitioning;
  std::optional<SegmentTables> tables;  ///< filled, not settled
};

/// Whether this is a vector as it is stored. Errors: corruption, naming the slot.
[[nodiscard]] Status check_row(std::span<const float> row, codec::Metric metric,
                               std::uint32_t slot);
/// Whether every number lies within its limits. Errors: corruption.
[[nodiscard]] Status check_shape(const SegmentShape& shape);
/// Whether hnswlib can walk these parts without leaving them, and every vector is one that we
/// could have stored. `parts.shape` was checked. Errors: corruption, naming slot and fault.
[[nodiscard]] Status check_parts(const SegmentParts& parts);

}  // namespace cairn::engine
