#pragma once
// Small words that lose their vowel to the next word and hang on it by an apostrophe: "l'avion".

#include <cstddef>
#include <string_view>

namespace cairn::engine {

/// Whether words of the language (as stemmers name it) have such beginnings.
[[nodiscard]] bool has_elisions(std::string_view language);

/// Bytes of such a beginning with its apostrophe, straight or curly: 2 for "L'avion" in French. 0
/// where the word has none, where nothing is behind it, and in a language without.
[[nodiscard]] std::size_t elided_bytes(std::string_view language, std::string_view word);

/// Whether the word with its beginning is a word of its own, as is the name "O'Brien" in English.
[[nodiscard]] bool is_name_with_elision(std::string_view language);

}  // namespace cairn::engine
