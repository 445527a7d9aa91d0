#pragma once
// The built-in functions of the language, found by name.

#include "query/functions/function_entry.hpp"

#include <string_view>
#include <vector>

namespace cairn::query {

/// Returns the function with this name, compared without case, or nullptr.
[[nodiscard]] const FunctionEntry* find_function(std::string_view name);
/// Returns the most similar name for a "did you mean" message; empty if no name is similar.
[[nodiscard]] std::string_view nearest_function(std::string_view name);
/// Returns all functions, ordered by name.
[[nodiscard]] std::vector<const FunctionEntry*> all_functions();

}  // namespace cairn::query
