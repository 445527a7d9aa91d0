#pragma once
// Values as JSON and back: filters, parameters, import, export and the json formats.

#include <cairn/export.hpp>
#include <cairn/result.hpp>
#include <cairn/value.hpp>

#include <string>
#include <string_view>

namespace cairn {

/// Read one JSON text. Whole numbers that fit become integers, other numbers floats.
/// Errors: invalid_argument with the byte position; nesting over 128 levels.
[[nodiscard]] CAIRN_EXPORT Result<Value> parse_json(std::string_view text);

/// One line of JSON. Entities become {"id", "labels", "properties"}, vectors lists, temporal values
/// their text, NaN and infinities the strings "NaN", "Infinity" and "-Infinity".
[[nodiscard]] CAIRN_EXPORT std::string to_json(const Value& value);

}  // namespace cairn
