#pragma once
// The member "system" of a line: what a record carries beside its properties, and never among them.
//
// system := {["namespace":text] ["created":micros] ["updated":micros] ["deletedAt":micros]
//            ["expiresAt":micros] ["validFrom":micros] ["validTo":micros]}

#include <cairn/result.hpp>
#include <cairn/system_fields.hpp>
#include <cairn/value.hpp>

#include <string>

namespace cairn::query {

/// As JSON, without what is not there: times are whole numbers of microseconds since 1970 UTC.
[[nodiscard]] std::string to_system_member(const SystemFields& fields);
/// Errors: invalid_argument, naming the member that is unknown or wrong.
[[nodiscard]] Result<SystemFields> parse_system_member(const Value& value);

}  // namespace cairn::query
