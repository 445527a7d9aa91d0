#pragma once
// What the planner's choice costs compared with the best one: every strategy is run for each class, with filters
// of all shares whose rows lie anywhere, near the query or far from it.
// And what a search for many vectors at once saves over single searches.

#include "tools/bench/compare/cairn_peer.hpp"
#include "tools/bench/compare/cells.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace cairn::compare {

/// The data and queries of the comparison.
struct RegretInput {
  const VectorRows& rows;
  const VectorRows& queries;
  std::span<const std::int64_t> p;
  std::shared_ptr<const engine::VectorState> state;
  const NodeNames& names;
  std::size_t k = 10;
};

/// Prints a row a cell and class, then the mean and the worst. Best is the cheapest strategy that reaches the
/// class, within half a percent, as the mean of few queries is no more precise.
void print_cost_error(const RegretInput& input);

/// Prints a row for each selected share: CPU time a query, one by one and `count` at once,
/// with the default class and with an exact scan.
void print_batches(const RegretInput& input, std::size_t count);

}  // namespace cairn::compare
