#pragma once
// The families of functions, one source file each; the registry is their union.

#include "query/functions/registry.hpp"

#include <span>

namespace cairn::query {

/// Entries live as long as the program.
using FunctionFamily = std::span<const FunctionEntry>;

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
/// In query/memory: what a result is written as belongs to the memory calls.
[[nodiscard]] FunctionFamily format_functions();
/// In query/ranking, beside the numbers that they give.
[[nodiscard]] FunctionFamily rank_functions();
[[nodiscard]] FunctionFamily temporal_functions();
[[nodiscard]] FunctionFamily aggregate_functions();
[[nodiscard]] FunctionFamily statistical_aggregates();

}  // namespace cairn::query
