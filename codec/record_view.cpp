// A node's record read in place, the way loaded nodes and projections take: labels and keys are
// spans into the record's bytes, values are made one by one on demand. It must say what
// decode_node_record() says; tests compare the two.
#include "codec/record_view.hpp"

#include "codec/byte_io.hpp"
#include "codec/record_table.hpp"
#include "codec/stored_values.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cstring>

namespace cairn::codec {
namespace {

// Read in place, and flatbuffers are little-endian.
static_assert(std::endian::native == std::endian::little);

std::span<const std::uint32_t> span_of(const StoredIds* ids) {
  if (ids == nullptr) return {};
  return {ids->data(), ids->size()};
}

}  // namespace

Result<NodeView> NodeView::of(std::string_view bytes) {
  CAIRN_TRY(check_header_of(EntityKind::node, bytes));
  const std::string_view body = bytes.substr(record_header_bytes);
  // No copy to aligned memory as elsewhere: the caller holds the bytes in a string or a block whose
  // start is aligned, and the header is eight times eight long.
  assert(reinterpret_cast<std::uintptr_t>(body.data()) % 8 == 0);
  const auto* node = verified<fb::Node>(body, record_limits(body.size()));
  if (node == nullptr) return malformed_record("its flatbuffer is malformed");
  NodeView view;
  view.labels_ = span_of(node->labels());
  view.keys_ = span_of(node->keys());
  if (!ascends(view.labels_)) return malformed_record("its labels do not ascend");
  if (!ascends(view.keys_)) return malformed_record("its property keys do not ascend");
  if (node->external_id() != nullptr) view.external_id_ = node->external_id()->string_view();
  view.name_space_ = read_name_space(bytes);
  view.values_ = node->values();
  view.bytes_ = body.size();
  // Counts are compared once, here: value() may then read any place below keys().size().
  ValuesReader reader(view.bytes_);
  if (!reader.has_count(view.values_, view.keys_.size())) return malformed_record(reader.fault());
  return view;
}

std::optional<std::size_t> NodeView::find(std::uint32_t key) const noexcept {
  const auto found = std::lower_bound(keys_.begin(), keys_.end(), key);
  if (found == keys_.end() || *found != key) return std::nullopt;
  return static_cast<std::size_t>(found - keys_.begin());
}

// A budget of its own for each value: reading all of them costs at most the number of properties
// times the buffer, and nobody reads one twice to gain by it.
Result<StoredValue> NodeView::value(std::size_t place) const {
  ValuesReader reader(bytes_);
  StoredValue value = reader.read_stored(*values_, static_cast<std::uint32_t>(place));
  if (reader.fault() != nullptr) return malformed_record(reader.fault());
  return value;
}

// The 64 bytes before a record's flatbuffer. Fixed places and no compression: visibility
// (namespace, deleted, expired, valid) is asked of every record that a scan meets, and eight reads
// of eight bytes answer it. Given up: the times that a record lacks stand as zeros, 8 bytes each.

namespace {

constexpr std::uint8_t record_layout = 1;

using OptionalTime = std::optional<std::int64_t> RecordHeader::*;
// On disk: a new time goes to the end of neither bits nor places without a new layout, as the
// flatbuffer follows at byte 64.
/// In the order of their bits in `present` and of their places in the header.
constexpr std::array<OptionalTime, 4> optional_times = {
    &RecordHeader::deleted_at, &RecordHeader::expires_at, &RecordHeader::valid_from,
    &RecordHeader::valid_to};

/// Little-endian, as the numbers of a header are; moves on by its size.
template <class T>
void write(char*& at, T number) {
  static_assert(std::endian::native == std::endian::little);
  std::memcpy(at, &number, sizeof number);
  at += sizeof number;
}

/// Time zero is a time like any other; whether there is one is said apart.
std::uint8_t presence_bits(const RecordHeader& header) {
  unsigned bits = 0;
  for (std::size_t i = 0; i < optional_times.size(); ++i)
    if ((header.*optional_times[i]).has_value()) bits |= 1U << i;
  return static_cast<std::uint8_t>(bits);
}

std::int64_t read_time(ByteCursor& cursor) noexcept {
  return static_cast<std::int64_t>(cursor.read_little<std::uint64_t>());
}

Error damaged(const std::string& what) {
  return corruption("the header of a record is damaged: " + what);
}

// Where the gaps and the absent times lie.
constexpr std::size_t name_space_at = 4;
constexpr std::size_t second_gap_at = 12;
constexpr std::size_t times_at = 32;
constexpr std::array<char, record_header_bytes - times_at> zeros{};

/// Strict, so that the bits stay free for later use and equal headers have equal bytes.
/// True where every absent time is zero and no unknown bit is set.
bool read_optional_times(ByteCursor& cursor, unsigned present, RecordHeader& header) {
  for (OptionalTime member : optional_times) {
    const std::int64_t time = read_time(cursor);
    if ((present & 1U) != 0)
      header.*member = time;
    else if (time != 0)
      return false;
    present >>= 1;
  }
  return present == 0;
}

}  // namespace

void append_record_header(std::string& out, EntityKind kind, const RecordHeader& header) {
  std::array<char, record_header_bytes> bytes;
  char* at = bytes.data();
  write(at, record_layout);
  write(at, static_cast<std::uint8_t>(kind));
  write(at, presence_bits(header));
  write(at, std::uint8_t{0});
  write(at, header.name_space);
  write(at, header.schema_version);
  write(at, std::uint32_t{0});
  write(at, header.created);
  write(at, header.updated);
  for (OptionalTime member : optional_times) write(at, (header.*member).value_or(0));
  assert(at == bytes.data() + bytes.size());
  out.append(bytes.data(), bytes.size());
}

Result<EntityKind> decode_record_kind(std::string_view record) {
  // Everything below may read the whole header: the length is asked once, here.
  if (record.size() < record_header_bytes)
    return damaged("it ends after " + std::to_string(record.size()) + " bytes");
  const auto layout = static_cast<std::uint8_t>(record[0]);
  if (layout != record_layout) return damaged("layout " + std::to_string(layout) + " is unknown");
  const auto kind = static_cast<EntityKind>(record[1]);
  if (kind != EntityKind::node && kind != EntityKind::relationship)
    return damaged("it is of neither kind");
  return kind;
}

Result<RecordHeader> decode_header(std::string_view record) {
  CAIRN_TRY(decode_record_kind(record));
  ByteCursor cursor(record.substr(2, record_header_bytes - 2));
  RecordHeader header;
  const std::uint8_t present = cursor.read_byte();
  const std::uint8_t first_gap = cursor.read_byte();
  header.name_space = cursor.read_little<std::uint32_t>();
  header.schema_version = cursor.read_little<std::uint32_t>();
  const auto second_gap = cursor.read_little<std::uint32_t>();
  header.created = read_time(cursor);
  header.updated = read_time(cursor);
  const bool is_sound = read_optional_times(cursor, present, header);
  if (!is_sound || first_gap != 0 || second_gap != 0) return damaged("unused bytes are not zero");
  assert(cursor.finished());
  return header;
}

Result<RecordHeader> decode_header_of(EntityKind kind, std::string_view record) {
  CAIRN_ASSIGN(const EntityKind found, decode_record_kind(record));
  if (found != kind)
    return damaged(kind == EntityKind::node ? "a relationship is in a node's place"
                                            : "a node is in a relationship's place");
  return decode_header(record);
}

std::uint32_t read_name_space(std::string_view record) noexcept {
  return ByteCursor(record.substr(name_space_at)).read_little<std::uint32_t>();
}

// A header without an optional time, as nearly all are, is recognized by its zeros.
Status check_header_of(EntityKind kind, std::string_view record) {
  const auto is_zero = [&](std::size_t at, std::size_t bytes) {
    return std::memcmp(record.data() + at, zeros.data(), bytes) == 0;
  };
  if (record.size() >= record_header_bytes &&
      static_cast<std::uint8_t>(record[0]) == record_layout &&
      static_cast<EntityKind>(record[1]) == kind && is_zero(2, 2) && is_zero(second_gap_at, 4) &&
      is_zero(times_at, zeros.size()))
    return {};
  CAIRN_TRY(decode_header_of(kind, record));
  return {};
}

}  // namespace cairn::codec
