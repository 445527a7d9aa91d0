#pragma once
// Phrase search: documents that contain terms at the distances of a phrase, exactly or nearly.

#include "engine/fulltext/term_scorer.hpp"

#include <cairn/result.hpp>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace cairn::engine {

/// One word of a phrase.
struct PhraseTerm {
  std::string term;
  std::uint32_t offset = 0;  ///< in words from the first word of the phrase
};

/// The occurrences of a word that a phrase has more than once, in ascending order of offsets.
/// `list` is its index in the phrase.
struct PhraseRepeat {
  std::size_t list = 0;
  std::uint32_t offset = 0;
};
using PhraseRepeats = std::vector<std::vector<PhraseRepeat>>;

/// Counts the occurrences of a phrase in a document. `places` holds, for each term, its positions
/// minus its offset.
///
/// An occurrence is one position of each term such that all of these numbers are within `slop` of
/// each other; with 0 the phrase matches word for word. Two swapped neighbours need a slop of 2. A
/// position counts for only one word of the phrase.
[[nodiscard]] std::uint32_t count_occurrences(const std::vector<std::vector<std::int64_t>>& places,
                                              std::uint32_t slop,
                                              const PhraseRepeats& repeats = {});

/// Returns the documents that contain the phrase in a field, by ascending id, with scores: BM25 of
/// the number of occurrences with the sum of the terms' inverse document frequencies. Errors:
/// corruption, and those of the builder's limits.
[[nodiscard]] Result<std::vector<TextHit>> find_phrase(
    const TermScorerBuilder& maker, const TextReader& reader, std::uint8_t field,
    const std::vector<PhraseTerm>& terms, const TextNode& node,
    const std::function<bool(std::uint64_t)>& is_allowed);

}  // namespace cairn::engine
