#pragma once
// The names in the value of a label or type such as $(expression).

#include <cairn/result.hpp>
#include <cairn/value.hpp>

#include <string>
#include <vector>

namespace cairn::query {

/// Adds the names in the value: a string that is not empty, or a list of such strings.
/// Errors: type_error for any other value, null among them.
[[nodiscard]] Status add_label_names(const Value& value, std::vector<std::string>& names);

/// Returns the names in one value.
[[nodiscard]] Result<std::vector<std::string>> label_names(const Value& value);

/// Returns `names` and the names in each of the values, without repetitions.
[[nodiscard]] Result<std::vector<std::string>> label_names(std::vector<std::string> names,
                                                           const List& values);

}  // namespace cairn::query
