#pragma once
// Which stop words of a question are meant: they are dropped only where something else is asked for.

#include "engine/fulltext/analyzer.hpp"
#include "engine/fulltext/text_query.hpp"

namespace cairn::engine {

/// Set `keeps_stop_words` of all words of a question. Kept are those with a sign of their own, and those
/// of a question, or of a group with a sign, that has nothing but stop words: "who is", "+who tea",
/// "tea AND (who is)".
void keep_meant_stop_words(TextNode& question, const Analyzer& analyzer);

/// Whether the analysis leaves anything of a node: blanks and punctuation ask nothing.
[[nodiscard]] bool asks_nothing(const TextNode& node, const Analyzer& analyzer);

}  // namespace cairn::engine
