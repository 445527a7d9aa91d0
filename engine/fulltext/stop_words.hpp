#pragma once
// Words too frequent to find by, by language, and where they are meant all the same.

#include "engine/fulltext/analyzer.hpp"
#include "engine/fulltext/text_query.hpp"

#include <string_view>

namespace cairn::engine {

// Words that a question may contain without meaning them.

/// Whether the folded `word` is one; never for languages that have no list (see the source).
[[nodiscard]] bool is_stop_word(std::string_view language, std::string_view word);

// Which stop words of a question are meant: they are dropped only where something else is asked for.

/// Set `keeps_stop_words` of all words of a question. Kept are those with a sign of their own, and those
/// of a question, or of a group with a sign, that has nothing but stop words: "who is", "+who tea",
/// "tea AND (who is)".
void keep_meant_stop_words(TextNode& question, const Analyzer& analyzer);

/// Whether the analysis leaves anything of a node: blanks and punctuation ask nothing.
[[nodiscard]] bool asks_nothing(const TextNode& node, const Analyzer& analyzer);

}  // namespace cairn::engine
