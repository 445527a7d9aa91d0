#pragma once
// System fields of nodes and relationships, each as a function of the entity. They are no part of the
// registry: the language writes n@expires_at.

#include "query/functions/function_entry.hpp"

#include <cairn/result.hpp>
#include <cairn/value.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace cairn::query {

/// The function that reads the field, named "@field", or null.
[[nodiscard]] const FunctionEntry* find_system_field(std::string_view field);
/// The most similar field, empty if none is near.
[[nodiscard]] std::string_view nearest_system_field(std::string_view field);
/// "@created_at, @expires_at, ...", for messages.
[[nodiscard]] std::string system_field_names();
/// Whether a function gives the external id of a node.
[[nodiscard]] bool is_external_id(const FunctionEntry& function);

/// When a record expires that gets this value: a datetime, rounded down to the microsecond, or null for
/// never. Errors: type_error.
[[nodiscard]] Result<std::optional<std::int64_t>> expiry_of(const Value& value);

}  // namespace cairn::query
