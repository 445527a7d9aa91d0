#pragma once
// How many records an operation has erased.

#include <cstdint>

namespace cairn::engine {

struct ErasedRecords {
  std::uint64_t nodes = 0;
  std::uint64_t relationships = 0;

  [[nodiscard]] std::uint64_t total() const noexcept { return nodes + relationships; }
};

}  // namespace cairn::engine
