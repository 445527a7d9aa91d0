#pragma once
// How many letters lie between two words.

#include <cstdint>
#include <string>
#include <string_view>

namespace cairn::engine {

/// The code points of UTF-8; an invalid byte counts as a code point.
[[nodiscard]] std::u32string code_points(std::string_view text);

/// Levenshtein's distance, or `limit` + 1 where it is larger.
[[nodiscard]] std::uint32_t edits_between(const std::u32string& a, const std::u32string& b,
                                          std::uint32_t limit);

}  // namespace cairn::engine
