#pragma once
// Splits text into words by Unicode's rules for word boundaries, and folds words. In full-text
// indexes, only word_breaker.cpp uses ICU to split and fold words.

#include "engine/system/limits.hpp"

#include <cairn/result.hpp>

#include <cstddef>
#include <cstdint>
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

/// Counts the work on the texts of a question, which may be of any length, and reports it to the limits of a statement
/// about every 64 KiB. One object serves many short texts, so that their work adds up. With null limits every call
/// succeeds.
class TextWork {
 public:
  explicit TextWork(Limits* limits) noexcept : limits_(limits), pace_(limits) {}

  /// Adds work, measured as for Pace. `held` is the memory of its result so far. Errors: those of Limits::step() and
  /// Limits::check_room().
  [[nodiscard]] Status add(std::uint64_t bytes, std::size_t held) {
    return pace_.is_due(bytes) ? look(held) : Status();
  }
  /// Like add(), for loops in which returning a Status each time would be too slow. If it returns true, call look().
  [[nodiscard]] bool is_due(std::uint64_t bytes) noexcept { return pace_.is_due(bytes); }
  /// Errors: those of add().
  [[nodiscard]] Status look(std::size_t held) {
    CAIRN_TRY(pace_.look());
    return limits_ == nullptr ? Status() : limits_->check_room(held);
  }

 private:
  Limits* limits_;
  Pace pace_;
};

/// Returns the words of UTF-8 `text` in order. Apostrophes and dots between letters are part of a
/// word ("don't", "file.txt"). Blanks, other characters, and bytes that are not UTF-8 separate
/// words. A run of more than 64 KiB without a blank, such as Chinese text, is split in pieces,
/// and a word at a border of two pieces becomes two. Cost: linear; plain ASCII is read without ICU.
[[nodiscard]] std::vector<WordRange> break_words(std::string_view text);
/// The same within limits. Errors: those of `work`.
[[nodiscard]] Result<std::vector<WordRange>> break_words(std::string_view text, TextWork& work);

/// Like break_words(), but always by ICU. For tests of the ASCII path.
[[nodiscard]] std::vector<WordRange> break_words_by_icu(std::string_view text);

/// Applies NFKC and case folding, and converts curly apostrophes to straight ones. Drops what follows the first 4 KiB.
[[nodiscard]] std::string fold_word(std::string_view word);

/// Removes diacritics from Latin and Greek letters of a folded word. Latin letters without a plain
/// base letter become ICU's ASCII spelling: "ø" becomes "o", and "æ" becomes "ae". In other scripts
/// marks are letters or vowels and stay. Cost: ASCII words are only scanned, without ICU.
[[nodiscard]] std::string without_diacritics(std::string word);

}  // namespace cairn::engine
