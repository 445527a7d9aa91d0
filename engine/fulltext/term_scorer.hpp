#pragma once
// TermScorer: one term in one field of a question, with everything its score needs.
//
// BM25 (Robertson, Zaragoza 2009): factor * f (k1 + 1) / (f + k1 (1 - b + b length / average), where
// factor = weight * ln(1 + (N - n + 0.5) / (n + 0.5)), f is the frequency in the document, N the
// documents that have the field and n those that have the term in it.

#include "engine/fulltext/text_hits.hpp"
#include "engine/fulltext/text_reader.hpp"

#include <cstdint>
#include <vector>

namespace cairn::engine {

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

/// Of a term that n of N documents have; above 0 for every n.
[[nodiscard]] double inverse_frequency(std::uint64_t all, std::uint64_t with_term);

struct TermScorer {
  TermPostingsPtr postings;
  Bm25 score;
};

}  // namespace cairn::engine
