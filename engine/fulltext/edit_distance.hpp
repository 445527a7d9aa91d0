#pragma once
// Edit distance of words, for fuzzy terms of a query.

#include <cstdint>
#include <string>
#include <string_view>

namespace cairn::engine {

/// One number for each code point of UTF-8 text: equal code points have equal numbers, different
/// ones different numbers. An invalid byte counts as a code point.
[[nodiscard]] std::u32string code_points(std::string_view text);

/// The number of letters to insert, remove, replace, or exchange with the next one, to make one word
/// the other. No letter is changed twice. If the lengths differ by more than `limit`, it returns
/// `limit` + 1 at once. Source: optimal string alignment (Boytsov 2011).
[[nodiscard]] std::uint32_t edits_between(const std::u32string& a, const std::u32string& b,
                                          std::uint32_t limit);

}  // namespace cairn::engine
