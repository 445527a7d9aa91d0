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
#include "engine/vector/huge_memory.hpp"
#include "engine/vector/internal_ids.hpp"
#include "engine/vector/partitioning.hpp"
#include "engine/vector/segment_tables.hpp"

#include <cairn/result.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace cairn::engine {

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

  /// Of one list above level 0.
  [[nodiscard]] std::size_t link_bytes() const noexcept { return 4 + 4 * std::size_t{m}; }
  /// Within a record.
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
