#pragma once
// GraphSteps: a selection of the graph, read as an algorithm walks over it. For those that see a part of it: each list is read
// once, through the statement's GraphReader.

#include "engine/algorithm/array.hpp"
#include "engine/algorithm/step_source.hpp"
#include "query/algorithm/graph_selection.hpp"
#include "query/algorithm/node_numbers.hpp"
#include "query/algorithm/weight_reader.hpp"

#include <cairn/result.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace cairn::query {

/// Charged to the statement: 24 bytes a step, some 80 a node, and what NodeNumbers takes. Threads: one. The selection must outlive it.
class GraphSteps final : public engine::StepSource {
 public:
  GraphSteps(ExecutionContext& context, const GraphSelection& selection, WeightReader::Range range);

  /// The number of a node, which is met by it; nothing where the selection has not got it.
  [[nodiscard]] Result<std::optional<std::uint32_t>> find(std::uint64_t id);
  [[nodiscard]] std::uint64_t id(std::uint32_t node) const noexcept { return numbers_.id(node); }

  [[nodiscard]] std::uint32_t size() const noexcept override {
    return static_cast<std::uint32_t>(numbers_.size());
  }
  [[nodiscard]] Result<std::span<const engine::WeightedStep>> steps(std::uint32_t node,
                                                                    bool forward) override;

 private:
  using List = engine::Array<engine::WeightedStep>;
  struct Lists {
    std::optional<List> forward;
    std::optional<List> backward;
  };

  [[nodiscard]] Result<std::uint32_t> number(std::uint64_t id);
  [[nodiscard]] Result<List> read(std::uint64_t id, engine::Direction direction);
  [[nodiscard]] Status read_weights(List& list);

  ExecutionContext& context_;
  const GraphSelection& selection_;
  WeightReader weights_;
  NodeNumbers numbers_;
  engine::Array<Lists> lists_;
  std::vector<engine::Adjacent> found_;
};

}  // namespace cairn::query
