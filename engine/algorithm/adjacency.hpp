#pragma once
// Adjacency: the graph that an algorithm runs on, stored as the list of neighbours of each node (compressed sparse rows).
//
// Nodes are the numbers 0 to nodes() - 1. Lists may follow relationships in either direction or in both: the caller decides.
// Parallel relationships and loops are ordinary entries; simplified() removes them.

#include "engine/algorithm/array.hpp"
#include "engine/system/limits.hpp"

#include <cairn/result.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

namespace cairn::engine {

/// The bytes that reading one entry touches, as work reported to a Pace.
inline constexpr std::uint64_t entry_bytes = 16;

class Adjacency {
 public:
  explicit Adjacency(Limits& limits) noexcept
      : offsets_(limits), neighbours_(limits), weights_(limits) {}

  /// The entries of one node. `weights` is empty in a graph without weights, where each entry weighs 1.
  struct List {
    std::span<const std::uint32_t> neighbours;
    std::span<const double> weights;

    [[nodiscard]] std::size_t size() const noexcept { return neighbours.size(); }
    [[nodiscard]] double weight(std::size_t at) const noexcept {
      return weights.empty() ? 1.0 : weights[at];
    }
  };

  [[nodiscard]] std::size_t nodes() const noexcept {
    return offsets_.empty() ? 0 : offsets_.size() - 1;
  }
  [[nodiscard]] std::size_t entries() const noexcept { return neighbours_.size(); }
  [[nodiscard]] bool has_weights() const noexcept { return !weights_.empty(); }
  [[nodiscard]] List list(std::size_t node) const noexcept {
    const std::size_t first = offsets_[node];
    const std::size_t count = offsets_[node + 1] - first;
    return {neighbours_.span().subspan(first, count),
            weights_.empty() ? std::span<const double>() : weights_.span().subspan(first, count)};
  }

  // How to build a graph: call begin(), then for each node in ascending order add() its entries and end_list(). Either every
  // add() is followed by add_weight(), or none is. Errors of all: resource_limit, cancelled.

  /// Starts a graph of `nodes` nodes.
  [[nodiscard]] Status begin(std::size_t nodes);
  [[nodiscard]] Status add(std::uint32_t neighbour) { return neighbours_.push_back(neighbour); }
  [[nodiscard]] Status add_weight(double weight) { return weights_.push_back(weight); }
  /// Completes the list of the current node.
  [[nodiscard]] Status end_list() { return offsets_.push_back(neighbours_.size()); }

  // Graphs derived from this one. Cost of each: a constant number of passes over the entries. Errors: resource_limit,
  // cancelled.

  /// Returns the graph with each entry reversed. The lists of the result are ascending.
  [[nodiscard]] Result<Adjacency> transposed(Limits& limits) const;
  /// Returns the graph with each entry in the lists of both ends, and loops once. The lists of the result are ascending.
  [[nodiscard]] Result<Adjacency> undirected(Limits& limits) const;
  /// Returns the graph without loops and with each neighbour once, at the least weight of its parallel entries. The lists of
  /// this graph must be ascending.
  [[nodiscard]] Result<Adjacency> simplified(Limits& limits) const;

 private:
  /// Allocates the arrays of a graph of known size. Every offset is 0.
  [[nodiscard]] Status lay_out(std::size_t nodes, std::size_t entries, bool with_weights);

  Array<std::size_t> offsets_;  // by node: where its list begins; one more at the end
  Array<std::uint32_t> neighbours_;
  Array<double> weights_;
};

}  // namespace cairn::engine
