#pragma once
// The file of a sealed segment. It is derived from the vectors in the store: if anything in it is
// wrong, it is refused and the segment is rebuilt. Header, blocks and checksums: see
// codec/snapshot_header.hpp.
//
// file     := header shape entities dead rows centre level0 levels upper means partition_of
//             [made numbers array*]
// shape    := m:u32 ef_construction:u32 entry_slot:u32 top_level:u32 is_coded:u32 0:u32
// entities := entity:u64{count}        by slot
// dead     := bits:u64{count / 64, rounded up}, or empty
// rows, centre := f32*                 empty if not coded
// level0, levels, upper, means, partition_of    see serialized_segment.hpp; without means and partition_of
//                                      the segment has no partitions until the next seal
// made     := tables_version:u32 0:u32 machine:u64     numbers := f64*     see serialized_segment.hpp
//
// Damage before `made` refuses the file. Damage from there on discards the tables, which are
// rebuilt.
//
// Older layouts: layout 1 ends before `made`. Layouts 1 and 2 have neither rows nor centre, and
// their shape ends before `is_coded`; the next seal makes codes. Up to layout 3 rows are
// interleaved with checksums and therefore always read into memory.
//
// Rows that are to be mapped are nevertheless read once when the file is opened, and compared with their checksums. So
// a file on a failing disk is refused.

#include "engine/vector/segment_rows.hpp"
#include "engine/vector/serialized_segment.hpp"
#include "engine/vector/vector_index.hpp"

#include <cairn/result.hpp>

#include <cstdint>
#include <filesystem>
#include <string>

namespace cairn::engine {

/// Binds a file to its database and index.
struct SnapshotOwner {
  std::string database_id;  ///< 32 hexadecimal digits
  std::uint32_t index_id = 0;
};

/// A segment read from a file, and the newest change that it contains.
struct SavedSegment {
  SegmentParts parts;
  std::uint64_t sequence = 0;
};

/// Writes a segment to a new file and renames it to `file`. Errors: invalid_argument (database id),
/// io_error.
[[nodiscard]] Status write_snapshot(const std::filesystem::path& file, const SnapshotOwner& owner,
                                    const SerializedSegment& image, std::uint64_t sequence);

/// Reads a file and checks everything that Segment::restore() relies on. The options decide whether
/// rows are held or mapped.
///
/// Errors: not_found; io_error; corruption (damaged, another owner, other options); resource_limit.
/// Memory: at most the length of the file, whatever its header says.
[[nodiscard]] Result<SavedSegment> read_snapshot(const std::filesystem::path& file,
                                                 const SnapshotOwner& owner,
                                                 const VectorIndexOptions& options);

/// Maps the rows of a file that was written from `image`. Returns an empty map if the file holds
/// another segment by now. Checksums are not compared. Errors: like read_snapshot().
[[nodiscard]] Result<FileMap> map_snapshot_rows(const std::filesystem::path& file,
                                                const SnapshotOwner& owner,
                                                const SerializedSegment& image,
                                                std::uint64_t sequence);

}  // namespace cairn::engine
