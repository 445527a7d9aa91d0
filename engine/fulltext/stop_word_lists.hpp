#pragma once
// Lists of articles, pronouns, auxiliaries, prepositions, conjunctions and question words: of the
// languages that are recognised, by the names of their stemmers.

#include <array>
#include <string_view>

namespace cairn::engine {

/// The stop words of a language, separated by blanks and folded as fold_word() folds words.
struct StopWordList {
  std::string_view language;
  std::string_view words;
};

/// The lists decide the languages of texts, and so which terms an index of several languages has:
/// if one changes, the layout version of the family `text` must rise, which rebuilds the indexes.
[[nodiscard]] const std::array<StopWordList, 9>& stop_word_lists();

}  // namespace cairn::engine
