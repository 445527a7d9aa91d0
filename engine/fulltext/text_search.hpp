#pragma once
// A full-text question over one index: parsed, turned into leaves, scored.

#include "engine/fulltext/text_reader.hpp"

#include <cairn/result.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::codec {
class Bitmap;
}  // namespace cairn::codec

namespace cairn::engine {

// What is asked of a full-text index and what comes back.

/// What is asked of a full-text index.
struct TextQuery {
  std::string_view text;
  std::size_t k = 10;
  bool plain = false;        ///< no syntax: every sign is text
  bool is_feature = false;   ///< the text is the name of a feature, see TextFeature
  bool fade_length = false;  ///< BM25's b falls for short texts: see TermScorerBuilder::scorer
  const codec::Bitmap* allowed = nullptr;  ///< null: every entity of the index
  /// The namespaces whose texts say how rare a word and how long a text is, the own one first; none: all.
  std::span<const std::uint32_t> name_spaces{};
};

/// A document and its score.
struct TextHit {
  std::uint64_t id = 0;
  double score = 0;
  friend bool operator==(const TextHit&, const TextHit&) = default;
};

/// Better first: higher score, then smaller id.
[[nodiscard]] inline bool is_better(const TextHit& a, const TextHit& b) noexcept {
  return a.score != b.score ? a.score > b.score : a.id < b.id;
}

struct TextHits {
  std::vector<TextHit> hits;  ///< best first; ties by ascending id
  std::string executor;       ///< how they were found, for EXPLAIN
  std::string warning;        ///< empty where the syntax was sound
  double mean_words = 0;      ///< of the field with the longest texts
  /// Of plain words: the score of a text of mean length that has each of them once, in the field where it
  /// counts most. A word that no document has counts as the rarest.
  double whole = 0;
};

/// `field_names` in the order of the index's properties. Errors: corruption.
/// Cost: of plain words, blocks that cannot reach the best k are not decoded; of anything else, every
/// posting of the terms is read.
[[nodiscard]] Result<TextHits> search_text(const TextSources& sources,
                                           std::span<const std::string> field_names,
                                           const TextQuery& query);

}  // namespace cairn::engine
