#pragma once
// TermScorerBuilder: words of a question to leaves, by the analysis, the terms and the statistics of an index.

#include "engine/fulltext/analyzer.hpp"
#include "engine/fulltext/term_scorer.hpp"
#include "engine/fulltext/text_query.hpp"
#include "engine/fulltext/text_reader.hpp"

#include <cairn/result.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace cairn::engine {

/// A term of a question; the same term asked for twice weighs twice.
struct WeightedTerm {
  std::uint8_t field = 0;
  std::string term;
  double weight = 1;
};

/// Of the texts in the field that has the longest.
[[nodiscard]] double mean_words(const codec::TextStatistics& statistics);

/// Turns words into terms and terms into leaves.
class TermScorerBuilder {
 public:
  /// `field_names` in the order of the index's properties. All must outlive the maker.
  TermScorerBuilder(const TextReader& reader, std::span<const std::string> field_names,
                    bool fade_length = false);

  [[nodiscard]] const Analyzer& analyzer() const noexcept { return analyzer_; }
  /// The numbers of the fields that a node asks in, from 1.
  [[nodiscard]] std::vector<std::uint8_t> fields_of(const TextNode& node) const;
  /// The terms of words, a prefix or a fuzzy word; stop words are left out unless the node keeps them.
  [[nodiscard]] Status append_terms(const TextNode& node, std::vector<WeightedTerm>& out) const;
  /// Terms that some document has, each once. `whole` gets TextHits::whole.
  [[nodiscard]] Result<std::vector<TermScorer>> make_leaves(std::vector<WeightedTerm> terms,
                                                            double* whole = nullptr) const;
  /// With `fade_length`, b is b * L / 60 for a mean of L words below 60: a longer abstract repeats
  /// itself, a longer turn of a talk says more, which is no reason to count its words less.
  [[nodiscard]] Bm25 scorer(std::uint8_t field, double weight, double inverse_frequency) const;
  /// Of a term in a field.
  [[nodiscard]] double rarity(std::uint8_t field, const TermPostings& postings) const;

 private:
  [[nodiscard]] Status append_expansions(const TextNode& node, std::uint8_t field,
                                         std::vector<WeightedTerm>& out) const;

  const TextReader& reader_;
  std::span<const std::string> field_names_;
  Analyzer analyzer_;
  bool fade_length_;
};

}  // namespace cairn::engine
