#pragma once
// The kinds of retrievers: what finds the candidates of a search.

#include <cairn/visibility.hpp>

#include <cstdint>
#include <string_view>

namespace cairn {

/// The kind of retriever that found a hit.
enum class RetrieverKind : std::uint8_t {
  vector,   ///< the nearest vectors of an index
  text,     ///< the best texts of a full-text index
  keyword,  ///< texts that contain words of the question, without an index
  graph,    ///< neighbours of the hits of other retrievers
  /// A full-text index with the features of recall(). In weights and explanations it counts as text.
  ranked,
};
/// Returns "vector", "text", "keyword", "graph" or, for `ranked`, "recall".
[[nodiscard]] CAIRN_EXPORT std::string_view to_string(RetrieverKind retriever) noexcept;

}  // namespace cairn
