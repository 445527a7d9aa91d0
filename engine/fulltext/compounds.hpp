#pragma once
// Compounds: words of several words, as "Donaudampfschiff" in German. An index stores the end of
// each long word as an additional term, so that a question for a part finds the words that end with
// this part. The terms of the index show which endings are words and which are mere letters.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::engine {

/// The least number of letters of a part that is looked for. It is 3 and not 4, because parts are
/// stems: Dutch "boot" is stemmed to "bot".
inline constexpr std::size_t shortest_part = 3;
/// Words shorter than this are not compounds.
inline constexpr std::size_t shortest_compound = 2 * shortest_part;

/// The number of letters of a term.
[[nodiscard]] std::size_t count_letters(std::string_view term);
/// The additional term of a long word: a sign, and its letters from the last to the first. Words
/// with the same end have marks with the same beginning.
[[nodiscard]] std::string compound_mark(std::string_view term);
/// The word of a mark.
[[nodiscard]] std::string marked_compound(std::string_view mark);

/// A word without the part with which it begins or ends.
struct CompoundRest {
  std::string rest;
  bool is_first = false;  ///< the rest comes before the part
};
/// What remains of a word without a part. After a modifier, the rest is also returned without the
/// joining letters ("Arbeit-s-zeit"). Empty if the word does not begin or end with the part, or if
/// no rest can be a word.
[[nodiscard]] std::vector<CompoundRest> compound_rests(std::string_view word,
                                                       std::string_view part);

/// Two words that a word may consist of.
struct CompoundSplit {
  std::string first;
  std::string second;
};
/// All ways to split a word in two that may be words.
[[nodiscard]] std::vector<CompoundSplit> compound_splits(std::string_view word);

/// True if either word may be a compound of the other one.
[[nodiscard]] bool may_share_part(std::string_view word, std::string_view other);

}  // namespace cairn::engine
