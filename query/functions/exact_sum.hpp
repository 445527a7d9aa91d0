#pragma once
// A sum of floats that carries its rounding error along (Neumaier, 1974), so that the order and the
// number of the addends hardly matter.

#include <cmath>

namespace cairn::query {

class ExactSum {
 public:
  /// What the addition has rounded away is kept; the smaller addend is the one that lost digits.
  void add(double number) noexcept {
    const double sum = sum_ + number;
    const bool sum_is_larger = std::fabs(sum_) >= std::fabs(number);
    error_ += sum_is_larger ? (sum_ - sum) + number : (number - sum) + sum_;
    sum_ = sum;
  }

  /// An infinite sum has no error term: it would be infinity minus infinity.
  [[nodiscard]] double total() const noexcept { return std::isfinite(sum_) ? sum_ + error_ : sum_; }

 private:
  double sum_ = 0;
  double error_ = 0;
};

}  // namespace cairn::query
