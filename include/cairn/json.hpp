#pragma once
// Conversion between values and JSON, for filters, parameters, import, export and JSON formats.
//
//     CAIRN_ASSIGN(const Value person, parse_json(R"({"name": "Ada", "born": 1815})"));
//     std::cout << to_json(row[0]) << "\n";
//
// JSON loses types. Use Value::to_text() and parse_literal() for values that must come back equal.

#include <cairn/result.hpp>
#include <cairn/value.hpp>
#include <cairn/visibility.hpp>

#include <string>
#include <string_view>

namespace cairn {

/// Parses one JSON text. Whole numbers that fit 64 bits become integers, other numbers floats;
/// objects become maps, arrays lists. Texts that look like dates remain texts.
///
/// Errors: invalid_argument with the byte position for invalid JSON, for a number too large for a
/// float, for text after the value, for a repeated key in an object, and for more than 136 nested
/// objects and arrays. Cost: linear, without an intermediate tree. Threads: any.
[[nodiscard]] CAIRN_EXPORT Result<Value> parse_json(std::string_view text);
/// Parses like parse_json(), except that a whole number beyond 64 bits is invalid_argument instead
/// of a rounded float: an id must not lose digits.
[[nodiscard]] CAIRN_EXPORT Result<Value> parse_exact_json(std::string_view text);

/// Returns one line of JSON. Nodes become {"id", "labels", "properties"}, vectors lists, temporal
/// values their text, NaN and infinities the strings "NaN", "Infinity" and "-Infinity".
///
/// Relationships become {"id", "type", "start", "end", "properties"}, paths {"nodes",
/// "relationships"}. Keys are in code point order. Characters beyond ASCII are not escaped; invalid
/// UTF-8 becomes U+FFFD. Recurses as deep as the value nests. Cost: linear in the result. Threads:
/// any.
[[nodiscard]] CAIRN_EXPORT std::string to_json(const Value& value);

}  // namespace cairn
