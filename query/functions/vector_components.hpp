#pragma once
// Vectors in the language: values as components, similarity and distance, embeddings of texts.

#include <cairn/result.hpp>
#include <cairn/value.hpp>

#include <vector>

namespace cairn::query {

// Values as the components of a vector.

/// Numbers as the components of a vector. Errors: type_error.
[[nodiscard]] Result<std::vector<float>> vector_components(const Value& value,
                                                           const TextRange& where);

}  // namespace cairn::query
