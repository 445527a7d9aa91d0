#pragma once
// Which way a search of a segment goes: comparing every selected vector, or walking the graph.

#include <cstddef>
#include <optional>

namespace cairn::engine {

/// What is known before a search.
struct SearchShape {
  std::size_t slots = 0;      ///< of the segment
  std::size_t selected = 0;   ///< of them, may be returned
  std::size_t wanted = 0;     ///< hits
  std::size_t ef_search = 0;  ///< asked for by the caller, or 0
  std::size_t m = 16;
};

/// A walk that keeps `ef` candidates, and is given up once it asked for `budget` slots whether they
/// are selected: then the exact scan would have been the cheaper one.
struct GraphWalk {
  std::size_t ef = 0;
  std::size_t budget = 0;
};

/// Nothing where the exact scan is the cheaper way, or `wanted` is all there is.
[[nodiscard]] std::optional<GraphWalk> plan_walk(const SearchShape& shape);

}  // namespace cairn::engine
