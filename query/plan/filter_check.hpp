#pragma once
// What is wrong with the values of filters is said before a statement runs, whether or not there are
// records to show it.

#include "query/bind/bound_query.hpp"

#include <cairn/result.hpp>
#include <cairn/value.hpp>

#include <functional>
#include <optional>

namespace cairn::query {

/// Evaluates what needs no row; nothing where that fails.
using ConstantValue = std::function<std::optional<Value>(const Expression&)>;

/// Errors: invalid_argument for a pattern, a date or a list that an operator can not work with.
[[nodiscard]] Status check_filter_values(const Query& query, const ConstantValue& constant);

}  // namespace cairn::query
