#pragma once
// The options of a recall as a map of the query language: the members of RecallOptions and RecallFeatures by name.

#include <cairn/recall.hpp>
#include <cairn/result.hpp>
#include <cairn/value.hpp>

namespace cairn::query {

/// Reads the options. Errors: invalid_argument for an unknown name, with the nearest known name; type_error for a
/// value of a wrong type; errors of filter_from().
[[nodiscard]] Result<RecallOptions> recall_options_from(const Map& given);

}  // namespace cairn::query
