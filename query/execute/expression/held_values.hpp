#pragma once
// HeldValues: what is at hand while an expression goes on, held against the memory limit.

#include "codec/value_extent.hpp"
#include "query/execute/budget.hpp"
#include "query/execute/holding.hpp"

#include <cairn/result.hpp>
#include <cairn/value.hpp>

#include <cstddef>

namespace cairn::query {

/// Charges large values until it goes: operands and arguments that wait for the next one. Small ones, which
/// most are, cost a look at their type.
class HeldValues {
 public:
  explicit HeldValues(Budget& budget) noexcept : budget_(budget) {}
  ~HeldValues() {
    if (bytes_ > 0) budget_.release(bytes_);
  }
  HeldValues(const HeldValues&) = delete;
  HeldValues& operator=(const HeldValues&) = delete;

  [[nodiscard]] Status add(const Value& value) {
    if (codec::extent_of(value).bytes < least_bytes) return {};
    const std::size_t bytes = memory_bytes(value);
    CAIRN_TRY(budget_.charge(bytes));
    bytes_ += bytes;
    return budget_.step(bytes / 1'024);  // it was copied, or made
  }

 private:
  static constexpr std::size_t least_bytes = 16'384;

  Budget& budget_;
  std::size_t bytes_ = 0;
};

}  // namespace cairn::query
