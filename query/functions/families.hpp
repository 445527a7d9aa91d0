#pragma once
// The families of functions in this folder, one source file each; see also query/builtins/registry.hpp.

#include "query/functions/function_entry.hpp"

namespace cairn::query {

[[nodiscard]] FunctionFamily scalar_functions();
[[nodiscard]] FunctionFamily conversion_functions();
[[nodiscard]] FunctionFamily entity_functions();
[[nodiscard]] FunctionFamily list_functions();
[[nodiscard]] FunctionFamily string_functions();
[[nodiscard]] FunctionFamily text_case_functions();
[[nodiscard]] FunctionFamily mathematical_functions();
[[nodiscard]] FunctionFamily vector_functions();
[[nodiscard]] FunctionFamily version_functions();
[[nodiscard]] FunctionFamily embedding_functions();
[[nodiscard]] FunctionFamily highlight_functions();
[[nodiscard]] FunctionFamily temporal_functions();
[[nodiscard]] FunctionFamily aggregate_functions();
[[nodiscard]] FunctionFamily statistical_aggregates();

}  // namespace cairn::query
