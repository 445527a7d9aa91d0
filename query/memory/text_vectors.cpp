// Checks the vectors of an embedder before they are stored.
#include "query/memory/text_vectors.hpp"

#include <cairn/memory/pending.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

namespace cairn::query {
namespace {

Error wrong_answer(const Embedder& embedder, const std::string& what) {
  return {ErrorCode::io_error, "the embedder \"" + embedder.model() + "\" returned " + what, {}};
}

bool is_zero(const Vector& vector) {
  return std::ranges::all_of(vector.components(), [](float component) { return component == 0; });
}

}  // namespace

void TextVector::store(Properties& properties) const {
  properties.insert_or_assign("embedding", vector);
  properties.insert_or_assign(std::string(memory::pending_name),
                              is_pending ? Value(true) : Value());
}

// The cosine of a zero vector is undefined, so such a text gets no vector and is found by its words and fields only.
Result<std::vector<TextVector>> text_vectors(Result<std::vector<Vector>> made, std::size_t texts,
                                             const Embedder& embedder) {
  if (!made) return made.error();
  if (made->size() != texts)
    return wrong_answer(embedder, std::to_string(made->size()) + " vectors for " +
                                      std::to_string(texts) + " texts");
  std::vector<TextVector> vectors;
  for (Vector& vector : *made) {
    if (vector.dimension() != embedder.dimension())
      return wrong_answer(embedder, "a vector of " + std::to_string(vector.dimension()) +
                                        " components instead of " +
                                        std::to_string(embedder.dimension()));
    vectors.push_back({is_zero(vector) ? Value() : Value(std::move(vector)), false});
  }
  return vectors;
}

}  // namespace cairn::query
