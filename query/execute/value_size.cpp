// What the memory limit counts: cells and what hangs on them, about. Not exact on purpose: a shared
// list is counted where one row owns it alone, else not, so that a list carried through 1,000 rows
// is not counted 1,000 times.
#include "query/execute/value_size.hpp"

namespace cairn::query {
namespace {

std::size_t bytes_of(const Map& map) {
  std::size_t bytes = codec::map_bytes;
  for (const auto& [key, value] : map)
    bytes += codec::map_entry_bytes - sizeof(Value) + key.size() + memory_bytes(value);
  return bytes;
}

std::size_t bytes_of(const List& list) {
  return codec::list_bytes + (list.capacity() - list.size()) * sizeof(Value) + row_bytes(list);
}

std::size_t bytes_of(const Path& path) {
  return 2 * codec::list_bytes + path.nodes.capacity() * sizeof(Node) +
         path.relationships.capacity() * sizeof(Relationship);
}

// What a value holds outside of itself. Content with other owners counts as theirs, because the
// same list is often in thousands of rows.
struct HeapBytes {
  std::size_t operator()(const std::string& text) const {
    return text.size() < sizeof(std::string) / 2 ? 0 : text.capacity();
  }
  std::size_t operator()(const Value::ListPtr& list) const {
    return list.use_count() > 1 ? 0 : bytes_of(*list);
  }
  std::size_t operator()(const Value::MapPtr& map) const {
    return map.use_count() > 1 ? 0 : bytes_of(*map);
  }
  std::size_t operator()(const Value::PathPtr& path) const {
    return path.use_count() > 1 ? 0 : bytes_of(*path);
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

std::size_t content_bytes(const Value& value) {
  if (value.list() != nullptr) return bytes_of(*value.list());
  if (value.map() != nullptr) return bytes_of(*value.map());
  if (value.path() != nullptr) return bytes_of(*value.path());
  return std::visit(HeapBytes{}, value.content());
}

std::size_t row_bytes(std::span<const Value> row) {
  std::size_t bytes = 0;
  for (const Value& value : row) bytes += memory_bytes(value);
  return bytes;
}

}  // namespace cairn::query
