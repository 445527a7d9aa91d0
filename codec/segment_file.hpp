#pragma once
// Files of segments, which hold one property or one direction of relationships (engine/segment), and
// what the store knows of them: a list of the files, and the ids that commits changed since.
//
// file    := header body
// header  := "CairnCol" layout:u32=2 source:u8 0{3} property:u32 0:u32 database_id:hex{32} commit:u64
//            body_bytes:u64 body_checksum:u64 checksum:u64     88 bytes; the checksum covers the header
// list    := layout:u8=1 next:varint files:varint entry{files} checksum:u64
// entry   := source:u8 property:varint number:varint commit:varint ids:varint bytes:varint
//            checksum:u64                                      that of the header
// changes := runs{4}                                           by source
// runs    := runs:varint (gap:varint more:varint){runs}        a run begins `gap` ids after the end of the
//                                                              previous run, and has 1 + `more` ids
//
// Entries of family `vector_log`, under a space number that no space has:
//   ffffffff 0:be64 -> list, ffffffff commit:be64 -> changes

#include <cairn/result.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::codec {

class ByteCursor;

/// What a segment is made of.
enum class SegmentSource : std::uint8_t {
  nodes = 1,          ///< a property of the nodes
  relationships = 2,  ///< a property of the relationships
  outgoing = 3,       ///< the relationships by the node where they begin
  incoming = 4,       ///< the relationships by the node where they end
};
inline constexpr std::size_t segment_sources = 4;
/// The place of a source in arrays.
[[nodiscard]] constexpr std::size_t position(SegmentSource source) noexcept {
  return static_cast<std::size_t>(source) - 1;
}

inline constexpr std::size_t segment_header_bytes = 88;

/// The header of a segment file.
struct SegmentHeader {
  std::string database_id;
  SegmentSource source = SegmentSource::nodes;
  std::uint32_t property = 0;  ///< number of its key; 0 for relationships
  std::uint64_t commit = 0;    ///< the file knows which ids changed up to this commit
  std::uint64_t body_bytes = 0;
  std::uint64_t body_checksum = 0;
  friend bool operator==(const SegmentHeader&, const SegmentHeader&) = default;
};

[[nodiscard]] std::string encode(const SegmentHeader& header);
/// `file_bytes` is the size of the whole file, which the body must fill. Errors: corruption.
[[nodiscard]] Result<SegmentHeader> decode_segment_header(std::string_view bytes,
                                                          std::uint64_t file_bytes);
/// Returns the checksum at the end of an encoded header.
[[nodiscard]] std::uint64_t segment_header_checksum(std::string_view header) noexcept;

/// A file as the store lists it. A file with another checksum is not this file.
struct SegmentFileEntry {
  SegmentSource source = SegmentSource::nodes;
  std::uint32_t property = 0;
  std::uint64_t number = 0;  ///< in the name of the file
  std::uint64_t commit = 0;
  std::uint64_t ids = 0;    ///< ids that have content in the segment
  std::uint64_t bytes = 0;  ///< of the whole file
  std::uint64_t checksum = 0;
  friend bool operator==(const SegmentFileEntry&, const SegmentFileEntry&) = default;
};

/// All files of a database.
struct SegmentFileList {
  std::uint64_t next = 1;  ///< no file has had this number or a greater one
  std::vector<SegmentFileEntry> files;
  friend bool operator==(const SegmentFileList&, const SegmentFileList&) = default;
};

[[nodiscard]] std::string encode(const SegmentFileList& list);
/// Errors: corruption.
[[nodiscard]] Result<SegmentFileList> decode_segment_file_list(std::string_view bytes);

/// The space number of the entries in family `vector_log` that are about segments. The list is at commit 0, which changed
/// nothing.
inline constexpr std::uint32_t segment_log_space = 0xffff'ffff;

/// The ids that a commit changed, each list in strictly ascending order.
struct SegmentChanges {
  std::array<std::vector<std::uint64_t>, segment_sources> ids;  ///< by position(source)
  friend bool operator==(const SegmentChanges&, const SegmentChanges&) = default;
};
[[nodiscard]] std::string encode(const SegmentChanges& changes);
/// Errors: corruption.
[[nodiscard]] Result<SegmentChanges> decode_segment_changes(std::string_view bytes);

/// Appends strictly ascending ids as runs.
void append_runs(std::string& out, std::span<const std::uint64_t> ids);
/// Appends the ids to `out`. The cursor fails at damage, and at more than `most` ids.
void read_runs(ByteCursor& cursor, std::size_t most, std::vector<std::uint64_t>& out);

}  // namespace cairn::codec
