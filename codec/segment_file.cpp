// Segment files hold derived data, so a doubtful file is refused, and readers use the records
// instead. The list in the store has the checksum of each file, so that a file from another copy of
// the database is not mistaken for it.
#include "codec/segment_file.hpp"

#include "codec/byte_io.hpp"
#include "codec/checksum.hpp"
#include "codec/meta.hpp"

#include <cassert>
#include <limits>

namespace cairn::codec {
namespace {

constexpr std::string_view magic = "CairnCol";
constexpr std::uint32_t file_layout = 2;  // 1: numbers that are not packed
constexpr std::uint8_t list_layout = 1;
constexpr std::size_t checksum_bytes = sizeof(std::uint64_t);
// The most ids of one source in a commit. After a larger commit the files are useless.
constexpr std::size_t most_changes = std::size_t{1} << 22;

Error malformed(const char* what) {
  return corruption(std::string("invalid header of a segment file: ") + what);
}

bool is_source(std::uint8_t source) noexcept { return source >= 1 && source <= segment_sources; }

/// Splits a checksum off the end. Returns false if it does not match.
bool split_checksum(std::string_view bytes, std::string_view& checked) noexcept {
  if (bytes.size() < checksum_bytes) return false;
  checked = bytes.substr(0, bytes.size() - checksum_bytes);
  return segment_header_checksum(bytes) == checksum(checked);
}

/// Reads all fields between layout and checksum. Returns false if they are not plausible.
bool read_fields(ByteCursor& cursor, SegmentHeader& header) {
  const auto source = cursor.read_little<std::uint32_t>();  // with three zero bytes
  header.property = cursor.read_little<std::uint32_t>();
  const auto gap = cursor.read_little<std::uint32_t>();
  header.database_id = cursor.read_bytes(database_id_bytes);
  header.commit = cursor.read_little<std::uint64_t>();
  header.body_bytes = cursor.read_little<std::uint64_t>();
  header.body_checksum = cursor.read_little<std::uint64_t>();
  header.source = static_cast<SegmentSource>(source);
  return source <= segment_sources && is_source(static_cast<std::uint8_t>(source)) && gap == 0 &&
         is_database_id(header.database_id);
}

// A number out of range makes the cursor fail, which the caller checks after the last entry.
SegmentFileEntry read_entry(ByteCursor& cursor) {
  SegmentFileEntry entry;
  const std::uint8_t source = cursor.read_byte();
  const std::uint64_t property = cursor.read_varint();
  if (!is_source(source) || property > std::numeric_limits<std::uint32_t>::max()) cursor.fail();
  entry.source = static_cast<SegmentSource>(source);
  entry.property = static_cast<std::uint32_t>(property);
  entry.number = cursor.read_varint();
  entry.commit = cursor.read_varint();
  entry.ids = cursor.read_varint();
  entry.bytes = cursor.read_varint();
  entry.checksum = cursor.read_little<std::uint64_t>();
  return entry;
}

}  // namespace

std::uint64_t segment_header_checksum(std::string_view header) noexcept {
  ByteCursor cursor(header.substr(header.size() - checksum_bytes));
  return cursor.read_little<std::uint64_t>();
}

std::string encode(const SegmentHeader& header) {
  assert(is_database_id(header.database_id));
  std::string bytes(magic);
  append_little(bytes, file_layout);
  append_little(bytes, std::uint32_t{static_cast<std::uint8_t>(header.source)});
  append_little(bytes, header.property);
  append_little(bytes, std::uint32_t{0});
  bytes.append(header.database_id);
  append_little(bytes, header.commit);
  append_little(bytes, header.body_bytes);
  append_little(bytes, header.body_checksum);
  append_little(bytes, checksum(bytes));
  assert(bytes.size() == segment_header_bytes);
  return bytes;
}

// The checksum comes before the fields, so that plain damage is reported as such.
Result<SegmentHeader> decode_segment_header(std::string_view bytes, std::uint64_t file_bytes) {
  if (bytes.size() != segment_header_bytes) return malformed("wrong length");
  ByteCursor cursor(bytes);
  if (cursor.read_bytes(magic.size()) != magic) return malformed("wrong magic bytes");
  if (cursor.read_little<std::uint32_t>() != file_layout)
    return malformed("unknown layout version");
  SegmentHeader header;
  const bool is_sound = read_fields(cursor, header);
  std::string_view checked;
  if (!split_checksum(bytes, checked)) return malformed("the checksum does not match");
  if (!is_sound) return malformed("a field is out of range");
  if (file_bytes < segment_header_bytes || file_bytes - segment_header_bytes != header.body_bytes)
    return malformed("the file has another size than its header says");
  return header;
}

std::string encode(const SegmentFileList& list) {
  std::string bytes;
  append_little(bytes, list_layout);
  append_varint(bytes, list.next);
  append_varint(bytes, list.files.size());
  for (const SegmentFileEntry& entry : list.files) {
    append_little(bytes, static_cast<std::uint8_t>(entry.source));
    append_varint(bytes, entry.property);
    append_varint(bytes, entry.number);
    append_varint(bytes, entry.commit);
    append_varint(bytes, entry.ids);
    append_varint(bytes, entry.bytes);
    append_little(bytes, entry.checksum);
  }
  append_little(bytes, checksum(bytes));
  return bytes;
}

// Reads entries until the bytes end, so that a damaged count costs no memory.
Result<SegmentFileList> decode_segment_file_list(std::string_view bytes) {
  const Error damaged = corruption("the list of the segment files is damaged");
  std::string_view checked;
  if (!split_checksum(bytes, checked)) return damaged;
  ByteCursor cursor(checked);
  if (cursor.read_byte() != list_layout) return damaged;
  SegmentFileList list;
  list.next = cursor.read_varint();
  const std::uint64_t count = cursor.read_varint();
  bool are_numbered = true;
  while (!cursor.rest().empty()) {
    list.files.push_back(read_entry(cursor));
    are_numbered = are_numbered && list.files.back().number < list.next;
  }
  if (!cursor.finished() || !are_numbered || list.files.size() != count) return damaged;
  return list;
}

std::string encode(const SegmentChanges& changes) {
  std::string bytes;
  for (const std::vector<std::uint64_t>& ids : changes.ids) append_runs(bytes, ids);
  return bytes;
}

Result<SegmentChanges> decode_segment_changes(std::string_view bytes) {
  ByteCursor cursor(bytes);
  SegmentChanges changes;
  for (std::vector<std::uint64_t>& ids : changes.ids) read_runs(cursor, most_changes, ids);
  if (!cursor.finished()) return corruption("a list of changed ids is damaged");
  return changes;
}

// The number of runs comes first, and is only known at the end.
void append_runs(std::string& out, std::span<const std::uint64_t> ids) {
  std::string runs;
  std::uint64_t count = 0;
  std::uint64_t end = 0;  // of the last run
  for (std::size_t i = 0; i < ids.size(); ++count) {
    const std::uint64_t first = ids[i];
    std::size_t last = i;
    while (last + 1 < ids.size() && ids[last + 1] == ids[last] + 1) ++last;
    append_varint(runs, first - end);
    append_varint(runs, last - i);
    end = ids[last] + 1;
    i = last + 1;
  }
  append_varint(out, count);
  out += runs;
}

// A gap of 0 is possible in the first run only. Sums are compared with `most` before anything grows.
void read_runs(ByteCursor& cursor, std::size_t most, std::vector<std::uint64_t>& out) {
  const std::uint64_t count = cursor.read_varint();
  std::uint64_t end = 0;
  std::size_t ids = 0;
  for (std::uint64_t run = 0; run < count && !cursor.failed(); ++run) {
    const std::uint64_t gap = cursor.read_varint();
    const std::uint64_t more = cursor.read_varint();
    const std::uint64_t room = std::numeric_limits<std::uint64_t>::max() - end;
    const bool fits = more < most && ids + more < most && more < room && gap < room - more;
    if (!fits || (gap == 0 && run > 0)) return cursor.fail();
    const std::uint64_t first = end + gap;
    for (std::uint64_t id = first; id <= first + more; ++id) out.push_back(id);
    ids += more + 1;
    end = first + more + 1;
  }
}

}  // namespace cairn::codec
