#pragma once
// The filter operators: whether the values at a path pass a test. The result is never unknown.

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

/// One test of a filter: an operator and its operand, which check_operand() has accepted.
struct FilterTest {
  FilterOperator op = FilterOperator::equals;
  const Value& operand;
  bool coerce = false;
  bool normalize = false;            ///< compare texts in Unicode form NFC
  std::int64_t now = 0;              ///< for relative times; microseconds since 1970 UTC
  engine::Limits* limits = nullptr;  ///< of the statement; nullptr: no limits
};

/// Appends the values at the path `keys` below `value`. Enters maps, and each map in a list. A list at the end of the
/// path is appended as a whole. An absent key appends nothing; a stored null appends null.
void append_reached(const Value& value, std::span<const std::string> keys,
                    std::vector<Value>& reached);

/// True if a field with these values passes; an empty span is an absent field. Errors: invalid_argument for a pattern
/// or a date; errors of the limits.
[[nodiscard]] Result<bool> passes(const FilterTest& test, std::span<const Value> reached);

/// Returns the positive operator of a negative `op`, IN for `contains_any`, and any other operator unchanged.
[[nodiscard]] FilterOperator positive_of(FilterOperator op) noexcept;
/// True if the operator is the complement of another one.
[[nodiscard]] bool is_negative(FilterOperator op) noexcept;
/// True if a negative operator passes for records without the field.
[[nodiscard]] bool passes_missing(FilterOperator op) noexcept;

/// Normalises a path for in_directory: separates components by '/', and removes '.', '..' (except at the beginning of a
/// relative path), and repeated or final '/'.
[[nodiscard]] std::string normal_path(std::string_view path);

}  // namespace cairn::query
