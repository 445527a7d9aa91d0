#pragma once

#include "engine/system/limits.hpp"

#include <cstdint>

namespace cairn::query {

/// Refuses the step after `left` of them.
class FewSteps final : public engine::Limits {
 public:
  explicit FewSteps(std::uint64_t left) : left_(left) {}
  Status step(std::uint64_t steps) override {
    if (steps > left_) return Error{ErrorCode::resource_limit, "no more steps", {}};
    left_ -= steps;
    return {};
  }
  Status check_room(std::size_t) const override { return {}; }
  Status charge(std::size_t) override { return {}; }
  void release(std::size_t) noexcept override {}

 private:
  std::uint64_t left_;
};

}  // namespace cairn::query
