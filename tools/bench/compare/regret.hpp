#pragma once
// What the planner's choice costs beside the best one: every way is gone, class by class, over filters
// of all shares that lie anywhere, near the query and far from it.
// And what searching for many vectors at once saves beside one by one.

#include "tools/bench/compare/cairn_peer.hpp"
#include "tools/bench/compare/cells.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace cairn::compare {

/// What a planner is asked about.
struct RegretInput {
  const VectorRows& rows;
  const VectorRows& queries;
  std::span<const std::int64_t> p;
  std::shared_ptr<const engine::VectorState> state;
  const NodeNames& names;
  std::size_t k = 10;
};

/// Prints a row a cell and class, then the mean and the worst. Best is the cheapest way that reaches the
/// class, within half of a percent, as the mean of few queries tells no more.
void print_cost_error(const RegretInput& input);

/// Prints a row for each share that is allowed: processor time a query, one by one and `count` at once,
/// by the default class and by comparing all.
void print_batches(const RegretInput& input, std::size_t count);

}  // namespace cairn::compare
