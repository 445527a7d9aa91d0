#pragma once
// What the filter operators mean: of the values at a path, true or false and never unknown.

#include <cairn/filter.hpp>
#include <cairn/result.hpp>
#include <cairn/value.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace cairn::engine {
class Limits;
}

namespace cairn::query {

/// One question of a filter: an operator with its value, checked by check_operand().
struct FilterTest {
  FilterOperator op = FilterOperator::equals;
  const Value& operand;
  bool coerce = false;
  bool normalize = false;            ///< texts in Unicode form NFC
  std::int64_t now = 0;              ///< for relative times, microseconds UTC
  engine::Limits* limits = nullptr;  ///< of the statement that asks
};

/// Append what is found at `keys` below `value`: maps are entered, and each map of a list. Elements
/// of a list at the end of the path are not taken apart. Absent is nothing, a stored null is null.
void append_reached(const Value& value, std::span<const std::string> keys,
                    std::vector<Value>& reached);

/// Whether a field that holds these values passes; none is an absent field.
/// Errors: invalid_argument from a pattern or a date.
[[nodiscard]] Result<bool> passes(const FilterTest& test, std::span<const Value> reached);

/// The positive operator of which this one is the complement, itself for all others.
[[nodiscard]] FilterOperator positive_of(FilterOperator op) noexcept;
/// Whether the operator is the complement of another.
[[nodiscard]] bool is_negative(FilterOperator op) noexcept;
/// Whether a negative operator is true of records without the field.
[[nodiscard]] bool passes_missing(FilterOperator op) noexcept;

/// A path in the form that in_directory compares: '/' between components, no '.', '..', doubled or
/// final '/'.
[[nodiscard]] std::string normal_path(std::string_view path);

}  // namespace cairn::query
