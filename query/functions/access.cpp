// Access to parts of a value: list[i], map[key], list[from..to], value.name.
//
// Parts of null are null, and a value that is not a container is a type error (openCypher: list and map access). The
// evaluator reads properties of nodes and relationships from the graph instead. Cost: constant for an element, linear
// for a slice, logarithmic for a map entry.

#include "query/functions/call.hpp"
#include "query/functions/growing.hpp"
#include "query/functions/numbers.hpp"
#include "query/functions/sequence.hpp"
#include "query/functions/temporal_operations.hpp"
#include "query/functions/value_semantics.hpp"

#include <algorithm>

namespace cairn::query {
namespace {

Error type_error(std::string message) { return {ErrorCode::type_error, std::move(message), {}}; }

/// Returns null and not an error for an index outside of the list, because queries read data that other programs have
/// written.
Result<Value> element(const Value& container, const Value& key, engine::Limits* limits) {
  const auto index = whole_number(key);
  if (!index) return type_error("a list index must be an integer, not " + described(key));
  const auto size = static_cast<std::int64_t>(sequence_size(container));
  const std::int64_t at = *index < 0 ? *index + size : *index;
  if (at < 0 || at >= size) return Value();
  const auto position = static_cast<std::size_t>(at);
  if (const auto* vector = container.get_if<Vector>())
    return Value(static_cast<double>(vector->components()[position]));
  return copy_of(limits, container.as_list()[position]);
}

/// Keys are compared byte by byte, so that case matters. A missing key is null.
Result<Value> entry_of(const Map& map, std::string_view key, engine::Limits* limits) {
  const auto found = map.find(key);
  if (found == map.end()) return Value();
  return copy_of(limits, found->second);
}

/// Returns the bound of a slice in a list of `size` elements. A negative bound counts from the end. The result is
/// limited to 0..size. `open` is the result for an absent bound.
Result<std::int64_t> bound(const Value* value, std::int64_t size, std::int64_t open) {
  if (!value) return open;
  const auto given = whole_number(*value);
  if (!given) return type_error("the bounds of a slice must be integers, not " + described(*value));
  const std::int64_t at = *given < 0 ? *given + size : *given;
  return std::clamp<std::int64_t>(at, 0, size);
}

}  // namespace

// Vectors are read directly and not converted to a list, so `v[i]` in a loop costs constant time.
Result<Value> subscript(const Value& container, const Value& key, engine::Limits* limits) {
  if (container.is_null() || key.is_null()) return Value();
  if (is_sequence(container)) return element(container, key, limits);
  const Map* map = container.map();
  if (!map) return type_error("[...] needs a list or a map, not " + described(container));
  const std::string* name = key.string();
  if (!name) return type_error("a map key must be a string, not " + described(key));
  return entry_of(*map, *name, limits);
}

// nullptr means an absent bound, which is open. A null value as a bound makes the result null.
Result<Value> slice(const Value& list, const Value* from, const Value* to, engine::Limits* limits) {
  const auto is_unknown = [](const Value* bound) { return bound && bound->is_null(); };
  if (list.is_null() || is_unknown(from) || is_unknown(to)) return Value();
  if (!is_sequence(list)) return type_error("only lists are sliced, not " + described(list));
  const auto size = static_cast<std::int64_t>(sequence_size(list));
  CAIRN_ASSIGN(const std::int64_t begin, bound(from, size, 0));
  CAIRN_ASSIGN(const std::int64_t end, bound(to, size, size));
  if (begin >= end) return Value(List{});
  List storage;
  const List& items = *sequence_of(list, storage);
  GrowingList part(limits);
  CAIRN_TRY(part.reserve(static_cast<std::size_t>(end - begin)));
  for (std::int64_t at = begin; at < end; ++at)
    CAIRN_TRY(part.add(items[static_cast<std::size_t>(at)]));
  return part.take();
}

// Reads a map entry, or a component of a temporal value such as date.year or duration.days.
Result<Value> member(const Value& value, std::string_view name, engine::Limits* limits) {
  if (value.is_null()) return Value();
  if (const Map* map = value.map()) return entry_of(*map, name, limits);
  if (auto component = temporal_component(value, name)) return *std::move(component);
  return type_error("." + std::string(name) +
                    " needs a node, relationship, map or temporal value, got " + described(value));
}

}  // namespace cairn::query
