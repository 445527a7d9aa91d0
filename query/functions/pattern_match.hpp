#pragma once
// Regular expressions found anywhere in a text, in linear time, and the functions of them.

#include "engine/system/limits.hpp"

#include <cairn/result.hpp>

#include <string>

namespace cairn::query {

// Regular expressions found anywhere in a text, in linear time.

/// Errors: invalid_argument where `pattern` is not a regular expression.
[[nodiscard]] Status check_pattern(const std::string& pattern);
/// Whether `pattern` is found in `text`. Errors: as above, and those of `limits`, which stop it in a long text too.
[[nodiscard]] Result<bool> finds_pattern(const std::string& text, const std::string& pattern,
                                         engine::Limits* limits = nullptr);

}  // namespace cairn::query
