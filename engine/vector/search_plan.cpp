#include "engine/vector/search_plan.hpp"

#include <algorithm>
#include <cmath>

namespace cairn::engine {
namespace {

// Up to here a scan is cheaper than anything, and better.
constexpr std::size_t always_exact = 1'000;

// Recall 0.95 of 10 on the word vectors that filtered-ann.md measures needs 230 without a filter.
constexpr double unfiltered_ef = 240;

// Vectors compared for each candidate kept, a link of the slot each; and how much more one of them
// costs than one in a scan, being somewhere else in memory and going through two heaps.
constexpr double compared_share_of_m = 0.75;
constexpr double cost_of_jump = 2.5;

// A filtered walk sees ef / selectivity slots, and so needs a smaller ef for the same recall.
std::size_t choose_ef(const SearchShape& shape, double selectivity) {
  if (shape.ef_search > 0) return std::max(shape.ef_search, shape.wanted);
  const auto ef = static_cast<std::size_t>(unfiltered_ef * std::sqrt(selectivity));
  return std::max(ef, 2 * shape.wanted);
}

}  // namespace

std::optional<GraphWalk> plan_walk(const SearchShape& shape) {
  if (shape.selected <= std::max(always_exact, shape.wanted)) return std::nullopt;
  const double selected = static_cast<double>(shape.selected);
  const double selectivity = selected / static_cast<double>(shape.slots);
  const std::size_t ef = choose_ef(shape, selectivity);
  const double compared =
      static_cast<double>(ef) / selectivity * compared_share_of_m * static_cast<double>(shape.m);
  if (compared * cost_of_jump >= selected) return std::nullopt;
  return GraphWalk{ef, shape.selected};
}

}  // namespace cairn::engine
