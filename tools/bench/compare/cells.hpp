#pragma once
// Filters to search under, and the true answers for each.

#include "tools/bench/compare/cairn_peer.hpp"
#include "tools/bench/compare/peer.hpp"

#include <string>

namespace cairn::compare {

using Bits = std::vector<std::uint64_t>;

/// One filter for all queries, or one filter per query.
struct Cell {
  std::string name;
  double share = 1;      ///< share of the rows that are allowed
  std::int64_t top = 0;  ///< for uncorrelated filters: rows with p < top pass; 0: all rows
  std::vector<Bits> filters = {};  ///< one, or one per query
  std::vector<std::vector<std::uint32_t>> truth =
      {};  ///< the k nearest rows of each query, in ascending order

  [[nodiscard]] Allowed allowed(std::size_t query) const {
    return filters.size() > 1 ? filters[query] : filters.front();
  }
};

/// Draws a number from 0 to 9,999 for each row: the property `p`.
[[nodiscard]] std::vector<std::int64_t> draw_p(std::size_t rows);
/// Cells that allow 100 % to 0.01 % of the rows by their number p.
[[nodiscard]] std::vector<Cell> uncorrelated_cells(std::span<const std::int64_t> p);
/// Divides the rows into 256 topics, each around one of the rows. A cell allows the topics most or
/// least similar to the query until the share is reached.
[[nodiscard]] std::vector<Cell> correlated_cells(const VectorRows& rows, const VectorRows& queries,
                                                 std::span<const double> shares);
/// Fills in the true answers by comparing each query with all allowed rows.
void answer(Cell& cell, const VectorRows& rows, const VectorRows& queries, std::size_t k);

/// Result of one engine in one cell with one effort.
struct Point {
  std::size_t effort = 0;
  double recall = 0;
  double us = 0;  ///< processor time of one thread per query
};

/// Passes over all queries with one effort; takes the faster of two passes if they are short.
[[nodiscard]] Point measure(Peer& peer, const Cell& cell, const VectorRows& queries, std::size_t k,
                            std::size_t effort);
/// Measures ascending efforts until nearly all true neighbours are found.
[[nodiscard]] std::vector<Point> curve_of(Peer& peer, const Cell& cell, const VectorRows& queries,
                                          std::size_t k);
/// The time at which a curve reaches `recall`, interpolated between two points; 0 if it never does.
[[nodiscard]] double time_at(std::span<const Point> curve, double recall);

}  // namespace cairn::compare
