#pragma once
// Properties of filter operators, paths of fields, and the validation of filters.

#include <cairn/filter.hpp>
#include <cairn/result.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::query {

// Filter operators: their names, and which members and values they use.

/// Returns the operator with this name. Names of groups may have any case.
[[nodiscard]] std::optional<FilterOperator> find_operator(std::string_view name);
[[nodiscard]] bool is_group(FilterOperator op) noexcept;
/// True for a condition on a field.
[[nodiscard]] bool has_field(FilterOperator op) noexcept;
/// True if the operator uses a value.
[[nodiscard]] bool takes_value(FilterOperator op) noexcept;
/// True if the operator can compare values as text (the option coerce).
[[nodiscard]] bool can_coerce(FilterOperator op) noexcept;
/// True if the operator can compare texts in Unicode form NFC (the option normalize).
[[nodiscard]] bool can_normalize(FilterOperator op) noexcept;
/// Sets `flag` from the option `name` of a filter, whose value is `value`.
/// Errors: invalid_argument if the value is not a boolean, or if it is true and the operator does not have the option.
[[nodiscard]] Status read_option(FilterOperator op, std::string_view name, const Value& value,
                                 bool& flag);
/// Errors: invalid_argument if the option is set and the operator does not have this option.
[[nodiscard]] Status check_option(FilterOperator op, std::string_view name, bool flag);
/// Checks a condition, or a group without its parts.
[[nodiscard]] Status check_filter(const Filter& filter);

/// Does the same as validate(), but each direct part of an AND may have the maximum depth, for filters that a call has
/// combined.
[[nodiscard]] Status validate_parts(const Filter& filter);

/// Deeper than any practical filter, and shallow enough for recursion.
inline constexpr std::size_t most_filter_levels = 64;
[[nodiscard]] Error too_many_filter_levels();

/// "Unsupported operator: x".
[[nodiscard]] Error unsupported_operator(std::string_view name);
/// Checks the value of an operator before any record is read.
[[nodiscard]] Status check_operand(FilterOperator op, const Value& value);

// Paths of fields.
//
// path   := key { '.' key | quoted }                    a.b, a['b.c'].d
// key    := any text without '.' and '['
// quoted := '[' quote text quote ']'                    a quote within the text is doubled

/// The keys of a path. Errors: invalid_argument for an empty key or a missing quote.
[[nodiscard]] Result<std::vector<std::string>> parse_field_path(std::string_view text);

}  // namespace cairn::query
