#pragma once
// The options of a recall as a map of the language has them: those of RecallOptions and RecallFeatures, by
// their names.

#include <cairn/recall.hpp>
#include <cairn/result.hpp>
#include <cairn/value.hpp>

namespace cairn::query {

/// Errors: invalid_argument for an unknown name, with the nearest known one; type_error for a value of
/// a wrong type; those of filter_from().
[[nodiscard]] Result<RecallOptions> recall_options_from(const Map& given);

}  // namespace cairn::query
