#pragma once
// Irregular forms of words, which the stemmer does not bring together: give and gave, child and
// children. They are alternatives of a word of a query; indexed texts keep their terms.

#include <span>
#include <string>
#include <string_view>

namespace cairn::engine {

/// Returns the stems of the other forms of the word with the stem `term`; empty if it is regular or
/// the language is not English. The strings are valid for the whole run.
[[nodiscard]] std::span<const std::string> irregular_forms(std::string_view language,
                                                           std::string_view term);

}  // namespace cairn::engine
