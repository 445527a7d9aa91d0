// Reads a node's record in place, for loaded nodes and projections: labels and keys are spans into
// the record's bytes, and values are decoded one by one on demand. The result must equal that of
// decode_node_record(); tests compare the two.
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

// Flatbuffers are little-endian, and their bytes are read in place.
static_assert(std::endian::native == std::endian::little);

std::span<const std::uint32_t> span_of(const StoredIds* ids) {
  if (ids == nullptr) return {};
  return {ids->data(), ids->size()};
}

}  // namespace

Result<NodeView> NodeView::of(std::string_view bytes) {
  CAIRN_TRY(check_header_of(EntityKind::node, bytes));
  const std::string_view body = bytes.substr(record_header_bytes);
  // No copy to aligned memory is needed here: the caller's bytes are aligned, and the header is
  // eight times eight bytes.
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
  // Counts are compared once here, so value() may read any place below keys().size().
  ValuesReader reader(view.bytes_);
  if (!reader.has_count(view.values_, view.keys_.size())) return malformed_record(reader.fault());
  return view;
}

std::optional<std::size_t> NodeView::find(std::uint32_t key) const noexcept {
  const auto found = std::lower_bound(keys_.begin(), keys_.end(), key);
  if (found == keys_.end() || *found != key) return std::nullopt;
  return static_cast<std::size_t>(found - keys_.begin());
}

// Each value has its own budget. So reading all values costs at most the number of properties times
// the buffer size.
Result<StoredValue> NodeView::value(std::size_t place) const {
  ValuesReader reader(bytes_);
  StoredValue value = reader.read_stored(*values_, static_cast<std::uint32_t>(place));
  if (reader.fault() != nullptr) return malformed_record(reader.fault());
  return value;
}

// The header of 64 bytes before a record's flatbuffer, with fixed places and no compression, so that
// a system field is read without the flatbuffer. The price is that absent times are stored as zeros,
// 8 bytes each.

namespace {

constexpr std::uint8_t record_layout = 1;

using OptionalTime = std::optional<std::int64_t> RecordHeader::*;
/// In the order of their bits in `present` and of their places in the header. A new time needs a
/// new layout, because the flatbuffer begins at byte 64.
constexpr std::array<OptionalTime, 4> optional_times = {
    &RecordHeader::deleted_at, &RecordHeader::expires_at, &RecordHeader::valid_from,
    &RecordHeader::valid_to};

/// Writes a little-endian number and advances `at` by its size.
template <class T>
void write(char*& at, T number) {
  static_assert(std::endian::native == std::endian::little);
  std::memcpy(at, &number, sizeof number);
  at += sizeof number;
}

/// Returns one bit per optional time. Time zero is a valid time, so presence is stored separately.
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

// Places of the gaps and of the optional times.
constexpr std::size_t name_space_at = 4;
constexpr std::size_t second_gap_at = 12;
constexpr std::size_t times_at = 32;
constexpr std::array<char, record_header_bytes - times_at> zeros{};

/// True if every absent time is zero and no unknown bit is set. So unused bits remain available for
/// later use, and equal headers have equal bytes.
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
  // The length is checked once here, so that later reads of the header need no check.
  if (record.size() < record_header_bytes)
    return damaged("it ends after " + std::to_string(record.size()) + " bytes");
  const auto layout = static_cast<std::uint8_t>(record[0]);
  if (layout != record_layout) return damaged("layout " + std::to_string(layout) + " is unknown");
  const auto kind = static_cast<EntityKind>(record[1]);
  if (kind != EntityKind::node && kind != EntityKind::relationship)
    return damaged("its kind is neither node nor relationship");
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

// Nearly all headers have no optional times, and are recognised by their zeros.
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
