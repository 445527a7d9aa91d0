// Reading parts of a value: list[i], map[key], list[from..to], value.name.
// Called by the evaluator for values; parts of nodes and relationships are read through the graph
// instead. Null has null parts, and what is not a container is a type error (openCypher: list and map
// access). Cost: constant for an element, linear in the slice, logarithmic in a map's entries.

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

/// A position that the list does not have is null and no error: a query goes over data that others
/// have made.
Result<Value> element(const Value& container, const Value& key, engine::Limits* limits) {
  const auto index = whole_number(key);
  if (!index) return type_error("a list is read by an integer, not by " + described(key));
  const auto size = static_cast<std::int64_t>(sequence_size(container));
  const std::int64_t at = *index < 0 ? *index + size : *index;
  if (at < 0 || at >= size) return Value();
  const auto position = static_cast<std::size_t>(at);
  if (const auto* vector = container.get_if<Vector>())
    return Value(static_cast<double>(vector->components()[position]));
  return copy_of(limits, container.as_list()[position]);
}

/// Keys are compared byte by byte, so their case matters; a key that is not there is null.
Result<Value> entry_of(const Map& map, std::string_view key, engine::Limits* limits) {
  const auto found = map.find(key);
  if (found == map.end()) return Value();
  return copy_of(limits, found->second);
}

/// Where in a list of `size` elements a slice begins or ends: counted from the end where negative,
/// never outside.
Result<std::int64_t> bound(const Value* value, std::int64_t size, std::int64_t open) {
  if (!value) return open;
  const auto given = whole_number(*value);
  if (!given) return type_error("a slice is bounded by integers, not by " + described(*value));
  const std::int64_t at = *given < 0 ? *given + size : *given;
  return std::clamp<std::int64_t>(at, 0, size);
}

}  // namespace

// Vectors are read without becoming a list first: `v[i]` in a loop stays linear.
Result<Value> subscript(const Value& container, const Value& key, engine::Limits* limits) {
  if (container.is_null() || key.is_null()) return Value();
  if (is_sequence(container)) return element(container, key, limits);
  const Map* map = container.map();
  if (!map) return type_error("only lists and maps are read by [...], not " + described(container));
  const std::string* name = key.string();
  if (!name) return type_error("a map is read by a string, not by " + described(key));
  return entry_of(*map, *name, limits);
}

// An absent bound is open, a null bound makes the slice unknown; hence the two kinds of nothing.
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

// A map's entry, or the component of a temporal value: date.year, duration.days.
Result<Value> member(const Value& value, std::string_view name, engine::Limits* limits) {
  if (value.is_null()) return Value();
  if (const Map* map = value.map()) return entry_of(*map, name, limits);
  if (auto component = temporal_component(value, name)) return *std::move(component);
  return type_error("." + std::string(name) +
                    " needs a node, relationship, map or temporal value, got " + described(value));
}

}  // namespace cairn::query
