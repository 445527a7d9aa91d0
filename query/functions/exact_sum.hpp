#pragma once
// ExactSum: the sum of floats, rounded once at the end. So the sum depends neither on the order of the numbers nor on
// how they are divided among several sums.

#include <cstddef>
#include <vector>

namespace cairn::query {

/// Stores the sum as a few floats that only total() adds (Shewchuk, 1997). Most sums need two floats. If a partial sum
/// of finite numbers leaves the range of floats, the sum stays infinite, as in IEEE 754. Threads: one at a time.
class ExactSum {
 public:
  /// Adds a number. Only a rounding error that does not fit into the second float needs more work.
  void add(double number) {
    const Exact first = added(sum_, number);
    const Exact second = added(error_, first.lost);
    const bool is_small = first.sum < large && first.sum > -large;
    if (second.lost == 0 && is_small) {
      sum_ = first.sum;
      error_ = second.sum;
      return;
    }
    add_other(number, first.sum, second);
  }
  /// Adds all numbers of another sum.
  void add(const ExactSum& other);
  /// Returns the float that is nearest to the sum.
  [[nodiscard]] double total() const;
  /// True if the sum may have left the range of floats in another order.
  [[nodiscard]] bool depends_on_order() const noexcept { return is_large_; }
  /// Memory outside of the object.
  [[nodiscard]] std::size_t heap_bytes() const noexcept {
    return rests_.capacity() * sizeof(double);
  }

 private:
  // The sums of 2^32 numbers below this one are finite.
  static constexpr double large = 0x1p960;

  /// The rounded sum of two floats and what rounding has lost (Knuth). Not a number if the sum is not finite.
  struct Exact {
    double sum = 0;
    double lost = 0;
  };
  [[nodiscard]] static Exact added(double a, double b) noexcept {
    const double sum = a + b;
    const double part = sum - a;
    return {sum, (a - (sum - part)) + (b - part)};
  }
  static void add_to(std::vector<double>& parts, double number);
  [[nodiscard]] static double rounded(const std::vector<double>& parts) noexcept;
  void add_other(double number, double sum, const Exact& second);

  double sum_ = 0;
  double infinite_ = 0;        // sum of the numbers that are not finite; 0: all numbers are finite
  std::vector<double> rests_;  // the parts of the sum that are not in sum_ and error_
  double error_ =
      0;  // not next to sum_: compilers would store both at once, which delays the next addition
  bool is_large_ = false;  // whether a partial sum was large
};

}  // namespace cairn::query
