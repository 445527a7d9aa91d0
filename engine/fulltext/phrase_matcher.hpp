#pragma once
// Phrases: documents in which terms stand as a phrase has them, or nearly so.

#include "engine/fulltext/term_scorer.hpp"

#include <cairn/result.hpp>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace cairn::engine {

struct PhraseTerm {
  std::string term;
  std::uint32_t offset = 0;  ///< in words from the phrase's first
};

/// The places of one word that a phrase has more than once: which lists, by ascending offset.
struct PhraseRepeat {
  std::size_t list = 0;
  std::uint32_t offset = 0;
};
using PhraseRepeats = std::vector<std::vector<PhraseRepeat>>;

/// How often a phrase occurs: `places` are the positions of its terms, each less its offset. An
/// occurrence is a choice of one position a term within `slop` of each other; 0: word for word. So
/// neighbours that are swapped are 2 apart. No position stands for two of the phrase's words.
[[nodiscard]] std::uint32_t count_occurrences(const std::vector<std::vector<std::int64_t>>& places,
                                              std::uint32_t slop,
                                              const PhraseRepeats& repeats = {});

/// The documents that have the phrase in a field, by ascending id, each with its score: BM25 of the
/// count of occurrences with the sum of the terms' inverse frequencies. Errors: corruption.
[[nodiscard]] Result<std::vector<TextHit>> find_phrase(
    const TermScorerBuilder& maker, const TextReader& reader, std::uint8_t field,
    const std::vector<PhraseTerm>& terms, const TextNode& node,
    const std::function<bool(std::uint64_t)>& is_allowed);

}  // namespace cairn::engine
