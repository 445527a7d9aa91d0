#pragma once
// Correction of misspelt words of a question by the words of an index.

#include "codec/bitmap.hpp"
#include "engine/fulltext/analyzer.hpp"
#include "engine/fulltext/text_reader.hpp"
#include "engine/system/limits.hpp"

#include <cairn/result.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace cairn::engine {

/// Returns the word that a word of a question most likely means if none of `texts` has it. Both begin
/// with the same letter. Two letters are exchanged, or from 6 letters on one differs, or, of the stem,
/// from 9 letters on two do. A text has the stem of the meant word or, with `joins_forms`, that of an
/// irregular form of it: "gvae" means "gave" if texts have "give" alone. Words with two letters
/// exchanged come before others. Among equally near ones, that which most of `texts` have is returned.
///
/// Returns nullopt if one of `texts` has the word, if it is shorter than 4 letters or has a digit, if
/// it is an irregular form, or if texts have no near word. Letters that are put in are those of the
/// Latin, Cyrillic or Greek alphabet. Cost: stems all words at one error, some hundreds, iterates once
/// over the terms of the index with its first letter, and over the postings of near ones. Errors:
/// corruption, and those of `limits`, which may be nullptr.
[[nodiscard]] Result<std::optional<std::string>> corrected_word(const TextReader& reader,
                                                                const Analyzer& analyzer,
                                                                std::string_view word,
                                                                const codec::Bitmap& texts,
                                                                bool joins_forms, Limits* limits);

}  // namespace cairn::engine
