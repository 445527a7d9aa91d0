#pragma once
// Vectors behave as lists of floats everywhere in the language. These functions treat both alike.

#include <cairn/value.hpp>

namespace cairn::query {

[[nodiscard]] inline bool is_sequence(const Value& value) noexcept {
  return value.list() != nullptr || value.type() == ValueType::vector;
}

/// Returns the list, or a vector's components, which are written to `storage`. Returns nullptr for any other type.
/// `storage` must outlive the result.
[[nodiscard]] inline const List* sequence_of(const Value& value, List& storage) {
  const auto* vector = value.get_if<Vector>();
  if (!vector) return value.list();
  storage.assign(vector->components().begin(), vector->components().end());
  return &storage;
}

/// Returns the number of elements of a list or vector.
[[nodiscard]] inline std::size_t sequence_size(const Value& value) noexcept {
  const auto* vector = value.get_if<Vector>();
  return vector ? vector->dimension() : value.list()->size();
}

}  // namespace cairn::query
