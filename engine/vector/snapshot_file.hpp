#pragma once
// The file of a sealed segment. Derived from the vectors of the store: whatever is wrong with it, it
// is refused and the segment built again. Header, blocks and checksums are codec's.
//
// file     := header shape entities dead rows centre level0 levels upper means partition_of
//             [made numbers array*]    see codec/snapshot_header.hpp
// shape    := m:u32 ef_construction:u32 entry_slot:u32 top_level:u32 is_coded:u32 0:u32
// entities := entity:u64{count}        by slot
// dead     := bits:u64{count / 64, rounded up}, or nothing
// rows, centre := f32*                 nothing where it is not coded
// level0, levels, upper, means, partition_of    see serialized_segment.hpp; a file without the last two
//                                      has no partitions until the next seal
// made     := tables_version:u32 0:u32 machine:u64     numbers := f64*     see serialized_segment.hpp
//
// What is wrong in front of `made` makes the file refused; from there on, the tables are left out and
// rebuilt. A file of layout 1 ends before them; layouts 1 and 2 have neither rows nor centre, and end
// their shape before `is_coded`. What was read of them is coded at the next seal. Up to layout 3 rows are
// in pieces between checksums, and are always held in memory.
//
// Rows that are to be mapped are read once all the same when a file is opened, and compared with their
// checksums: what is wrong with the disk by then refuses the file, as anywhere else in it.

#include "engine/vector/segment_rows.hpp"
#include "engine/vector/serialized_segment.hpp"
#include "engine/vector/vector_index.hpp"

#include <cairn/result.hpp>

#include <cstdint>
#include <filesystem>
#include <string>

namespace cairn::engine {

/// What binds a file to its place.
struct SnapshotOwner {
  std::string database_id;  ///< 32 hexadecimal digits
  std::uint32_t index_id = 0;
};

struct SavedSegment {
  SegmentParts parts;
  std::uint64_t sequence = 0;
};

/// Write to a new name, sync, rename. Errors: invalid_argument (database id), io_error.
[[nodiscard]] Status write_snapshot(const std::filesystem::path& file, const SnapshotOwner& owner,
                                    const SerializedSegment& image, std::uint64_t sequence);

/// Read, and check everything that Segment::restore() relies on.
/// Errors: not_found; io_error; corruption (damaged, another owner, other options).
/// Rows are held, or mapped as the options say. Memory: no more than the file is long, whatever it says.
[[nodiscard]] Result<SavedSegment> read_snapshot(const std::filesystem::path& file,
                                                 const SnapshotOwner& owner,
                                                 const VectorIndexOptions& options);

/// Maps the rows of a file that was written from `image`; for another file the lengths differ.
/// Checksums are not compared. Errors: as of read_snapshot().
[[nodiscard]] Result<FileMap> map_snapshot_rows(const std::filesystem::path& file,
                                                const SnapshotOwner& owner,
                                                const SerializedSegment& image,
                                                std::uint64_t sequence);

}  // namespace cairn::engine
