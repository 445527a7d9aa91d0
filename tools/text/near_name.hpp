#pragma once
// What a mistyped word may stand for.

#include <span>
#include <string>
#include <string_view>

namespace cairn::tools {

/// The nearest of `names` that so many edits lead to, of several that which begins alike longest, then the first; empty
/// where none is as near. Valid as long as the names.
[[nodiscard]] std::string_view nearest_name(std::string_view word,
                                            std::span<const std::string> names,
                                            std::size_t most_edits);

/// Whether a word begins so, in any case.
[[nodiscard]] bool begins_alike(std::string_view word, std::string_view begin);

/// How many edits lead from one word to the other: a byte put in, taken out or replaced, or two neighbours exchanged.
[[nodiscard]] std::size_t edits_between(std::string_view from, std::string_view to);

}  // namespace cairn::tools
