#pragma once
// Finds the k documents with the greatest sum of scores, exactly as if every document had been
// scored.

#include "codec/bitmap.hpp"
#include "engine/fulltext/term_scorer.hpp"
#include "engine/system/limits.hpp"

#include <cairn/result.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace cairn::engine {

/// Collects the k best hits. Threads: one.
class TopHits {
 public:
  TopHits(std::size_t k, Limits* limits) : k_(k), held_(limits) {}

  void offer(const TextHit& hit);
  /// Reports the work of a search, and charges the hits so far. Errors: those of the limits.
  [[nodiscard]] Status look(Pace& pace) {
    CAIRN_TRY(held_.set(2 * heap_.size() * sizeof(TextHit)));
    return pace.look();
  }
  /// The score that a hit must exceed to be added, if documents come in ascending order of ids.
  [[nodiscard]] double threshold() const noexcept { return threshold_; }
  /// Returns the hits, best first. Nothing may be offered afterwards.
  [[nodiscard]] std::vector<TextHit> take();

 private:
  std::size_t k_;
  double threshold_ = -1;
  std::vector<TextHit> heap_;  // a heap, the worst hit in front
  Charge held_;                // for heap_, as of the last look()
};

/// The result of find_top_k_documents().
struct TopKDocuments {
  std::vector<TextHit> hits;  ///< best first
  std::string executor;       ///< how they were found
};

/// Returns the documents in `allowed` with the greatest sums of scores. nullptr allows all. Scores
/// are added in the order of the leaves.
///
/// If few documents are allowed, each is scored. Otherwise terms and blocks whose score bounds are
/// too low are read only for documents that other terms bring up (MaxScore: Turtle, Flood 1995;
/// block bounds: Chakrabarti, Chaudhuri, Ganti 2011). Errors: corruption, and those of `limits`,
/// which may be nullptr.
[[nodiscard]] Result<TopKDocuments> find_top_k_documents(const std::vector<TermScorer>& leaves,
                                                         std::size_t k,
                                                         const codec::Bitmap* allowed,
                                                         Limits* limits);

}  // namespace cairn::engine
