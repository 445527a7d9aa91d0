// Standard deviations and percentiles of numbers. Integers are converted to floats, except that percentileDisc()
// returns the original value. A deviation holds three numbers; a percentile holds all numbers until the end.

#include "codec/ordered_key.hpp"
#include "query/functions/call.hpp"
#include "query/functions/function_entry.hpp"
#include "query/functions/growing.hpp"
#include "query/functions/sequence.hpp"

#include <algorithm>
#include <cmath>

namespace cairn::query {
namespace {

/// Returns the number as a float. Errors: type_error for any other type.
Result<double> number_of(std::string_view name, const Value& value) {
  if (const auto* whole = value.get_if<std::int64_t>()) return static_cast<double>(*whole);
  if (const auto* number = value.get_if<double>()) return *number;
  return Error{
      ErrorCode::type_error, std::string(name) + "() needs a number, got " + described(value), {}};
}

/// Standard deviation by mean and sum of squared differences in one pass (Welford, 1962). The textbook formula, sum
/// of squares minus square of sums, loses all digits if the mean is large. `missing` is 1 for the estimate from a
/// sample and 0 for a whole population.
template <std::int64_t missing>
class Deviation : public Aggregator {
 public:
  /// Welford's update: constant memory, and no difference of two large sums.
  Status add(std::span<const Value> arguments) override {
    CAIRN_ASSIGN(const double x, number_of(missing == 1 ? "stDev" : "stDevP", arguments[0]));
    ++count_;
    const double difference = x - mean_;
    mean_ += difference / static_cast<double>(count_);
    squares_ += difference * (x - mean_);
    return {};
  }
  // A sample of one value has no spread. openCypher defines the result as 0 and not as null.
  Result<Value> finish(engine::Limits* /*limits*/) override {
    if (count_ <= missing) return Value(0.0);
    return Value(std::sqrt(squares_ / static_cast<double>(count_ - missing)));
  }

 private:
  std::int64_t count_ = 0;
  double mean_ = 0;
  double squares_ = 0;
};

enum class PercentileKind : std::uint8_t { continuous, discrete };

/// The value at a share of the sorted numbers. If the position is between two numbers, the continuous kind
/// interpolates and the discrete kind takes the nearest rank. NaN is sorted after all other numbers.
template <PercentileKind kind>
class Percentile : public Aggregator {
 public:
  /// Stores every number, because a percentile needs their order. The share is taken from the last row.
  Status add(std::span<const Value> arguments) override {
    CAIRN_TRY(number_of(name, arguments[0]));
    CAIRN_ASSIGN(share_, number_of(name, arguments[1]));
    if (!(share_ >= 0 && share_ <= 1))
      return Error{ErrorCode::invalid_argument,
                   std::string(name)
                       .append("(): the percentile must be between 0.0 and 1.0, not ")
                       .append(shown(arguments[1])),
                   {}};
    numbers_.push_back(arguments[0]);
    return {};
  }

  Result<Value> finish(engine::Limits* limits) override {
    if (numbers_.empty()) return Value();
    return kind == PercentileKind::continuous ? interpolated(limits) : taken(limits);
  }

  std::size_t memory_bytes() const noexcept override {
    const std::size_t growth = numbers_.size() < numbers_.capacity() ? 0 : 2 * numbers_.capacity();
    return sizeof *this + (numbers_.capacity() + growth) * sizeof(Value);
  }

 private:
  static constexpr std::string_view name =
      kind == PercentileKind::continuous ? "percentileCont" : "percentileDisc";

  static bool comes_first(const Value& a, const Value& b) {
    return codec::compare_ordered(a, b) < 0;
  }

  // Returns the number at an index of the sorted order without sorting all numbers.
  Result<List::iterator> at(engine::Limits* limits, std::size_t place) {
    const auto found = numbers_.begin() + static_cast<std::ptrdiff_t>(place);
    CAIRN_TRY(paced_select(limits, numbers_.begin(), found, numbers_.end(), comes_first));
    return found;
  }

  // Nearest rank: the smallest number such that at least this share of the numbers is not greater.
  Result<Value> taken(engine::Limits* limits) {
    const double place = std::ceil(share_ * static_cast<double>(numbers_.size())) - 1;
    CAIRN_ASSIGN(const auto found, at(limits, place < 0 ? 0 : static_cast<std::size_t>(place)));
    return *found;
  }

  // Interpolates linearly between two neighbours and returns a float. Exact if the position is a whole number.
  Result<Value> interpolated(engine::Limits* limits) {
    const double place = share_ * static_cast<double>(numbers_.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    CAIRN_ASSIGN(const auto found, at(limits, below));
    CAIRN_ASSIGN(const double low, number_of(name, *found));
    const double part = place - std::floor(place);
    if (part == 0) return Value(low);
    // No number after `found` is smaller, so the least of them is the next in order.
    CAIRN_ASSIGN(const auto next, paced_least(limits, found + 1, numbers_.end(), comes_first));
    CAIRN_ASSIGN(const double high, number_of(name, *next));
    return Value(low * (1 - part) + high * part);
  }

  List numbers_;
  double share_ = 0;
};

// The percentile is an argument of each row, although it should be constant within a group.

}  // namespace

FunctionFamily statistical_aggregates() {
  static constexpr FunctionEntry functions[] = {
      aggregate_entry<"percentileCont(value, percentile)",
                      Percentile<PercentileKind::continuous>>(),
      aggregate_entry<"percentileDisc(value, percentile)", Percentile<PercentileKind::discrete>>(),
      aggregate_entry<"stDev(value)", Deviation<1>>(),
      aggregate_entry<"stDevP(value)", Deviation<0>>(),
  };
  return functions;
}

}  // namespace cairn::query
