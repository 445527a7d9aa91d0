// The header of a vector segment's file. The file holds derived data, so it is refused at any
// doubt: damaged data must not reach hnswlib. Every size that determines memory comes from this
// header. Before any section is read, sizes are limited and must add up to the file's size.
// layout 1     8 sections    160 bytes
// layout 2    24 sections    288 bytes
// layout 3, 4 32 sections    352 bytes     = 88 + 8 * sections + 8
//
// Checksums: the header's covers the header itself. A block's is seeded with the header's checksum
// and the block's number, so a block of another file, or in the wrong place, does not match.
#include "codec/snapshot_header.hpp"

#include "codec/byte_io.hpp"
#include "codec/checksum.hpp"
#include "codec/meta.hpp"

#include <algorithm>
#include <cassert>
#include <limits>

namespace cairn::codec {
namespace {

constexpr std::string_view magic = "CairnSeg";
constexpr std::size_t checksum_bytes = sizeof(std::uint64_t);
// Limits sections, so that their sum cannot overflow: 32 sections of 2^48 one-byte blocks, with
// eight bytes of checksum each, stay below 2^58.
constexpr std::uint64_t max_section_bytes = std::uint64_t{1} << 48;

Error malformed(const char* what) {
  return corruption(std::string("the header of a vector segment is damaged: ") + what);
}

// Precondition: `block_bytes` is above zero. encode() asserts that, and decoding checks it before.
std::uint64_t stored_section_bytes(std::uint64_t bytes, std::uint64_t block_bytes) noexcept {
  return bytes + (bytes + block_bytes - 1) / block_bytes * checksum_bytes;
}

std::size_t sections_of(std::uint32_t layout) noexcept {
  if (layout == 1) return 8;
  return layout == 2 ? 24 : max_snapshot_sections;
}

std::size_t header_bytes_of(std::uint32_t layout) noexcept {
  return snapshot_header_bytes - (max_snapshot_sections - sections_of(layout)) * 8;
}

/// Reads all fields except magic, layout and checksum; returns false if they are not plausible. The
/// checksum is checked before the result is used, so plain damage is reported as a wrong checksum.
bool read_fields(ByteCursor& cursor, SnapshotHeader& header) {
  header.index = cursor.read_little<std::uint32_t>();
  header.database_id = cursor.read_bytes(database_id_bytes);
  // Read as 32 bits, together with three zero bytes, so that stray bytes there are noticed.
  const auto metric = cursor.read_little<std::uint32_t>();  // with three zero bytes
  header.metric = static_cast<Metric>(metric);
  header.dimension = cursor.read_little<std::uint32_t>();
  header.block_bytes = cursor.read_little<std::uint32_t>();
  const auto gap = cursor.read_little<std::uint32_t>();
  header.count = cursor.read_little<std::uint64_t>();
  header.sequence = cursor.read_little<std::uint64_t>();
  header.commit = cursor.read_little<std::uint64_t>();
  bool is_sound = gap == 0 && header.block_bytes > 0 && is_database_id(header.database_id);
  for (std::size_t i = 0; i < sections_of(header.layout); ++i) {
    header.section_bytes[i] = cursor.read_little<std::uint64_t>();
    is_sound = is_sound && header.section_bytes[i] <= max_section_bytes;
  }
  return is_sound && metric >= static_cast<std::uint32_t>(Metric::cosine) &&
         metric <= static_cast<std::uint32_t>(Metric::euclidean);
}

}  // namespace

std::string encode(const SnapshotHeader& header) {
  assert(is_database_id(header.database_id) && header.block_bytes > 0);
  std::string bytes(magic);
  append_little(bytes, header.layout);
  append_little(bytes, header.index);
  bytes.append(header.database_id);
  append_little(bytes, std::uint32_t{static_cast<std::uint8_t>(header.metric)});
  append_little(bytes, header.dimension);
  append_little(bytes, header.block_bytes);
  append_little(bytes, std::uint32_t{0});
  append_little(bytes, header.count);
  append_little(bytes, header.sequence);
  append_little(bytes, header.commit);
  for (std::size_t i = 0; i < sections_of(header.layout); ++i)
    append_little(bytes, header.section_bytes[i]);
  append_little(bytes, checksum(bytes));
  assert(bytes.size() == header_bytes_of(header.layout));
  return bytes;
}

// Accepts any bytes, even too few or of another file: an unknown layout returns the current size,
// and decoding refuses it.
std::size_t snapshot_header_size(std::string_view first) noexcept {
  ByteCursor cursor(first.substr(std::min(first.size(), magic.size())));
  return header_bytes_of(cursor.read_little<std::uint32_t>());
}

Result<SnapshotHeader> decode_snapshot_header(std::string_view bytes, std::uint64_t file_bytes) {
  if (bytes.size() < old_snapshot_header_bytes || bytes.size() != snapshot_header_size(bytes))
    return malformed("its length is wrong");
  ByteCursor cursor(bytes);
  if (cursor.read_bytes(magic.size()) != magic) return malformed("its first bytes are wrong");
  SnapshotHeader header;
  header.layout = cursor.read_little<std::uint32_t>();
  if (header.layout < 1 || header.layout > snapshot_layout)
    return malformed("its layout is unknown");
  const bool is_sound = read_fields(cursor, header);
  const std::string_view checked = bytes.substr(0, bytes.size() - checksum_bytes);
  if (cursor.read_little<std::uint64_t>() != checksum(checked))
    return malformed("its checksum does not match");
  if (!is_sound) return malformed("a field is out of range");
  if (snapshot_file_bytes(header) != file_bytes)
    return malformed("its sections do not fill the file");
  return header;
}

std::uint64_t snapshot_file_bytes(const SnapshotHeader& header) noexcept {
  std::uint64_t bytes = header_bytes_of(header.layout);
  for (std::uint64_t section : header.section_bytes)
    bytes += stored_section_bytes(section, header.block_bytes);
  return bytes;
}

std::uint64_t snapshot_block_checksum(std::string_view header, std::uint64_t number,
                                      std::string_view block) noexcept {
  ByteCursor seed(header.substr(header.size() - checksum_bytes));
  return checksum(block, seed.read_little<std::uint64_t>() + number);
}

}  // namespace cairn::codec
