#pragma once
// What is known of filters before they are read: the operators and the values they take, paths of
// fields, what makes a filter valid.

#include <cairn/filter.hpp>
#include <cairn/result.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::query {

// What is known of each filter operator: its name, and which values it can work with.

/// The operator of this name; groups in any case.
[[nodiscard]] std::optional<FilterOperator> find_operator(std::string_view name);
[[nodiscard]] bool is_group(FilterOperator op) noexcept;
/// Whether it is a condition on a field.
[[nodiscard]] bool has_field(FilterOperator op) noexcept;
/// Whether the operator takes a value; exists and not_exists do not.
[[nodiscard]] bool takes_value(FilterOperator op) noexcept;
/// Whether comparing as text makes sense.
[[nodiscard]] bool can_coerce(FilterOperator op) noexcept;
/// Whether comparing texts in Unicode form NFC makes sense.
[[nodiscard]] bool can_normalize(FilterOperator op) noexcept;
/// Set `flag` from the option `name` of a filter, whose value is `value`.
/// Errors: invalid_argument for what is not a boolean and for true where the operator has no such option.
[[nodiscard]] Status read_option(FilterOperator op, std::string_view name, const Value& value,
                                 bool& flag);
/// Refuse an option that is set where the operator has none.
[[nodiscard]] Status check_option(FilterOperator op, std::string_view name, bool flag);
/// Refuse a condition, or a group apart from its parts, that cannot be asked.
[[nodiscard]] Status check_filter(const Filter& filter);

/// validate(), but conditions that a call has put together are each as deep as a filter can be.
[[nodiscard]] Status validate_parts(const Filter& filter);

/// Deeper than any filter in practice, and too shallow to overflow a stack.
inline constexpr std::size_t most_filter_levels = 64;
[[nodiscard]] Error too_many_filter_levels();

/// "Unsupported operator: x".
[[nodiscard]] Error unsupported_operator(std::string_view name);
/// Refuse a value that the operator can not work with, before any record is looked at.
[[nodiscard]] Status check_operand(FilterOperator op, const Value& value);

// The path of a field in a filter.
//
// path   := key { '.' key | quoted }                    a.b, a['b.c'].d
// key    := any text without '.' and '['
// quoted := '[' quote text quote ']'                    a quote within the text is doubled

/// The keys of a path. Errors: invalid_argument for an empty key and for an open quote.
[[nodiscard]] Result<std::vector<std::string>> parse_field_path(std::string_view text);

}  // namespace cairn::query
