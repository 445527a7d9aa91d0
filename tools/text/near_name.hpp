#pragma once
// What a mistyped word may stand for.

#include <span>
#include <string>
#include <string_view>

namespace cairn::tools {

/// The nearest of `names` that so many bytes put in, taken out or exchanged lead to; the first of
/// several, empty where none is as near. Valid as long as the names.
[[nodiscard]] std::string_view nearest_name(std::string_view word,
                                            std::span<const std::string> names,
                                            std::size_t most_edits);

/// Bytes put in, taken out or exchanged that lead from one word to the other.
[[nodiscard]] std::size_t edits_between(std::string_view from, std::string_view to);

}  // namespace cairn::tools
