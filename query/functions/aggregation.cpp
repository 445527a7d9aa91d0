// The aggregates count, sum, avg, min, max and collect.
//
// The evaluator makes one aggregator for each group and call. It calls add() with the arguments of each row, but skips
// nulls, and finish() at the end. Without rows, count and sum are 0, collect is [], and all others are null. Most
// aggregators hold one or two numbers. The caller charges the memory of collect(), min() and max() to the statement.

#include "codec/ordered_key.hpp"
#include "codec/value_extent.hpp"
#include "query/functions/call.hpp"
#include "query/functions/exact_sum.hpp"
#include "query/functions/function_entry.hpp"
#include "query/functions/numbers.hpp"
#include "query/functions/value_semantics.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <iterator>
#include <utility>

namespace cairn::query {
namespace {

/// Counts calls of add(): for count(*) all rows, and for count(x) the rows in which x is not null.
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

/// True for types with an addition and a zero.
bool is_summable(const Value& value) {
  return value.is_number() || value.type() == ValueType::duration;
}

/// The message shows the value, because the wrong value is hard to find among a million rows.
Error not_summable(std::string_view name, const Value& value) {
  return {ErrorCode::type_error,
          std::string(name).append("() needs numbers or durations, got ").append(described(value)),
          {}};
}

/// Integers are added as integers until the end, and an overflow is an error. Floats are added exactly, and the sum is
/// rounded once. Durations are added part by part. A NaN makes the sum NaN, as in IEEE 754.
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

  Divisible divisible() const noexcept override { return Divisible::numbers; }
  Result<bool> join(const Aggregator& other) override {
    const auto& from = static_cast<const Sum&>(other);
    floats_.add(from.floats_);
    has_floats_ = has_floats_ || from.has_floats_;
    if (const auto* total = from.total_.get_if<std::int64_t>()) CAIRN_TRY(add_integer(*total));
    return !floats_.depends_on_order();
  }
  std::size_t memory_bytes() const noexcept override { return sizeof *this + floats_.heap_bytes(); }

  // Integers and floats are added separately, and the two sums are added once at the end, so that integers lose no
  // digits before.
  Result<Value> finish(engine::Limits* /*limits*/) override {
    if (!has_floats_) return total_.is_null() ? Value(0) : total_;
    if (total_.is_null()) return Value(floats_.total());
    return query::add(total_, Value(floats_.total()));
  }

 private:
  static Value zero_like(const Value& value) {
    return value.type() == ValueType::duration ? Value(Duration{}) : Value(0);
  }

  Value total_;  // sum of integers or durations; null before the first one
  ExactSum floats_;
  bool has_floats_ = false;
};

/// Returns a float for numbers and a duration for durations. A running mean would be cheaper, but sum and count give
/// exact results for few values. Numbers and durations together are an error, reported at the end.
class Average : public Aggregator {
 public:
  /// Adds all numbers as floats: the mean of integers is not an integer, and their sum could overflow.
  Status add(std::span<const Value> arguments) override {
    const Value& value = arguments[0];
    if (!is_summable(value)) return not_summable("avg", value);
    if (value.is_number()) return add_float(float_of(value));
    ++count_;
    CAIRN_ASSIGN(durations_, query::add(durations_, value));
    return {};
  }
  Status add_integer(std::int64_t number) override {
    return add_float(static_cast<double>(number));
  }
  Status add_float(double number) override {
    numbers_.add(number);
    ++count_;
    ++number_count_;
    return {};
  }

  Divisible divisible() const noexcept override { return Divisible::numbers; }
  Result<bool> join(const Aggregator& other) override {
    const auto& from = static_cast<const Average&>(other);
    numbers_.add(from.numbers_);
    count_ += from.count_;
    number_count_ += from.number_count_;
    return !numbers_.depends_on_order();
  }
  std::size_t memory_bytes() const noexcept override {
    return sizeof *this + numbers_.heap_bytes();
  }

  Result<Value> finish(engine::Limits* /*limits*/) override {
    if (count_ == 0) return Value();
    if (number_count_ == 0) return query::divide(durations_, Value(count_));
    if (number_count_ == count_) return Value(numbers_.total() / static_cast<double>(count_));
    return Error{ErrorCode::type_error,
                 "avg() got both numbers and durations; average each type in a call of its own",
                 {}};
  }

 private:
  std::int64_t count_ = 0;
  std::int64_t number_count_ = 0;
  ExactSum numbers_;
  Value durations_ = Duration{};
};

/// True only if no function can distinguish two equal values of this type, as 1 and 1.0 can be distinguished.
bool are_alike(const Value& a, const Value& b) {
  using enum ValueType;
  constexpr ValueType kinds[] = {boolean, integer,         string,    date,    local_time,
                                 time,    local_date_time, date_time, duration};
  if (a.type() != b.type()) return false;
  if (const auto* number = a.get_if<double>())
    return std::bit_cast<std::uint64_t>(*number) == std::bit_cast<std::uint64_t>(b.as_float());
  return std::ranges::find(kinds, a.type()) != std::end(kinds);
}

/// The first or last value in the order of ORDER BY, which is defined for any two values: types are ordered first, so
/// mixed types are not an error. Numbers are compared by value. Of equal numbers such as 1 and 1.0, the first one is
/// returned. NaN is the greatest number.
template <int wanted>
class Extreme : public Aggregator {
 public:
  Status add(std::span<const Value> arguments) override {
    const int order = has_value_ ? codec::compare_ordered(arguments[0], extreme_) : wanted;
    if (order * wanted > 0) extreme_ = arguments[0];
    has_value_ = true;
    return {};
  }
  Divisible divisible() const noexcept override { return Divisible::all; }
  Result<bool> join(const Aggregator& other) override {
    const auto& from = static_cast<const Extreme&>(other);
    if (!from.has_value_) return true;
    if (has_value_ && codec::compare_ordered(from.extreme_, extreme_) == 0)
      return are_alike(from.extreme_, extreme_);
    CAIRN_TRY(add({&from.extreme_, 1}));
    return true;
  }
  Result<Value> finish(engine::Limits* /*limits*/) override { return std::move(extreme_); }
  std::size_t memory_bytes() const noexcept override {
    return sizeof *this + codec::extent_of(extreme_).bytes;
  }

 private:
  Value extreme_;
  bool has_value_ = false;
};

/// Collects values in the order of rows. For DISTINCT, the caller has removed duplicates. The size is charged after
/// each value, so that the limit stops a growing list. Shared content is counted once for each value, so that the
/// extent of the list is limited.
class Collect : public Aggregator {
 public:
  Status add(std::span<const Value> arguments) override {
    // The list cell is counted in memory_bytes().
    bytes_ += codec::extent_of(arguments[0]).bytes - sizeof(Value);
    items_.push_back(arguments[0]);
    return {};
  }
  Result<Value> finish(engine::Limits* /*limits*/) override { return Value(std::move(items_)); }
  /// Includes the next growth of the list: during it, the old and the new array exist at the same time.
  std::size_t memory_bytes() const noexcept override {
    const std::size_t growth = items_.size() < items_.capacity() ? 0 : 2 * items_.capacity();
    return sizeof *this + bytes_ + (items_.capacity() + growth) * sizeof(Value);
  }

 private:
  List items_;
  std::size_t bytes_ = 0;
};

// The binder moves aggregates out of their expressions, so they are never called as functions.

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
