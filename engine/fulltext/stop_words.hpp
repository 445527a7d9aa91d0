#pragma once
// Stop words: words that are too frequent to be searched for, and the cases in which a query means
// them nevertheless.

#include "engine/fulltext/analyzer.hpp"
#include "engine/fulltext/text_query.hpp"

#include <string_view>

namespace cairn::engine {

/// True if the folded `word` is a stop word of the language, or of one of several that are joined
/// by commas. Always false for a language without a list (stop_word_lists.hpp).
[[nodiscard]] bool is_stop_word(std::string_view language, std::string_view word);

/// Sets `keeps_stop_words` of all words of a query, so that they are searched for although they are
/// stop words.
///
/// It is set for words with an operator of their own, and for words of a query, or of a group with
/// an operator, that has nothing but stop words: "who is", "+who tea", "tea AND (who is)". Errors: those of `work`.
[[nodiscard]] Status keep_meant_stop_words(TextNode& question, const Analyzer& analyzer,
                                           TextWork& work);

/// True if the analysis leaves no term of a node, for instance of blanks and punctuation. Errors: those of `work`.
[[nodiscard]] Result<bool> asks_nothing(const TextNode& node, const Analyzer& analyzer,
                                        TextWork& work);

}  // namespace cairn::engine
