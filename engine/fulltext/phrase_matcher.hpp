#pragma once
// Phrases: documents in which terms stand in order, near each other.

#include "engine/fulltext/leaf_maker.hpp"

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

/// How often a phrase occurs: `places` are the positions of its terms, each less its offset. An
/// occurrence is a choice of one position a term within `slop` of each other; 0: word for word.
[[nodiscard]] std::uint32_t count_occurrences(const std::vector<std::vector<std::int64_t>>& places,
                                              std::uint32_t slop);

/// The documents that have the phrase in a field, by ascending id, each with its score: BM25 of the
/// count of occurrences with the sum of the terms' inverse frequencies. Errors: corruption.
[[nodiscard]] Result<std::vector<TextHit>> find_phrase(
    const LeafMaker& maker, const TextReader& reader, std::uint8_t field,
    const std::vector<PhraseTerm>& terms, const TextNode& node,
    const std::function<bool(std::uint64_t)>& is_allowed);

}  // namespace cairn::engine
