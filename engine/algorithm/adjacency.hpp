#pragma once
// Adjacency: the graph of an algorithm, as the neighbours of each node (compressed sparse rows).
//
// Nodes are the numbers 0 to nodes() - 1. Parallel relationships and loops are entries like others, unless simplified() took
// them out.

#include "engine/algorithm/array.hpp"
#include "engine/system/limits.hpp"

#include <cairn/result.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

namespace cairn::engine {

/// What looking at one entry costs, for a Pace.
inline constexpr std::uint64_t entry_bytes = 16;

class Adjacency {
 public:
  explicit Adjacency(Limits& limits) noexcept
      : offsets_(limits), neighbours_(limits), weights_(limits) {}

  /// The entries of one node. Without weights each weighs 1.
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

  // Making one: lists come in the order of their nodes, either all with weights or all without. Errors: resource_limit,
  // cancelled.

  [[nodiscard]] Status begin(std::size_t nodes);
  [[nodiscard]] Status add(std::uint32_t neighbour) { return neighbours_.push_back(neighbour); }
  [[nodiscard]] Status add_weight(double weight) { return weights_.push_back(weight); }
  /// The list of the next node is complete.
  [[nodiscard]] Status end_list() { return offsets_.push_back(neighbours_.size()); }

  // Others of it. Cost: a pass over the entries each. Errors: resource_limit, cancelled.

  /// Each entry turned around; the lists are ascending.
  [[nodiscard]] Result<Adjacency> transposed(Limits& limits) const;
  /// Each entry in the lists of both ends, a loop once; the lists are ascending.
  [[nodiscard]] Result<Adjacency> undirected(Limits& limits) const;
  /// Without loops, each neighbour once, with the least weight of those that there were. The lists must be ascending.
  [[nodiscard]] Result<Adjacency> simplified(Limits& limits) const;

 private:
  /// The places at which the lists of a transposed one begin, given how long they are.
  [[nodiscard]] Status lay_out(std::size_t nodes, std::size_t entries, bool with_weights);

  Array<std::size_t> offsets_;  // one more than nodes
  Array<std::uint32_t> neighbours_;
  Array<double> weights_;
};

}  // namespace cairn::engine
