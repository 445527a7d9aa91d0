#pragma once
// System fields of nodes and relationships. Each field has a function of its entity, which is not in the registry:
// the language writes n@expires_at.

#include "query/functions/function_entry.hpp"

#include <cairn/result.hpp>
#include <cairn/value.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace cairn::query {

/// Returns the function that reads the field, or nullptr. The name of the function is "@field".
[[nodiscard]] const FunctionEntry* find_system_field(std::string_view field);
/// Returns the most similar field; empty if no field is similar.
[[nodiscard]] std::string_view nearest_system_field(std::string_view field);
/// Returns "@created_at, @expires_at, ..." for messages.
[[nodiscard]] std::string system_field_names();
/// True if the function returns the external id of a node.
[[nodiscard]] bool is_external_id(const FunctionEntry& function);

/// Converts a value to an expiry time in microseconds, rounded down. The value is a datetime, or null for "never".
/// Errors: type_error for any other value.
[[nodiscard]] Result<std::optional<std::int64_t>> expiry_of(const Value& value);

}  // namespace cairn::query
