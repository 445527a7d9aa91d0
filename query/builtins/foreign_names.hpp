#pragma once
// Names of functions and procedures of Neo4j's libraries that do not exist here, with what to use in their place.

#include <string>
#include <string_view>

namespace cairn::query {

/// Returns what to use in place of a function or procedure of Neo4j's libraries, for the end of an error message; empty
/// if the name is not of these. `name` must be in lower case.
[[nodiscard]] std::string advice_for_foreign(std::string_view name);

}  // namespace cairn::query
