#pragma once
// Names of functions and procedures of Neo4j's libraries that do not exist here, with what to use in their place.

#include <string>
#include <string_view>

namespace cairn::query {

/// Whether the language has a procedure of this name, which is in lower case. The table of procedures needs the binder, so
/// the binder gets this function from its caller.
using IsProcedure = bool (*)(std::string_view name);

/// Returns what to use in place of a function or procedure of Neo4j's libraries, for the end of an error message; empty
/// if the name is not of these. `name` must be in lower case. Comes before a similar name, which does something else.
[[nodiscard]] std::string_view advice_for_foreign(std::string_view name);

/// Returns what there is of one of Neo4j's libraries; empty if the name is not of these. `name` must be in lower case. Comes
/// after a similar name, because the name may be a misspelt one of ours.
[[nodiscard]] std::string_view advice_for_library(std::string_view name);

}  // namespace cairn::query
