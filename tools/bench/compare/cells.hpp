#pragma once
// Filters to search under, and what the right answers are.

#include "tools/bench/compare/cairn_peer.hpp"
#include "tools/bench/compare/peer.hpp"

#include <string>

namespace cairn::compare {

using Bits = std::vector<std::uint64_t>;

/// One filter for all queries, or one for each.
struct Cell {
  std::string name;
  double share = 1;                ///< of the rows that are allowed
  std::int64_t top = 0;            ///< uncorrelated: rows with p < top; 0: all rows
  std::vector<Bits> filters = {};  ///< one, or one a query
  std::vector<std::vector<std::uint32_t>> truth =
      {};  ///< the k nearest of each query, ascending rows

  [[nodiscard]] Allowed allowed(std::size_t query) const {
    return filters.size() > 1 ? filters[query] : filters.front();
  }
};

/// 0 to 9,999 for each row, drawn evenly: the property `p`.
[[nodiscard]] std::vector<std::int64_t> draw_p(std::size_t rows);
/// 100 to 0.01 %, by p.
[[nodiscard]] std::vector<Cell> uncorrelated_cells(std::span<const std::int64_t> p);
/// VectorRows in 256 topics, each around one of them: those of the topics nearest to the query are
/// allowed, or those of the farthest, until the share is full.
[[nodiscard]] std::vector<Cell> correlated_cells(const VectorRows& rows, const VectorRows& queries,
                                                 std::span<const double> shares);
/// Fill in the truth by comparing all.
void answer(Cell& cell, const VectorRows& rows, const VectorRows& queries, std::size_t k);

/// One effort of one peer in one cell.
struct Point {
  std::size_t effort = 0;
  double recall = 0;
  double us = 0;  ///< of one thread's processor time, a query
};

/// The best of two passes over all queries.
[[nodiscard]] Point measure(Peer& peer, const Cell& cell, const VectorRows& queries, std::size_t k,
                            std::size_t effort);
/// From little effort to much, until nearly all is found.
[[nodiscard]] std::vector<Point> curve_of(Peer& peer, const Cell& cell, const VectorRows& queries,
                                          std::size_t k);
/// The time at which a curve reaches `recall`, between two points by the logarithm of the time; 0
/// where it never does.
[[nodiscard]] double time_at(std::span<const Point> curve, double recall);

}  // namespace cairn::compare
