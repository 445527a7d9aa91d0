#pragma once
// TypeOrder: the order of relationship types by their names. The numbers of types tell in which order the callers of all
// namespaces first used the names, so no answer may depend on them.

#include "engine/view/view.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace cairn::query {

/// Sorts by the names of types. Compares names only when it meets a type for the first time. Threads: one at a time.
class TypeOrder {
 public:
  /// `view` must outlive the object.
  explicit TypeOrder(const engine::View& view) : view_(view) {}

  /// Sorts items with different types. `type_of` returns the type of an item.
  template <class Item, class TypeOf>
  void sort(std::span<Item> items, TypeOf type_of) {
    if (items.size() < 2) return;
    for (const Item& item : items) learn(std::invoke(type_of, item));
    std::ranges::sort(items, {},
                      [&](const Item& item) { return rank(std::invoke(type_of, item)); });
  }

  /// Sorts relationships of one node and direction: by type, then by neighbour and id. Cost: a pass if they are in this
  /// order, as those of a single type are.
  void sort_steps(std::span<engine::Adjacent> steps);

 private:
  void learn(std::uint32_t type) {
    if (type >= ranks_.size() || ranks_[type] == 0) add(type);
  }
  void add(std::uint32_t type);
  void take_all(std::uint32_t type);
  /// Grows with the name. Valid until the next learn().
  [[nodiscard]] std::uint32_t rank(std::uint32_t type) const noexcept { return ranks_[type]; }

  const engine::View& view_;
  std::vector<std::uint32_t> known_;  // the types met so far, in the order of their names
  std::vector<std::uint32_t> ranks_;  // by type: one more than its place in known_; 0 if not met
};

}  // namespace cairn::query
