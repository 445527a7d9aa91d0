#pragma once
// The header of a vector segment's snapshot file, and the checksums of its blocks. All sizes are
// known before the first section is written, so a file is written and read sequentially.
//
// file    := header section*
// header  := "CairnSeg" layout:u32=4 index:u32 database_id:hex{32} metric:u8 0{3} dimension:u32
//            block_bytes:u32 0:u32 count:u64 sequence:u64 commit:u64 (section_bytes:u64){32}
//            checksum:u64                              352 bytes, little-endian, unused sections 0
//
// section := block* (checksum:u64)*                    blocks of block_bytes, the last one shorter; one
//                                                      checksum per block, after all blocks of the section
//
// Layouts 1 to 3 can still be read: section := (block checksum:u64)*. In layouts 1 and 2 the header
// has 8 and 24 sections, and 160 and 288 bytes.
//
// The checksum of a block is seeded with the header's checksum and the block's number in the file.
// So a block in the wrong place, or of another file, does not match.

#include "codec/catalog_entry.hpp"

#include <cairn/result.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace cairn::codec {

inline constexpr std::uint32_t snapshot_layout = 4;
/// The first layout whose blocks are contiguous, with the checksums after them.
inline constexpr std::uint32_t first_whole_snapshot_layout = 4;
inline constexpr std::size_t snapshot_header_bytes = 352;
inline constexpr std::size_t old_snapshot_header_bytes = 160;  ///< of layout 1, the shortest one
inline constexpr std::size_t max_snapshot_sections = 32;
inline constexpr std::uint32_t default_snapshot_block_bytes = 1 << 20;

struct SnapshotHeader {
  std::uint32_t layout = snapshot_layout;
  std::string database_id;
  std::uint32_t index = 0;  ///< catalog id
  Metric metric = Metric::cosine;
  std::uint32_t dimension = 0;
  std::uint32_t block_bytes = default_snapshot_block_bytes;
  std::uint64_t count = 0;     ///< vectors in the segment
  std::uint64_t sequence = 0;  ///< number of the newest change in it
  std::uint64_t commit = 0;    ///< number of the newest commit in it
  std::array<std::uint64_t, max_snapshot_sections> section_bytes = {};  ///< without checksums
  friend bool operator==(const SnapshotHeader&, const SnapshotHeader&) = default;
};

/// Encodes a header in its own layout. Sections beyond that layout's number must be empty.
[[nodiscard]] std::string encode(const SnapshotHeader& header);
/// Returns the length of the header that begins with these bytes. `first` must have
/// old_snapshot_header_bytes. The result is right if decode_snapshot_header() accepts the header.
[[nodiscard]] std::size_t snapshot_header_size(std::string_view first) noexcept;
/// `file_bytes` is the size of the whole file, which the sections must fill exactly. So a length in
/// a decoded header never exceeds the file. Errors: corruption.
[[nodiscard]] Result<SnapshotHeader> decode_snapshot_header(std::string_view bytes,
                                                            std::uint64_t file_bytes);

/// Returns the size of the whole file, checksums included.
[[nodiscard]] std::uint64_t snapshot_file_bytes(const SnapshotHeader& header) noexcept;

/// Returns the checksum of block `number`, counted from 0 through all sections. `header` is the
/// encoded header.
[[nodiscard]] std::uint64_t snapshot_block_checksum(std::string_view header, std::uint64_t number,
                                                    std::string_view block) noexcept;

}  // namespace cairn::codec
