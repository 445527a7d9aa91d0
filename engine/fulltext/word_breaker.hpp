#pragma once
// Splits text into words by Unicode's rules for word boundaries, and folds words. In full-text
// indexes, only word_breaker.cpp uses ICU to split and fold words.

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

/// Returns the words of UTF-8 `text` in order. Apostrophes and dots between letters are part of a
/// word ("don't", "file.txt"). Blanks, other characters, and bytes that are not UTF-8 separate
/// words. Cost: linear; plain ASCII is read without ICU.
[[nodiscard]] std::vector<WordRange> break_words(std::string_view text);

/// Like break_words(), but always by ICU. For tests of the ASCII path.
[[nodiscard]] std::vector<WordRange> break_words_by_icu(std::string_view text);

/// Applies NFKC and case folding, and converts curly apostrophes to straight ones.
[[nodiscard]] std::string fold_word(std::string_view word);

/// Removes diacritics from Latin and Greek letters of a folded word. Latin letters without a plain
/// base letter become ICU's ASCII spelling: "ø" becomes "o", and "æ" becomes "ae". In other scripts
/// marks are letters or vowels and stay. Cost: ASCII words are only scanned, without ICU.
[[nodiscard]] std::string without_diacritics(std::string word);

}  // namespace cairn::engine
