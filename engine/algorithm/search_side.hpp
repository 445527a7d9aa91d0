#pragma once
// SearchSide: one end of a search for a shortest path, with what it has reached.

#include "engine/algorithm/array.hpp"
#include "engine/algorithm/step_source.hpp"
#include "engine/system/limits.hpp"

#include <cairn/result.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <tuple>

namespace cairn::engine {

class SearchSide {
 public:
  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
  static constexpr double unreached = std::numeric_limits<double>::infinity();

  /// How a node was reached.
  struct Reached {
    double cost = unreached;
    double weight = 0;               ///< of the last step
    std::uint64_t relationship = 0;  ///< that one
    std::uint32_t from = none;
    bool is_settled = false;
  };

  explicit SearchSide(Limits& limits) noexcept : reached_(limits), heap_(limits) {}

  /// Nodes up to `size` may be asked for.
  [[nodiscard]] Status make_room(std::size_t size) { return reached_.grow(size); }
  [[nodiscard]] Reached& at(std::uint32_t node) noexcept { return reached_[node]; }
  [[nodiscard]] const Reached& at(std::uint32_t node) const noexcept { return reached_[node]; }

  /// Wait with a node until all nearer ones are taken. `order` is its cost, or that and an estimate.
  [[nodiscard]] Status wait(std::uint32_t node, double order) {
    CAIRN_TRY(heap_.push_back({order, node}));
    std::push_heap(heap_.begin(), heap_.end(), std::greater<>());
    return {};
  }
  [[nodiscard]] bool is_done() const noexcept { return heap_.empty(); }
  /// Of the node that comes next.
  [[nodiscard]] double least() const noexcept { return std::get<0>(heap_[0]); }
  [[nodiscard]] std::uint32_t take() noexcept {
    std::pop_heap(heap_.begin(), heap_.end(), std::greater<>());
    const std::uint32_t node = std::get<1>(heap_.back());
    heap_.pop_back();
    return node;
  }

 private:
  Array<Reached> reached_;  // by node
  Array<std::tuple<double, std::uint32_t>> heap_;
};

}  // namespace cairn::engine
