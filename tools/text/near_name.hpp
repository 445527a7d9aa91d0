#pragma once
// Finds the name that a mistyped word may mean.

#include <span>
#include <string>
#include <string_view>

namespace cairn::tools {

/// Returns the nearest of `names` within `most_edits` edits; of equally near ones, the one with the
/// longest common prefix, then the first. Empty if none is that near. Valid as long as the names.
[[nodiscard]] std::string_view nearest_name(std::string_view word,
                                            std::span<const std::string> names,
                                            std::size_t most_edits);

/// True if a word begins with `begin`, ignoring case.
[[nodiscard]] bool begins_alike(std::string_view word, std::string_view begin);

/// Returns the number of edits between two words: a byte inserted, removed or replaced, or two
/// neighbours exchanged.
[[nodiscard]] std::size_t edits_between(std::string_view from, std::string_view to);

}  // namespace cairn::tools
