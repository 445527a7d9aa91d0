#pragma once
// Scoring of terms by BM25: TermScorer is one term with its statistics, and TermScorerBuilder makes
// scorers from the words of a query. find_conjunction_scorer() finds the best documents that
// contain required terms.
//
// BM25 (Robertson, Zaragoza 2009):
//   factor * f (k1 + 1) / (f + k1 (1 - b + b length / average))
//   factor = weight * ln(1 + (N - n + 0.5) / (n + 0.5))
//
// f is the frequency of the term in the document, N the number of documents that have the field,
// and n the number of documents that have the term in it.
//
// If fields are joined, a term is scored once for all of them (BM25F, the same authors):
//   factor * r (k1 + 1) / (r + k1), where r is the sum over the fields of
//   f * weight of the field / (1 - b + b length / average)
//
// N and n are the greatest counts among the fields. A word in both title and text counts as one
// word that occurs twice, not as two words. The joined score of a document is never greater than
// the sum of its scores by field, so an upper bound of that sum also bounds the joined score.

#include "codec/bitmap.hpp"
#include "engine/fulltext/analyzer.hpp"
#include "engine/fulltext/text_query.hpp"
#include "engine/fulltext/text_reader.hpp"
#include "engine/fulltext/text_search.hpp"
#include "engine/system/limits.hpp"

#include <cairn/result.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cairn::engine {

/// The part of the score that depends on the document.
class Bm25 {
 public:
  /// `share` is the weight of a field that is joined with others.
  Bm25(double k1, double b, double average_words, double factor, double share = 1)
      : k1_(k1),
        base_(k1 * (1 - b) / share),
        slope_(k1 * b / average_words / share),
        flat_((1 - b) / share),
        steep_(b / average_words / share),
        factor_(factor),
        share_(share) {}

  /// The score of a document. It grows with the frequency and falls with the length, also after
  /// rounding.
  [[nodiscard]] double of(std::uint32_t frequency, std::uint32_t length) const noexcept {
    const double f = frequency;
    return factor_ * (f * (k1_ + 1) / (f + (base_ + slope_ * length)));
  }
  /// The r of this field.
  [[nodiscard]] double relative(std::uint32_t frequency, std::uint32_t length) const noexcept {
    return frequency / (flat_ + steep_ * length);
  }
  /// The score of a document by the sum of r over the joined fields.
  [[nodiscard]] double of_joined(double sum) const noexcept {
    return factor_ * (sum * (k1_ + 1) / (sum + k1_));
  }
  [[nodiscard]] double factor() const noexcept { return factor_; }
  /// The score of a text of average length that has the term once and only in this field, so that r
  /// is the weight of the field.
  [[nodiscard]] double of_mean_text() const noexcept { return of_joined(share_); }

 private:
  double k1_, base_, slope_, flat_, steep_, factor_, share_;
};

/// The inverse document frequency of a term that n of N documents have. Greater than 0 for every n.
[[nodiscard]] double inverse_frequency(std::uint64_t all, std::uint64_t with_term);

/// One term in one field of a query, with its postings and the function that scores them.
struct TermScorer {
  TermPostingsPtr postings;
  Bm25 score;
  bool continues = false;  ///< the same term as the scorer before, in another joined field
  std::uint32_t word = 0;  ///< see WeightedTerm
};

/// The score of a document by terms in their order: `score_of(i)` is that of term i. Of adjacent
/// terms of one word, the best counts.
template <class ScoreOf>
[[nodiscard]] double sum_of_words(const std::vector<TermScorer>& leaves, const ScoreOf& score_of) {
  double sum = 0;
  double best = 0;
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    const std::uint32_t word = leaves[i].word;
    best = std::max(best, score_of(i));
    if (word != 0 && i + 1 < leaves.size() && leaves[i + 1].word == word) continue;
    sum += best;
    best = 0;
  }
  return sum;
}

/// A term of a query. If it occurs twice, the weights add up.
struct WeightedTerm {
  std::uint8_t field = 0;
  std::string term;
  double weight = 1;
  /// True if the term was found among the terms of the index, as an expansion of a prefix or fuzzy
  /// word.
  bool is_found = false;
  /// Not 0 for terms that are alternatives of one word. They are adjacent and have the same number.
  std::uint32_t word = 0;

  void add(const WeightedTerm& same) {
    weight += same.weight;
    is_found = is_found && same.is_found;
  }
};

/// The average length of texts in words, in the field where this average is greatest.
[[nodiscard]] double mean_words(const codec::TextStatistics& statistics);

/// Makes the terms and scorers ("leaves") of a query by the analysis and statistics of an index.
class TermScorerBuilder {
 public:
  /// `field_names` are the index's properties in their order. All arguments must outlive this
  /// object. Of `query`, only the options and the limits are used.
  TermScorerBuilder(const TextReader& reader, std::span<const std::string> field_names,
                    const TextQuery& query);

  [[nodiscard]] const Analyzer& analyzer() const noexcept { return analyzer_; }
  /// The limits of the statement, or nullptr.
  [[nodiscard]] Limits* limits() const noexcept { return limits_; }
  /// The work on the text of the query.
  [[nodiscard]] TextWork& work() const noexcept { return work_; }
  /// The numbers, from 1, of the fields in which a node searches.
  [[nodiscard]] std::vector<std::uint8_t> fields_of(const TextNode& node) const;
  /// Appends the terms of a node of words, a prefix, or a fuzzy word. Stop words are left out
  /// unless the node keeps them. Their memory is added to `held`. Errors: corruption, and those of
  /// the limits.
  [[nodiscard]] Status append_terms(const TextNode& node, std::vector<WeightedTerm>& out,
                                    Charge& held) const;
  /// Makes a scorer for each distinct term that at least one document has. Adds TextHits::whole to
  /// `whole`, unless it is nullptr. Adds the memory of the scorers to `held`, and the memory of
  /// postings for terms that were found in the index. Errors: corruption, and those of the limits.
  [[nodiscard]] Result<std::vector<TermScorer>> make_leaves(std::vector<WeightedTerm> terms,
                                                            Charge& held,
                                                            double* whole = nullptr) const;
  /// BM25 for a field. With `fade_length` and an average of L < 60 words, b is reduced to b * L /
  /// 60. A longer abstract tends to repeat itself, but a longer turn of a conversation says more,
  /// so its words should not count less.
  [[nodiscard]] Bm25 scorer(std::uint8_t field, double weight, double inverse_frequency) const;
  /// The inverse document frequency, in a field, of a term that `documents` of the counted
  /// documents have.
  [[nodiscard]] double rarity(std::uint8_t field, std::uint64_t documents) const;
  /// The same for joined fields, where `documents` is the count of the field that has most.
  [[nodiscard]] double joined_rarity(std::uint64_t documents) const;

 private:
  /// Appends the terms of one word with these forms.
  [[nodiscard]] Status append_word(std::span<const std::string> forms, const TextNode& node,
                                   std::span<const std::uint8_t> fields,
                                   std::vector<WeightedTerm>& out, Charge& held) const;
  /// Appends the forms of a word and its compounds as alternatives, and its parts as words.
  [[nodiscard]] Status append_alternatives(std::span<const std::string> forms, const TextNode& node,
                                           std::span<const std::uint8_t> fields,
                                           std::vector<WeightedTerm>& out, Charge& held) const;
  // Appends the terms of the index that match a prefix or a fuzzy word.
  [[nodiscard]] Status append_expansions(const TextNode& node, std::uint8_t field,
                                         std::vector<WeightedTerm>& out, Charge& held) const;
  /// Calls visit(term) for each word of the index that begins with `beginning`, and counts the
  /// work.
  [[nodiscard]] Status for_each_word(std::uint8_t field, std::string_view beginning,
                                     const std::function<Status(std::string_view)>& visit) const;

  const TextReader& reader_;
  std::span<const std::string> field_names_;
  Analyzer analyzer_;
  bool fade_length_;
  bool joins_fields_;
  bool joins_forms_;
  Limits* limits_;
  mutable TextWork work_;
};

/// A clause of a query. It matches a document that has at least one of its terms; the score is the
/// sum over these terms.
struct TextClause {
  TextNode::Occur occur = TextNode::Occur::should;
  std::vector<TermScorer> leaves;
};

/// Returns the k best documents that match every required clause, of which there must be at least
/// one, and no excluded clause. `allowed` restricts the documents; nullptr allows all. A score is
/// the sum over required clauses, in their order, plus the sum over optional ones. Cost: iterates
/// over the rarest required clause. Errors: corruption, and those of `limits`, which may be nullptr.
[[nodiscard]] Result<std::vector<TextHit>> find_conjunction_scorer(
    const std::vector<TextClause>& clauses, std::size_t k, const codec::Bitmap* allowed,
    Limits* limits);

}  // namespace cairn::engine
