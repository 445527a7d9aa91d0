#pragma once
// Regular expressions: a search anywhere in a text, in linear time.

#include "engine/system/limits.hpp"

#include <cairn/result.hpp>

#include <string>

namespace cairn::query {

/// Errors: invalid_argument if `pattern` is not a valid regular expression, or is longer than 512 KiB.
[[nodiscard]] Status check_pattern(const std::string& pattern);
/// True if `pattern` matches a part of `text`. Errors: as check_pattern(); errors of `limits`, which also stop a
/// match of a long text.
[[nodiscard]] Result<bool> finds_pattern(const std::string& text, const std::string& pattern,
                                         engine::Limits* limits = nullptr);

}  // namespace cairn::query
