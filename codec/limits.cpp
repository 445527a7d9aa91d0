// The check before a value is stored; the property editor calls it. It recurses at most 128 levels
// deep, because nesting is checked on the way down. Functions that recurse without a limit
// (counting, encoding, comparing, destroying) are only called for values that passed. So a value
// from a caller or parser cannot exhaust the stack.
//
// Cost: visits each nested value once, and once more to count bytes. Allocates only for an error.
#include "codec/limits.hpp"

#include "codec/instant.hpp"

#include <string>

namespace cairn::codec {
namespace {

// Least bytes of a value in a record: a type and a word, see schema/record.fbs. Counting them gives
// a list of a million nulls its real size.
constexpr std::size_t value_bytes = 9;

Error too_large(const std::string& what, std::size_t size, std::size_t limit) {
  return Error{ErrorCode::resource_limit,
               what + std::to_string(size) + "; the limit is " + std::to_string(limit),
               {}};
}

Status check_nested(const Value& value, std::uint32_t level);

// `level` is the level of the container of the items: the inner list of [[1]] is checked at level
// 2.
Status check_items(const List& list, std::uint32_t level) {
  for (const Value& item : list) CAIRN_TRY(check_nested(item, level));
  return {};
}

Status check_items(const Map& map, std::uint32_t level) {
  for (const auto& [key, value] : map) {
    if (key.size() > max_name_bytes)
      return too_large("bytes of a map key: ", key.size(), max_name_bytes);
    CAIRN_TRY(check_nested(value, level));
  }
  return {};
}

template <class Container>
Status check_container(const Container& items, std::uint32_t level) {
  if (level > max_nesting_levels)
    return too_large("levels of lists and maps: ", level, max_nesting_levels);
  if (items.size() > max_container_items)
    return too_large("items of a list or map: ", items.size(), max_container_items);
  return check_items(items, level);
}

/// Decoders refuse out-of-range values, so they must not be written: they would be read as
/// corruption.
bool is_in_range(const Value& value) {
  return std::visit(
      [](const auto& content) {
        if constexpr (requires { is_valid(content); }) return is_valid(content);
        return true;
      },
      value.content());
}

/// `level` is the number of containers around `value`.
Status check_nested(const Value& value, std::uint32_t level) {
  switch (value.type()) {
    case ValueType::list:
      return check_container(value.as_list(), level + 1);
    case ValueType::map:
      return check_container(value.as_map(), level + 1);
    case ValueType::node:
    case ValueType::relationship:
    case ValueType::path:
    case ValueType::vector:
      return Error{ErrorCode::type_error,
                   "a " + std::string(to_string(value.type())) + " cannot be stored " +
                       (level == 0 ? "in a property" : "inside a list or map"),
                   {}};
    default:
      break;
  }
  if (is_in_range(value)) return {};
  return Error{ErrorCode::invalid_argument,
               "a " + std::string(to_string(value.type())) + " is out of range",
               {}};
}

}  // namespace

std::size_t counted_bytes(const Value& value) noexcept {
  std::size_t bytes = value_bytes;
  if (const std::string* text = value.string()) return bytes + text->size();
  if (const DateTime* moment = value.get_if<DateTime>()) return bytes + moment->zone.size();
  if (const List* list = value.list())
    for (const Value& item : *list) bytes += counted_bytes(item);
  if (const Map* map = value.map())
    for (const auto& [key, item] : *map) bytes += key.size() + counted_bytes(item);
  return bytes;
}

Status check_storable(const Value& value) {
  if (const Vector* vector = value.get_if<Vector>()) {
    if (vector->dimension() <= max_dimension) return {};
    return too_large("components of a vector: ", vector->dimension(), max_dimension);
  }
  CAIRN_TRY(check_nested(value, 0));  // before counting, which recurses without a limit
  const std::size_t bytes = counted_bytes(value);
  if (bytes > max_value_bytes) return too_large("bytes of a property: ", bytes, max_value_bytes);
  return {};
}

}  // namespace cairn::codec
