#pragma once
// Kinds of code points as the tokenizers of published models distinguish them.

namespace cairn::tools {

/// White space of JavaScript's \s.
[[nodiscard]] bool is_blank(char32_t point) noexcept;
/// The categories P, and all of ASCII that is neither letter, digit, blank nor control.
[[nodiscard]] bool is_punctuation(char32_t point) noexcept;
/// The categories Cc, Cf, Co and Cs, except tab and line ends.
[[nodiscard]] bool is_control(char32_t point) noexcept;
/// True for the ideographs that BERT treats as words.
[[nodiscard]] bool is_ideograph(char32_t point) noexcept;
/// Letters, marks, decimal digits, connectors and joiners.
[[nodiscard]] bool is_word_point(char32_t point) noexcept;
/// The categories N.
[[nodiscard]] bool is_numeric(char32_t point) noexcept;
[[nodiscard]] bool is_nonspacing_mark(char32_t point) noexcept;
[[nodiscard]] bool is_mark(char32_t point) noexcept;

}  // namespace cairn::tools
