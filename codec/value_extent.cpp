// Computes the extent of a list or map when it is made. Its parts have their extents already, so
// the cost is one addition per item.
#include "codec/value_extent.hpp"

#include <algorithm>
#include <limits>

namespace cairn::codec {
namespace {

void add(std::uint64_t& sum, std::uint64_t bytes) noexcept {
  if (__builtin_add_overflow(sum, bytes, &sum)) sum = std::numeric_limits<std::uint64_t>::max();
}

/// Adds the bytes of a part, and makes the whole at least one level deeper than the part.
void enclose(Extent& whole, const Extent& part) noexcept {
  add(whole.bytes, part.bytes);
  whole.levels = std::max(whole.levels, part.levels + 1);
  whole.has_entities = whole.has_entities || part.has_entities;
}

/// A moved-from value has a null pointer.
template <class Measured, class Pointer>
Extent extent_behind(const Pointer& content) noexcept {
  Extent extent{sizeof(Value), 1};
  if (content == nullptr) return extent;
  const Extent& inner = static_cast<const Measured&>(*content).extent;
  add(extent.bytes, inner.bytes);
  extent.levels = inner.levels;
  extent.has_entities = inner.has_entities;
  return extent;
}

}  // namespace

Extent measure(const List& items) noexcept {
  Extent extent{list_bytes, 1};
  for (const Value& item : items) enclose(extent, extent_of(item));
  return extent;
}

Extent measure(const Map& entries) noexcept {
  Extent extent{map_bytes, 1};
  for (const auto& [key, value] : entries) {
    add(extent.bytes, map_entry_bytes - sizeof(Value) + key.size());
    enclose(extent, extent_of(value));
  }
  return extent;
}

std::uint32_t next_serial() noexcept {
  thread_local std::uint32_t last = 0;
  return ++last;
}

std::uint32_t serial_of(const Value& value) noexcept {
  const auto* list = value.get_if<Value::ListPtr>();
  if (list != nullptr && *list != nullptr) return static_cast<const MeasuredList&>(**list).serial;
  const auto* map = value.get_if<Value::MapPtr>();
  if (map != nullptr && *map != nullptr) return static_cast<const MeasuredMap&>(**map).serial;
  return 0;
}

Extent extent_of_content(const Value& value) noexcept {
  if (const std::string* text = value.string()) return {sizeof(Value) + text->size(), 0};
  if (const auto* list = value.get_if<Value::ListPtr>()) return extent_behind<MeasuredList>(*list);
  if (const auto* map = value.get_if<Value::MapPtr>()) return extent_behind<MeasuredMap>(*map);
  if (const Path* path = value.path())
    return {sizeof(Value) + 2 * path->nodes.size() * sizeof(Node), 0, true};
  const auto* vector = value.get_if<Vector>();
  return {sizeof(Value) + (vector ? vector->dimension() * sizeof(float) : 0), 0};
}

}  // namespace cairn::codec
