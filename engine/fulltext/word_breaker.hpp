#pragma once
// Text to words by the Unicode rules for word boundaries. The only place that asks ICU for them.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::engine {

/// Byte offsets of one word in its text.
struct WordRange {
  std::size_t begin = 0;
  std::size_t end = 0;
  friend bool operator==(const WordRange&, const WordRange&) = default;
};

/// The words of UTF-8 `text` in order; bytes that are no UTF-8 separate words. Apostrophes and dots
/// between letters stay inside ("don't", "file.txt"), blanks and other characters separate words.
/// Cost: linear; plain ASCII is read without ICU.
[[nodiscard]] std::vector<WordRange> break_words(std::string_view text);

/// As break_words, always by ICU: what the shorter way is tested against.
[[nodiscard]] std::vector<WordRange> break_words_by_icu(std::string_view text);

/// NFKC with case folding; a curly apostrophe becomes a straight one.
[[nodiscard]] std::string fold_word(std::string_view word);

/// Folded `word` with its Latin and Greek letters as they are without marks, and Latin ones that have
/// no plain letter within as ICU spells them in ASCII: "ø" is "o", "æ" is "ae". In other scripts marks
/// are letters or vowels, and stay. Cost: words of ASCII alone come back as they are.
[[nodiscard]] std::string without_diacritics(std::string word);

}  // namespace cairn::engine
