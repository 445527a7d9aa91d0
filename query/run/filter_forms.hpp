#pragma once
// Filters in the parameters of a run, as the form that its statement is bound with.

#include "query/bind/bound_query.hpp"

#include <cairn/statement.hpp>

#include <optional>
#include <span>
#include <string>

namespace cairn::query {

/// The forms of all filters in one text, equal for runs that one bound statement serves. Their operands are added to
/// `parameters`, by operand_name(). Nothing where a filter cannot be read, a name is taken, or the text would be
/// longer than is worth caching: the statement is bound with the values themselves then, and says what is wrong.
[[nodiscard]] std::optional<std::string> take_filter_forms(
    std::span<const FilterParameter> filter_parameters, Parameters& parameters);

}  // namespace cairn::query
