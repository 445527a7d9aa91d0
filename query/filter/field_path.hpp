#pragma once
// The path of a field in a filter.
//
// path   := key { '.' key | quoted }                    a.b, a['b.c'].d
// key    := any text without '.' and '['
// quoted := '[' quote text quote ']'                    a quote within the text is doubled

#include <cairn/result.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace cairn::query {

/// The keys of a path. Errors: invalid_argument for an empty key and for an open quote.
[[nodiscard]] Result<std::vector<std::string>> parse_field_path(std::string_view text);

}  // namespace cairn::query
