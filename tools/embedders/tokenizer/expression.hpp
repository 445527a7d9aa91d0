#pragma once
// Writes regular expressions of tokenizers, which are Oniguruma's, for ICU.

#include <cairn/result.hpp>

#include <string>
#include <string_view>

namespace cairn::tools {

/// Returns the expression that means the same to ICU with UREGEX_MULTILINE and UREGEX_UNIX_LINES.
/// Errors: unsupported for parts that ICU does not have or reads in another way.
[[nodiscard]] Result<std::string> icu_expression(std::string_view expression);

}  // namespace cairn::tools
