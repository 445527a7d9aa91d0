#pragma once
// Arguments of procedures as what they must be. Errors: type_error, with what was expected and what was given.

#include <cairn/result.hpp>
#include <cairn/value.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::query {

[[nodiscard]] Error wrong_argument(std::string_view what, const Value& value);

/// `what` is how the error names it: "the name of an index".
[[nodiscard]] Result<std::string> text_of(std::string_view what, const Value& value);
/// One text stands for a list of it.
[[nodiscard]] Result<std::vector<std::string>> texts_of(std::string_view what, const Value& value);
/// Null is an empty one.
[[nodiscard]] Result<Map> properties_of(std::string_view what, const Value& value);
/// A number of 1 or more; a float may be whole, as the numbers of JavaScript are.
[[nodiscard]] Result<std::size_t> count_of(std::string_view what, const Value& value);

}  // namespace cairn::query
