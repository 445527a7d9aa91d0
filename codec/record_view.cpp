// A node's record read in place, the way loaded nodes and projections take: labels and keys are
// spans into the record's bytes, values are made one by one on demand. It must say what
// decode_node_record() says; tests compare the two.
#include "codec/record_view.hpp"

#include "codec/record_header.hpp"
#include "codec/record_table.hpp"
#include "codec/stored_values.hpp"

#include <algorithm>
#include <bit>
#include <cassert>

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

}  // namespace cairn::codec
