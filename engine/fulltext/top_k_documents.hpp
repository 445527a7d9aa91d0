#pragma once
// The k best documents of a sum of leaves, exactly as if every document had been scored.

#include "codec/bitmap.hpp"
#include "engine/fulltext/term_scorer.hpp"

#include <cairn/result.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace cairn::engine {

/// Collects the k best.
class TopHits {
 public:
  explicit TopHits(std::size_t k) : k_(k) {}

  void offer(const TextHit& hit);
  /// What a score must exceed to get in, for documents in ascending order of ids.
  [[nodiscard]] double threshold() const noexcept { return threshold_; }
  /// Best first.
  [[nodiscard]] std::vector<TextHit> take();

 private:
  std::size_t k_;
  double threshold_ = -1;
  std::vector<TextHit> heap_;  // the worst in front
};

struct TopKDocuments {
  std::vector<TextHit> hits;  ///< best first
  std::string executor;       ///< how they were found
};

/// Documents in `allowed` (null: all) with the largest sums of scores over the leaves, added in the
/// order of the leaves. Few allowed documents are scored one by one; otherwise terms and blocks whose
/// bounds are too low are looked into only where other terms stand (MaxScore: Turtle, Flood 1995, with
/// block bounds: Chakrabarti, Chaudhuri, Ganti 2011). Errors: corruption.
[[nodiscard]] Result<TopKDocuments> find_top_k_documents(const std::vector<TermScorer>& leaves,
                                                         std::size_t k,
                                                         const codec::Bitmap* allowed);

}  // namespace cairn::engine
