#pragma once
// SmallBudget: a memory budget of one mebibyte, for tests of code that charges a statement's
// budget.

#include "query/execute/budget.hpp"

#include <cstddef>

namespace cairn::query {

struct SmallBudget {
  static constexpr std::size_t limit = std::size_t{1} << 20;

  static StatementOptions options() {
    StatementOptions limits;
    limits.memory_bytes = limit;
    return limits;
  }
  [[nodiscard]] std::size_t used() const { return limit - budget.free_bytes(); }

  Budget budget{options()};
};

}  // namespace cairn::query
