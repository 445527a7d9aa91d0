// "donaudampfschiff"   mark       01 < ffihcsfpmaduanod    a question for "dampfschiff" reads all
//                                                          marks that begin with 01 < ffihcsfpmad
//                      rests      of the part "dampfschiff": "donau"
//                      splits     don|audampfschiff, dona|udampfschiff, donau|dampfschiff, ...
#include "engine/fulltext/compounds.hpp"

#include "codec/utf8.hpp"
#include "engine/fulltext/text_features.hpp"

#include <algorithm>
#include <array>
#include <functional>

namespace cairn::engine {
namespace {

/// Follows marker_sign; no name of a feature begins with it.
constexpr char sign_of_end = '<';

// Reverses the letters, so that the end of a word becomes a prefix, which keys are scanned by.
std::string reversed(std::string_view term) {
  std::string letters;
  letters.reserve(term.size());
  for (std::size_t end = term.size(); end > 0;) {
    std::size_t begin = end - 1;
    while (begin > 0 && codec::is_utf8_continuation(term[begin])) --begin;
    letters += term.substr(begin, end - begin);
    end = begin;
  }
  return letters;
}

/// True if the letters may be a word: at least `shortest_part`, with a vowel among them. All
/// letters outside of ASCII count as vowels, as most of them are in the languages that have
/// compounds.
bool may_be_word(std::string_view letters) {
  const bool has_vowel = letters.find_first_of("aeiouy") != letters.npos ||
                         std::any_of(letters.begin(), letters.end(), codec::is_utf8_continuation);
  return has_vowel && count_letters(letters) >= shortest_part;
}

/// Letters between the words of a compound, which belong to neither.
constexpr std::array<std::string_view, 6> joints = {"s", "es", "n", "en", "er", "e"};

}  // namespace

std::size_t count_letters(std::string_view term) {
  return static_cast<std::size_t>(codec::utf8_length(term));
}

std::string compound_mark(std::string_view term) {
  return std::string{marker_sign, sign_of_end} + reversed(term);
}

std::string marked_compound(std::string_view mark) { return reversed(mark.substr(2)); }

// The stemmer of the language removes a joint at the end of a modifier, so only a joint at the
// beginning of a rest is removed here.
std::vector<CompoundRest> compound_rests(std::string_view word, std::string_view part) {
  std::vector<CompoundRest> rests;
  if (word.size() <= part.size() || count_letters(part) < shortest_part ||
      count_letters(word) < shortest_compound)
    return rests;
  const auto add = [&](std::string_view rest, bool is_first) {
    if (may_be_word(rest)) rests.push_back({std::string(rest), is_first});
  };
  if (word.ends_with(part)) add(word.substr(0, word.size() - part.size()), true);
  if (!word.starts_with(part)) return rests;
  const std::string_view last = word.substr(part.size());
  add(last, false);
  for (const std::string_view joint : joints)
    if (last.starts_with(joint)) add(last.substr(joint.size()), false);
  return rests;
}

std::vector<CompoundSplit> compound_splits(std::string_view word) {
  std::vector<CompoundSplit> splits;
  if (count_letters(word) < shortest_compound) return splits;
  for (std::size_t at = 1; at < word.size(); ++at) {
    if (codec::is_utf8_continuation(word[at])) continue;
    const std::string_view first = word.substr(0, at);
    const std::string_view second = word.substr(at);
    if (may_be_word(first) && may_be_word(second))
      splits.push_back({std::string(first), std::string(second)});
  }
  return splits;
}

bool may_share_part(std::string_view word, std::string_view other) {
  return !compound_rests(word, other).empty() || !compound_rests(other, word).empty();
}

}  // namespace cairn::engine
