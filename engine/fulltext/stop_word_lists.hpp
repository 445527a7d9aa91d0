#pragma once
// Lists of articles, pronouns, auxiliaries, prepositions, conjunctions and question words, by the
// names of the languages' stemmers.

#include <array>
#include <string_view>

namespace cairn::engine {

/// The stop words of a language, separated by blanks and folded as fold_word() folds words.
struct StopWordList {
  std::string_view language;
  std::string_view words;
};

/// The lists decide questions only; indexes have all words.
[[nodiscard]] const std::array<StopWordList, 9>& stop_word_lists();

}  // namespace cairn::engine
