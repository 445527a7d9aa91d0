#pragma once
// How terms score documents: each alone, made with its statistics, and several that must all be
// there.

#include "codec/bitmap.hpp"
#include "engine/fulltext/analyzer.hpp"
#include "engine/fulltext/text_query.hpp"
#include "engine/fulltext/text_reader.hpp"
#include "engine/fulltext/text_search.hpp"

#include <cairn/result.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace cairn::engine {

// TermScorer: one term in one field of a question, with everything its score needs.
//
// BM25 (Robertson, Zaragoza 2009): factor * f (k1 + 1) / (f + k1 (1 - b + b length / average), where
// factor = weight * ln(1 + (N - n + 0.5) / (n + 0.5)), f is the frequency in the document, N the
// documents that have the field and n those that have the term in it.

/// The part of the score that depends on the document.
class Bm25 {
 public:
  Bm25(double k1, double b, double average_words, double factor)
      : k1_(k1), base_(k1 * (1 - b)), slope_(k1 * b / average_words), factor_(factor) {}

  /// Grows with the frequency and falls with the length, also as computed.
  [[nodiscard]] double of(std::uint32_t frequency, std::uint32_t length) const noexcept {
    const double f = frequency;
    return factor_ * (f * (k1_ + 1) / (f + (base_ + slope_ * length)));
  }
  [[nodiscard]] double factor() const noexcept { return factor_; }
  /// Of a text of mean length that has the term once: there f (k1 + 1) and f + k1 are the same.
  [[nodiscard]] double of_mean_text() const noexcept { return factor_; }

 private:
  double k1_, base_, slope_, factor_;
};

/// The inverse frequency of a term that n of N documents have; above 0 for every n.
[[nodiscard]] double inverse_frequency(std::uint64_t all, std::uint64_t with_term);

struct TermScorer {
  TermPostingsPtr postings;
  Bm25 score;
};

// TermScorerBuilder: words of a question to leaves, by the analysis, the terms and the statistics of an index.

/// A term of a question; the same term asked for twice weighs twice.
struct WeightedTerm {
  std::uint8_t field = 0;
  std::string term;
  double weight = 1;
  bool is_found = false;  ///< among the terms of the index, and not a word of the question

  void add(const WeightedTerm& same) {
    weight += same.weight;
    is_found = is_found && same.is_found;
  }
};

/// The mean length of texts, in the field where it is greatest.
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
  /// itself, a longer turn of a talk says more, which is not to make its words count less.
  [[nodiscard]] Bm25 scorer(std::uint8_t field, double weight, double inverse_frequency) const;
  /// The rarity in a field of a term that so many of the documents that count have.
  [[nodiscard]] double rarity(std::uint8_t field, std::uint64_t documents) const;

 private:
  [[nodiscard]] Status append_expansions(const TextNode& node, std::uint8_t field,
                                         std::vector<WeightedTerm>& out) const;

  const TextReader& reader_;
  std::span<const std::string> field_names_;
  Analyzer analyzer_;
  bool fade_length_;
};

// The k best documents of a question in which words must occur.

/// Occurs where one of its leaves does; its score is the sum over them, in their order.
struct TextClause {
  TextNode::Occur occur = TextNode::Occur::should;
  std::vector<TermScorer> leaves;
};

/// Documents in `allowed` (null: all) with every clause that must occur, of which there is one, and
/// none that must not. Scores are those of the former, in their order, plus those of the others, in
/// theirs. Cost: steps through the rarest required clause. Errors: corruption.
[[nodiscard]] Result<std::vector<TextHit>> find_conjunction_scorer(
    const std::vector<TextClause>& clauses, std::size_t k, const codec::Bitmap* allowed);

}  // namespace cairn::engine
