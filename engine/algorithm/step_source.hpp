#pragma once
// StepSource: a graph that is read on demand, for algorithms that visit only a part of it.

#include <cairn/result.hpp>

#include <cstdint>
#include <span>

namespace cairn::engine {

/// One relationship, seen from one of its ends.
struct WeightedStep {
  std::uint32_t node = 0;  ///< the other end
  double weight = 1;
  std::uint64_t relationship = 0;  ///< its id in the database
};

/// Nodes are numbered from 0 in the order in which the source first returns them. Threads: one at a time.
class StepSource {
 public:
  virtual ~StepSource() = default;
  /// The number of nodes that have a number so far. A call of steps() may raise it.
  [[nodiscard]] virtual std::uint32_t size() const noexcept = 0;
  /// Returns the steps that leave a node if `forward`, otherwise the steps that lead to the node. The result is valid
  /// as long as the source.
  /// Errors: those of reading the graph.
  [[nodiscard]] virtual Result<std::span<const WeightedStep>> steps(std::uint32_t node,
                                                                    bool forward) = 0;
};

}  // namespace cairn::engine
