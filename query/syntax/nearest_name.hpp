#pragma once
// Finds the known name that a misspelt name most likely means.

#include <span>
#include <string_view>

namespace cairn::query {

/// Returns the candidate with the smallest edit distance to `name`: insertions, deletions, replacements and swaps of
/// neighbouring letters, compared without case. Returns an empty name if every candidate needs edits in more than a
/// third of the letters.
[[nodiscard]] std::string_view nearest_name(std::string_view name,
                                            std::span<const std::string_view> candidates);

}  // namespace cairn::query
