#pragma once
// search_vectors() as a message: its arguments and its result as values, for both ends.

#include "engine/database/call_values.hpp"

#include <cairn/vector_search.hpp>

#include <string_view>
#include <vector>

namespace cairn::query {

struct ForwardedSearch {
  std::string index;
  std::vector<VectorQuestion> questions;
  VectorSearchOptions options;
  std::string model;  ///< what `options.model` points to
};

[[nodiscard]] Map search_map(std::string_view index, const std::vector<VectorQuestion>& questions,
                             const VectorSearchOptions& options);
/// Errors: as of filter_from(); io_error.
[[nodiscard]] Result<ForwardedSearch> read_search(engine::CallReader& reader);

[[nodiscard]] Value vector_hits_value(const std::vector<VectorHits>& found);
[[nodiscard]] Result<std::vector<VectorHits>> read_vector_hits(const Value& value);

}  // namespace cairn::query
