#pragma once
// StepSource: a graph of which an algorithm sees what it walks over, for those that need a part of it.

#include <cairn/result.hpp>

#include <cstdint>
#include <span>

namespace cairn::engine {

/// One relationship from a node.
struct WeightedStep {
  std::uint32_t node = 0;  ///< where it leads
  double weight = 1;
  std::uint64_t relationship = 0;
};

/// Nodes are numbers from 0 on, in the order in which they were met. One thread.
class StepSource {
 public:
  virtual ~StepSource() = default;
  /// How many nodes were met so far.
  [[nodiscard]] virtual std::uint32_t size() const noexcept = 0;
  /// The steps from a node, or those that lead to it. Valid as long as the source. Errors: those of reading them.
  [[nodiscard]] virtual Result<std::span<const WeightedStep>> steps(std::uint32_t node,
                                                                    bool forward) = 0;
};

}  // namespace cairn::engine
