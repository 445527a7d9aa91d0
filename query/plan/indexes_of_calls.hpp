#pragma once
// The indexes that the memory calls and `cairn ingest` make with the first record of any namespace. Whether such an index
// exists tells that there is such a record; see query/execute/pipeline/known_indexes.hpp.

#include <algorithm>
#include <array>
#include <string_view>

namespace cairn::query {

/// True for the names of these indexes.
[[nodiscard]] inline bool is_made_by_calls(std::string_view index) noexcept {
  constexpr std::array<std::string_view, 4> names = {"memory_embedding", "memory_contents",
                                                     "chunk_embedding", "chunk_content"};
  return std::ranges::find(names, index) != names.end();
}

/// Returns a second label: records that have it do not count as records with `label`. Empty: all count. The parts of a
/// long memory have the label Chunk and the label Memory, but come from no ingested file.
[[nodiscard]] constexpr std::string_view label_apart(std::string_view label) noexcept {
  return label == "Chunk" ? "Memory" : "";
}

}  // namespace cairn::query
