#pragma once
// search_vectors() as a message: its arguments and result as values, for the caller and for the host.

#include "engine/database/call_values.hpp"

#include <cairn/vector_search.hpp>

#include <string_view>
#include <vector>

namespace cairn::query {

/// The arguments of search_vectors().
struct ForwardedSearch {
  std::string index;
  std::vector<VectorQuestion> questions;
  VectorSearchOptions options;
  std::string model;  ///< owns the text that `options.model` refers to
};

[[nodiscard]] Map search_map(std::string_view index, const std::vector<VectorQuestion>& questions,
                             const VectorSearchOptions& options);
/// Errors: those of filter_from(); io_error for a malformed message.
[[nodiscard]] Result<ForwardedSearch> read_search(engine::CallReader& reader);

[[nodiscard]] Value vector_hits_value(const std::vector<VectorHits>& found);
[[nodiscard]] Result<std::vector<VectorHits>> read_vector_hits(const Value& value);

}  // namespace cairn::query
