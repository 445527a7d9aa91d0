#pragma once
// The known name that a misspelt one most likely means.

#include <span>
#include <string_view>

namespace cairn::query {

/// The candidate that takes fewest insertions, deletions, replacements and swaps of neighbours to
/// become `name`, in any case; empty if each takes more than a third of the letters.
[[nodiscard]] std::string_view nearest_name(std::string_view name,
                                            std::span<const std::string_view> candidates);

}  // namespace cairn::query
