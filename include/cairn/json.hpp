#pragma once
// Values as JSON and back: filters, parameters, import, export and the json formats.
//
//     CAIRN_ASSIGN(const Value person, parse_json(R"({"name": "Ada", "born": 1815})"));
//     std::cout << to_json(row[0]) << "\n";
//
// JSON loses types: a value that must come back equal goes through Value::to_text() and
// parse_literal().

#include <cairn/result.hpp>
#include <cairn/value.hpp>
#include <cairn/visibility.hpp>

#include <string>
#include <string_view>

namespace cairn {

/// Read one JSON text. Whole numbers that fit 64 bits become integers, other numbers floats;
/// objects become maps, arrays lists. Texts that look like dates stay texts.
///
/// Errors: invalid_argument, for what is no JSON with the byte position, for text behind the value,
/// for a key that stands twice in an object, for more than 136 levels of objects and arrays.
/// Cost: linear, without a tree in between. Threads: any.
[[nodiscard]] CAIRN_EXPORT Result<Value> parse_json(std::string_view text);
/// The same, but a whole number beyond 64 bits is invalid_argument, where parse_json() makes a float near it: an id must
/// not lose digits.
[[nodiscard]] CAIRN_EXPORT Result<Value> parse_exact_json(std::string_view text);

/// One line of JSON. Entities become {"id", "labels", "properties"}, vectors lists, temporal values
/// their text, NaN and infinities the strings "NaN", "Infinity" and "-Infinity".
///
/// Relationships become {"id", "type", "start", "end", "properties"}, paths {"nodes",
/// "relationships"}. Keys are in code point order; characters beyond ASCII as they are, bytes that are
/// no UTF-8 as U+FFFD. It recurses as deep as the value is nested.
/// Cost: the text's length. Threads: any.
[[nodiscard]] CAIRN_EXPORT std::string to_json(const Value& value);

}  // namespace cairn
