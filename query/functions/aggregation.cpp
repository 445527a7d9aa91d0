// count, sum, avg, min, max, collect. Nulls never arrive here: the caller skips them.
// One aggregator a group and call, made by the registry's entry. add() takes the arguments of one
// row, finish() gives the value, of no rows too: count 0, sum 0, collect [], all others null. What
// is held: a number or two, but for collect(), whose bytes the caller charges to the statement's
// limit.

#include "codec/ordered_key.hpp"
#include "codec/value_extent.hpp"
#include "query/functions/call.hpp"
#include "query/functions/function_entry.hpp"
#include "query/functions/numbers.hpp"
#include "query/functions/value_semantics.hpp"

namespace cairn::query {
namespace {

/// Rows where it has no argument, values where it has one.
/// count(*) hands in no argument, count(x) only rows where x is not null; both count calls.
class Count : public Aggregator {
 public:
  Status add(std::span<const Value>) override {
    ++count_;
    return {};
  }
  Result<Value> finish(engine::Limits* /*limits*/) override { return Value(count_); }

 private:
  std::int64_t count_ = 0;
};

/// sum() and avg() take what has an addition with a zero.
bool is_summable(const Value& value) {
  return value.is_number() || value.type() == ValueType::duration;
}

/// Names the value: among a million rows the bad one is hard to find otherwise.
Error not_summable(std::string_view name, const Value& value) {
  return {ErrorCode::type_error,
          std::string(name).append("() needs numbers or durations, got ").append(described(value)),
          {}};
}

/// Integers are summed as integers, whose overflow is an error, until the first float comes; floats
/// with their rounding errors carried along; durations part by part.
/// NaN among the floats makes the sum NaN, as IEEE 754 has it.
class Sum : public Aggregator {
 public:
  Status add(std::span<const Value> arguments) override {
    const Value& value = arguments[0];
    if (!is_summable(value)) return not_summable("sum", value);
    if (const auto* number = value.get_if<double>()) return add_float(*number);
    CAIRN_ASSIGN(total_, query::add(total_.is_null() ? zero_like(value) : total_, value));
    return {};
  }

  Status add_integer(std::int64_t number) override {
    const auto* const total = total_.get_if<std::int64_t>();
    std::int64_t sum = 0;
    if (total != nullptr && !__builtin_add_overflow(*total, number, &sum)) {
      total_ = sum;
      return {};
    }
    return Aggregator::add_integer(number);
  }
  Status add_float(double number) override {
    floats_.add(number);
    has_floats_ = true;
    return {};
  }

  // Integers beside floats are added at the end, once, so that they lose no digits on the way.
  Result<Value> finish(engine::Limits* /*limits*/) override {
    if (!has_floats_) return total_.is_null() ? Value(0) : total_;
    if (total_.is_null()) return Value(floats_.total());
    return query::add(total_, Value(floats_.total()));
  }

 private:
  static Value zero_like(const Value& value) {
    return value.type() == ValueType::duration ? Value(Duration{}) : Value(0);
  }

  Value total_;  // of integers or durations; null before the first
  ExactSum floats_;
  bool has_floats_ = false;
};

/// Always a float for numbers, a duration for durations.
/// A running mean would be cheaper, but sum and count keep the exact result of few values.
/// Numbers and durations together are an error, reported at the end.
class Average : public Aggregator {
 public:
  /// As floats from the first on: the mean of integers is not an integer, and their sum could overflow.
  Status add(std::span<const Value> arguments) override {
    const Value& value = arguments[0];
    if (!is_summable(value)) return not_summable("avg", value);
    if (value.is_number()) return add_float(float_of(value));
    ++count_;
    CAIRN_ASSIGN(durations_, query::add(durations_, value));
    return {};
  }
  Status add_integer(std::int64_t number) override { return add_float(static_cast<double>(number)); }
  Status add_float(double number) override {
    numbers_.add(number);
    ++count_;
    ++number_count_;
    return {};
  }

  Result<Value> finish(engine::Limits* /*limits*/) override {
    if (count_ == 0) return Value();
    if (number_count_ == 0) return query::divide(durations_, Value(count_));
    if (number_count_ == count_) return Value(numbers_.total() / static_cast<double>(count_));
    return Error{ErrorCode::type_error, "avg() cannot mix numbers and durations", {}};
  }

 private:
  std::int64_t count_ = 0;
  std::int64_t number_count_ = 0;
  ExactSum numbers_;
  Value durations_ = Duration{};
};

/// The first or last value in the order of ORDER BY, which any two values have.
/// Values of different types are ordered by type first, so that no mix of values is an error.
/// Numbers are compared by value, 1 before 1.5; of equal ones, 1 and 1.0, the first stays. NaN is
/// the greatest number.
template <int wanted>
class Extreme : public Aggregator {
 public:
  Status add(std::span<const Value> arguments) override {
    const int order = has_value_ ? codec::compare_ordered(arguments[0], extreme_) : wanted;
    if (order * wanted > 0) extreme_ = arguments[0];
    has_value_ = true;
    return {};
  }
  Result<Value> finish(engine::Limits* /*limits*/) override { return extreme_; }

 private:
  Value extreme_;
  bool has_value_ = false;
};

/// Keeps the order in which rows came. DISTINCT is the caller's, before the values arrive here.
/// The size is charged after each value, so that the limit stops a list while it grows. What values share
/// counts every time: the list may have no larger extent than the limit.
class Collect : public Aggregator {
 public:
  Status add(std::span<const Value> arguments) override {
    bytes_ += codec::extent_of(arguments[0]).bytes - sizeof(Value);  // the cell is charged below
    items_.push_back(arguments[0]);
    return {};
  }
  Result<Value> finish(engine::Limits* /*limits*/) override { return Value(std::move(items_)); }
  /// A list that doubles with the next value is there twice while it does: both are charged ahead.
  std::size_t memory_bytes() const noexcept override {
    const std::size_t growth = items_.size() < items_.capacity() ? 0 : 2 * items_.capacity();
    return sizeof *this + bytes_ + (items_.capacity() + growth) * sizeof(Value);
  }

 private:
  List items_;
  std::size_t bytes_ = 0;
};

// Aggregates are never called as functions: the planner takes them out of their expressions.

}  // namespace

FunctionFamily aggregate_functions() {
  static constexpr FunctionEntry functions[] = {
      aggregate_entry<"avg(value)", Average>(),     aggregate_entry<"collect(value)", Collect>(),
      aggregate_entry<"count(value?)", Count>(),    aggregate_entry<"max(value)", Extreme<1>>(),
      aggregate_entry<"min(value)", Extreme<-1>>(), aggregate_entry<"sum(value)", Sum>(),
  };
  return functions;
}

}  // namespace cairn::query
