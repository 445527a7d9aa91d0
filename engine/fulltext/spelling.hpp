#pragma once
// Correction of misspelt words of a question by the words of an index.

#include "engine/fulltext/analyzer.hpp"
#include "engine/fulltext/text_reader.hpp"
#include "engine/system/limits.hpp"

#include <cairn/result.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace cairn::engine {

/// Returns the term of the index that a word without documents most likely means. It begins with
/// the same letter. Two letters are exchanged, or from 6 letters on one differs, or from 9 letters
/// on two do. Among equally near terms, the one with the most counted documents is returned.
///
/// Returns nullopt if a counted document has the word, if it is shorter than 4 letters or has a
/// digit, or if no term is near. Cost: iterates over the terms with its first letter. Errors:
/// corruption, and those of `limits`, which may be nullptr.
[[nodiscard]] Result<std::optional<std::string>> corrected_word(const TextReader& reader,
                                                                const Analyzer& analyzer,
                                                                std::string_view word,
                                                                Limits* limits);

}  // namespace cairn::engine
