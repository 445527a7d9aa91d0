// Counts the memory of held values. Large content is counted by its address, because it may be
// shared. A list of a million items that a WITH passes on is in every row of every later batch, but
// only once in memory. If each batch counted the list, statements that use a tenth of their limit
// would fail. If shared content were not counted at all, a thousand rows of 500 KB would be free.
#include "query/execute/holding.hpp"

#include "codec/value_extent.hpp"

#include <algorithm>
#include <utility>

namespace cairn::query {
namespace {

// Content with fewer items is counted for each holder, because a lookup costs more than counting.
constexpr std::size_t large_items = 32;

// Where content is in memory, its number of items, and an identity that distinguishes it from
// earlier content at the same address. Lists and maps have a serial number. For paths and vectors
// the number of items suffices, because equal numbers mean equal sizes.
struct Content {
  const void* address = nullptr;
  std::size_t items = 0;
  std::uint64_t identity = items;
};

// Precondition: the value is a list, a map, a path or a vector.
Content content_of(const Value& value) {
  if (const List* list = value.list()) return {list, list->size(), codec::serial_of(value)};
  if (const Map* map = value.map()) return {map, map->size(), codec::serial_of(value)};
  if (const Path* path = value.path()) return {path, path->nodes.size()};
  const auto* vector = value.get_if<Vector>();
  return {vector->components().data(), vector->dimension()};
}

// Heap memory of a text. Short texts are stored inside std::string.
std::size_t text_bytes(const std::string& text) {
  return text.capacity() < sizeof(std::string) / 2 ? 0 : text.capacity() + sizeof(void*);
}

}  // namespace

// Counts content by its kind. Large content inside this content is counted separately if it has
// other owners.
Status Holding::add_content(const Value& value) {
  if (const std::string* text = value.string()) return add_bytes(text_bytes(*text));
  const Content content = content_of(value);
  if (content.items >= large_items)
    return add_large(value, content.address, content.items, content.identity);
  if (const List* list = value.list()) {
    CAIRN_TRY(add_bytes(codec::list_bytes + list->capacity() * sizeof(Value)));
    return add(*list);
  }
  if (value.map() == nullptr) return add_bytes(content_bytes(value));
  for (const auto& [key, item] : *value.map()) {
    CAIRN_TRY(add_bytes(codec::map_entry_bytes + text_bytes(key)));
    CAIRN_TRY(add_one(item));
  }
  return add_bytes(codec::map_bytes);
}

// Skips content that was added recently: consecutive rows often contain the same lists.
bool Holding::came_lately(const void* address, std::uint64_t identity) const noexcept {
  constexpr std::size_t few = 8;
  const auto last = std::span(shared_).last(std::min(few, shared_.size()));
  return std::ranges::find(last, address) != last.end() && budget_->knows(address, identity);
}

// Content that this holder has just added is not added again. Content that another holder has
// charged costs nothing here.
Status Holding::add_large(const Value& value, const void* address, std::size_t items,
                          std::uint64_t identity) {
  if (budget_ == nullptr || came_lately(address, identity)) return {};
  if (const std::size_t known = budget_->share_again(address, identity); known > 0) {
    known_bytes_ += known;
  } else {
    const std::size_t bytes = content_bytes(value);
    CAIRN_TRY(budget_->share(address, identity, bytes));
    first_bytes_ += bytes;
  }
  shared_.push_back(address);
  return budget_->step(1 + items / 64);
}

// Charges an eighth more than needed, so that later additions seldom change the budget.
Status Holding::charge(std::size_t bytes) {
  if (budget_ == nullptr) return {};
  if (bytes_ > charged_) {
    const std::size_t wanted = bytes_ + bytes_ / 8;
    const bool has_room = budget_->check_room(wanted - charged_).has_value();
    const std::size_t more = (has_room ? wanted : bytes_) - charged_;
    CAIRN_TRY(budget_->charge(more));
    charged_ += more;
  }
  return budget_->step(bytes / large_bytes);
}

// Small amounts are not returned to the budget, because they will probably be needed again.
void Holding::give_back(std::size_t bytes) noexcept {
  bytes_ -= bytes < bytes_ ? bytes : bytes_;
  const std::size_t kept = bytes_ + bytes_ / 8;
  if (budget_ == nullptr || charged_ <= kept + large_bytes) return;
  budget_->release(charged_ - kept);
  charged_ = kept;
}

void Holding::clear() noexcept {
  if (budget_ != nullptr) {
    budget_->release(charged_);
    for (const void* content : shared_) budget_->unshare(content);
  }
  bytes_ = charged_ = first_bytes_ = known_bytes_ = 0;
  shared_.clear();
}

void Holding::begin_again() noexcept {
  if (charged_ > small_charge || !shared_.empty()) return clear();
  bytes_ = first_bytes_ = known_bytes_ = 0;
}

void Holding::swap(Holding& other) noexcept {
  std::swap(budget_, other.budget_);
  std::swap(bytes_, other.bytes_);
  std::swap(charged_, other.charged_);
  std::swap(first_bytes_, other.first_bytes_);
  std::swap(known_bytes_, other.known_bytes_);
  std::swap(shared_, other.shared_);
}

// The next functions estimate the memory of a value: its cells and its heap memory. The result is
// intentionally not exact. A shared list counts only if it has one owner, so that a list carried
// through 1,000 rows is not counted 1,000 times.

namespace {

// An entry of the map includes its value, which memory_bytes() counts too.
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

// Heap memory of a value. Content with other owners is not counted, because the same list is often
// in thousands of rows.
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
