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

/// Returns the correction of a word of a question that none of `texts` has: the word that is most
/// likely meant. Both words begin with the same letter. Two letters are exchanged; or one letter
/// differs, in words of 6 letters or more; or two letters of the stem differ, from 9 letters on. At
/// least one text has the stem of the correction or, with `joins_forms`, the stem of one of its
/// irregular forms: "gvae" becomes "gave" if the texts have only "give". Corrections with two
/// letters exchanged come before others. Among equally near corrections, returns the one that
/// occurs in the largest number of `texts`.
///
/// Returns nullopt if one of `texts` has the word, if it is shorter than 4 letters or has a digit, if
/// it is an irregular form, or if texts have no near word. Inserted letters are those of the Latin,
/// Cyrillic or Greek alphabet. Cost: stems all words at one edit, some hundreds, and iterates once
/// over the terms of the index with the same first letter and over the postings of the near terms.
/// Errors: corruption, and those of `limits`, which may be nullptr.
[[nodiscard]] Result<std::optional<std::string>> corrected_word(const TextReader& reader,
                                                                const Analyzer& analyzer,
                                                                std::string_view word,
                                                                const codec::Bitmap& texts,
                                                                bool joins_forms, Limits* limits);

}  // namespace cairn::engine
