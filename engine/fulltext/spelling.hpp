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

/// Returns the term of the index that a word most likely means if none of `texts` has it. The term
/// begins with the same letter. Two letters are exchanged, or from 6 letters on one differs, or from
/// 9 letters on two do. Among equally near terms, the one that most of `texts` have is returned.
///
/// Returns nullopt if one of `texts` has the word, if it is shorter than 4 letters or has a digit,
/// or if they have no near term. Cost: iterates over the terms of the index with its first letter,
/// and over the postings of near ones. Errors: corruption, and those of `limits`, which may be
/// nullptr.
[[nodiscard]] Result<std::optional<std::string>> corrected_word(const TextReader& reader,
                                                                const Analyzer& analyzer,
                                                                std::string_view word,
                                                                const codec::Bitmap& texts,
                                                                Limits* limits);

}  // namespace cairn::engine
