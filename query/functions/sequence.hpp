#pragma once
// Vectors behave as lists of floats everywhere in the language; this is where they become one.

#include <cairn/value.hpp>

namespace cairn::query {

[[nodiscard]] inline bool is_sequence(const Value& value) noexcept {
  return value.list() != nullptr || value.type() == ValueType::vector;
}

/// The list that `value` is or, as a vector, stands for; null for any other type. A vector's
/// components are written to `storage`, which must outlive the result.
[[nodiscard]] inline const List* sequence_of(const Value& value, List& storage) {
  const auto* vector = value.get_if<Vector>();
  if (!vector) return value.list();
  storage.assign(vector->components().begin(), vector->components().end());
  return &storage;
}

/// The number of elements of a list or vector.
[[nodiscard]] inline std::size_t sequence_size(const Value& value) noexcept {
  const auto* vector = value.get_if<Vector>();
  return vector ? vector->dimension() : value.list()->size();
}

}  // namespace cairn::query
