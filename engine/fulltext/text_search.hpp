#pragma once
// A full-text search in one index: the query, its options, and the hits.

#include "engine/fulltext/text_reader.hpp"
#include "engine/system/limits.hpp"

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

/// A term of the index that a query asks for, with its weight.
struct QueryTerm {
  std::string term;
  double weight = 1;
  /// Not 0 for terms that are forms of one word, of which the best counts in a text. They are adjacent
  /// and have the same number.
  std::uint32_t word = 0;
};

/// A query and its options.
struct TextQuery {
  std::string_view text;
  std::size_t k = 10;
  bool plain = false;       ///< no syntax: all characters are text
  bool is_feature = false;  ///< `text` is the name of a TextFeature
  /// For plain words: each word that none of these texts has is replaced by corrected_word().
  /// nullptr: no word is replaced.
  const codec::Bitmap* corrects_among = nullptr;
  bool fade_length = false;  ///< reduces BM25's b for short texts: see TermScorerBuilder::scorer()
  const codec::Bitmap* allowed = nullptr;  ///< nullptr allows all entities of the index
  /// The namespaces whose texts determine the frequency of words and the average length of texts, beginning with the
  /// namespace of the statement. Empty for all texts.
  std::span<const std::uint32_t> name_spaces{};
  Limits* limits = nullptr;  ///< of the statement that runs the query; nullptr: none
  /// If not empty, these terms are searched for as they are, each once, and not `text`.
  std::span<const QueryTerm> terms{};
  /// For plain words and terms: scores a term once for all of its fields (BM25F, see
  /// term_scorer.hpp). The weights of fields then apply to frequencies.
  bool joins_fields = false;
  /// The words around `text`, which show its language if the index has several languages; empty:
  /// `text` itself.
  std::string_view question{};
  /// For plain words: the irregular forms of a word ("gave", "give") are alternatives of one word.
  bool joins_forms = false;
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

/// A word of a plain query and the word that replaces it.
struct CorrectedWord {
  std::string word;
  std::string replacement;
};

/// The result of a search.
struct TextHits {
  std::vector<TextHit> hits;  ///< best first, equal scores by ascending id
  std::string executor;       ///< how they were found, for EXPLAIN
  std::string warning;        ///< what was read otherwise than written; empty if nothing was
  double mean_words = 0;      ///< average length of the field with the longest texts
  /// For plain words and terms: the score of a text of average length that contains each word once, in the
  /// field where the word scores most. A word without documents counts as the rarest word.
  double whole = 0;
  std::vector<CorrectedWord> corrected = {};  ///< only for TextQuery::corrects_among
};

/// Runs a search. `field_names` are the index's properties in their order. Errors: corruption, and
/// those of the limits.
/// Cost: if all words are optional, blocks that cannot contain one of the best k are not decoded.
/// If some words are required, all words are read only at documents of the rarest required word.
/// A '*' alone reads the first k documents. Other queries read every posting of their terms.
[[nodiscard]] Result<TextHits> search_text(const TextSources& sources,
                                           std::span<const std::string> field_names,
                                           const TextQuery& query);

}  // namespace cairn::engine
