#pragma once
// The vectors of texts as they are stored: made, empty, or pending because the embedder failed.

#include <cairn/embedder.hpp>
#include <cairn/graph.hpp>
#include <cairn/result.hpp>
#include <cairn/value.hpp>

#include <cstddef>
#include <vector>

namespace cairn::query {

/// What a record stores about the vector of its text.
struct TextVector {
  Value vector;             ///< null without a vector
  bool is_pending = false;  ///< the embedder failed; the vector is made later

  /// Sets both properties of a record; null removes a property.
  void store(Properties& properties) const;
};

/// A vector for each text; without one where the vector is zero. Errors: those of the embedder; io_error if it returns
/// another number of vectors, or vectors of another dimension than it says.
[[nodiscard]] Result<std::vector<TextVector>> text_vectors(Result<std::vector<Vector>> made,
                                                           std::size_t texts,
                                                           const Embedder& embedder);

}  // namespace cairn::query
