// What the memory limit counts: cells and what hangs on them, about. Not exact on purpose: a shared
// list is counted where one row owns it alone, else not, so that a list carried through 1,000 rows
// is not counted 1,000 times.
#include "query/execute/value_size.hpp"

#include "codec/value_extent.hpp"

namespace cairn::query {
namespace {

constexpr std::size_t map_node_bytes = 48;  // of a red-black tree, beside key and value

std::size_t bytes_of(const Map& map) {
  std::size_t bytes = 0;
  for (const auto& [key, value] : map) bytes += map_node_bytes + key.size() + memory_bytes(value);
  return bytes;
}

// What a value holds outside of itself. Content with other owners counts as theirs, because the
// same list often stands in thousands of rows.
struct HeapBytes {
  std::size_t operator()(const std::string& text) const {
    return text.size() < sizeof(std::string) / 2 ? 0 : text.capacity();
  }
  std::size_t operator()(const Value::ListPtr& list) const {
    return list.use_count() > 1 ? 0 : row_bytes(*list);
  }
  std::size_t operator()(const Value::MapPtr& map) const {
    return map.use_count() > 1 ? 0 : bytes_of(*map);
  }
  std::size_t operator()(const Value::PathPtr& path) const {
    return path.use_count() > 1 ? 0 : (2 * path->nodes.size()) * sizeof(Node);
  }
  std::size_t operator()(const Vector& vector) const { return vector.dimension() * sizeof(float); }
  template <class Other>
  std::size_t operator()(const Other&) const {
    return 0;
  }
};

}  // namespace

std::size_t memory_bytes(const Value& value) {
  return sizeof(Value) + std::visit(HeapBytes{}, value.content());
}

std::size_t row_bytes(std::span<const Value> row) {
  std::size_t bytes = 0;
  for (const Value& value : row) bytes += memory_bytes(value);
  return bytes;
}

// Work for the clock's sake: each kilobyte that a walk over all of the value comes to is one step.
std::uint64_t steps_of(const Value& value) { return codec::extent_of(value).bytes / 1'024; }

}  // namespace cairn::query
