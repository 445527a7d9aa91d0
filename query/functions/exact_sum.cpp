#include "query/functions/exact_sum.hpp"

#include <cmath>

namespace cairn::query {

void ExactSum::add(const ExactSum& other) {
  infinite_ += other.infinite_;
  is_large_ = is_large_ || other.is_large_;
  for (const double rest : other.rests_) add(rest);
  add(other.error_);
  add(other.sum_);
}

void ExactSum::add_other(double number, double sum, const Exact& second) {
  if (!std::isfinite(number)) {
    infinite_ += number;
    return;
  }
  // A finite number does not change a sum that is infinite or NaN.
  if (!std::isfinite(sum)) {
    is_large_ = true;
    if (infinite_ == 0) infinite_ = sum;
    return;
  }
  is_large_ = is_large_ || std::fabs(sum) >= large;
  sum_ = sum;
  error_ = second.sum;
  add_to(rests_, second.lost);
}

// The parts have no common digits and are in ascending order. The range of floats limits their number.
void ExactSum::add_to(std::vector<double>& parts, double number) {
  std::size_t kept = 0;
  for (const double part : parts) {
    const Exact both = added(part, number);
    if (both.lost != 0) parts[kept++] = both.lost;
    number = both.sum;
  }
  parts.resize(kept);
  if (number != 0) parts.push_back(number);
}

double ExactSum::total() const {
  if (infinite_ != 0) return infinite_;
  if (rests_.empty()) return sum_ + error_;
  std::vector<double> parts = rests_;
  add_to(parts, error_);
  add_to(parts, sum_);
  const double sum = rounded(parts);
  return std::isfinite(sum) ? sum : sum_ + error_;
}

// Adds from the greatest part down. Where the sum is half-way between two floats, the next part decides.
double ExactSum::rounded(const std::vector<double>& parts) noexcept {
  std::size_t left = parts.size();
  Exact sum;
  while (left > 0 && sum.lost == 0) sum = added(sum.sum, parts[--left]);
  const double below = left > 0 ? parts[left - 1] : 0;
  if (!((sum.lost < 0 && below < 0) || (sum.lost > 0 && below > 0))) return sum.sum;
  const Exact further = added(sum.sum, 2 * sum.lost);
  return further.sum - sum.sum == 2 * sum.lost ? further.sum : sum.sum;
}

}  // namespace cairn::query
