#pragma once
// CountedLimits: limits for algorithms in tests, which count what is held and end work on request.

#include "engine/system/limits.hpp"

#include <cairn/result.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>

namespace cairn::test {

class CountedLimits final : public engine::Limits {
 public:
  [[nodiscard]] Status step(std::uint64_t count) override {
    steps += count;
    if (steps <= most_steps) return {};
    return Error{ErrorCode::cancelled, "cancelled", std::nullopt};
  }
  [[nodiscard]] Status check_room(std::size_t bytes) const override {
    if (held + bytes <= most_bytes) return {};
    return Error{ErrorCode::resource_limit, "no room", std::nullopt};
  }
  [[nodiscard]] Status charge(std::size_t bytes) override {
    CAIRN_TRY(check_room(bytes));
    held += bytes;
    return {};
  }
  void release(std::size_t bytes) noexcept override { held -= bytes; }

  std::uint64_t steps = 0;
  std::uint64_t most_steps = std::numeric_limits<std::uint64_t>::max();
  std::size_t held = 0;
  std::size_t most_bytes = std::numeric_limits<std::size_t>::max() / 2;
};

}  // namespace cairn::test
