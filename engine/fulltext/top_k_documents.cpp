// MaxScore with block bounds. Terms are ordered by their greatest possible score. Once k documents
// are known, the terms with the lowest bounds cannot, even together, lift a document above the
// worst of these k. Such terms are non-essential: only documents of the other terms are considered,
// and the non-essential ones are only looked up.
//
// bounds   the 0.4 | of 0.7 | york 5.1 | zebra 8.8       threshold 1.3
//          non-essential (1.1)         essential
//
// The bound of a block is used if the block is known, otherwise the bound of the term. The result
// is exact: a document is skipped only if bound * (1 + 1e-9) does not exceed the threshold. The
// slack is needed because bounds and scores are summed in different orders. Ids ascend, so of equal
// scores the earlier and smaller id stays, and a later document must be better.
#include "engine/fulltext/top_k_documents.hpp"

#include "codec/byte_io.hpp"
#include "codec/sorted_ids.hpp"
#include "engine/system/limits.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace cairn::engine {
namespace {

/// Tolerance for the rounding of sums in different orders.
constexpr double slack = 1 + 1e-9;
/// The cost of looking up an id in one leaf, in steps through postings.
constexpr std::uint64_t lookup_cost = 8;
/// Work of testing one term scorer for one document, as Pace counts it.
constexpr std::uint64_t bytes_of_leaf_look = 16;

Error damaged() { return codec::corruption("postings of a full-text index are damaged"); }

/// A cursor with its scorer.
struct Walker {
  TermCursor cursor;
  const TermScorer* leaf;
  double bound;  // greatest score of any block

  [[nodiscard]] double score() const { return leaf->score.of(cursor.frequency(), cursor.length()); }
  /// The score bound of the block in which `id` would be.
  [[nodiscard]] double bound_at(std::uint64_t id) {
    const TermPostings::Block* block = cursor.block_of(id);
    return block == nullptr ? 0 : leaf->score.of(block->block.most, block->block.shortest);
  }
};

Result<std::vector<Walker>> make_walkers(const std::vector<TermScorer>& leaves, Pace& pace) {
  std::vector<Walker> walkers;
  walkers.reserve(leaves.size());
  for (const TermScorer& leaf : leaves) {
    double bound = 0;
    // The first block is decoded.
    CAIRN_TRY(
        pace.add(sizeof(Walker) + leaf.postings->blocks().size() * sizeof(TermPostings::Block)));
    for (const auto& block : leaf.postings->blocks())
      bound = std::max(bound, leaf.score.of(block.block.most, block.block.shortest));
    walkers.push_back({TermCursor(leaf.postings), &leaf, bound});
  }
  return walkers;
}

/// The score of the document by one term, whose leaves begin at `first` and are joined.
double joined_score(const std::vector<Walker>& walkers, std::size_t first, std::uint64_t id) {
  double sum = 0;
  for (std::size_t i = first; i < walkers.size() && (i == first || walkers[i].leaf->continues); ++i)
    if (walkers[i].cursor.id() == id)
      sum += walkers[i].leaf->score.relative(walkers[i].cursor.frequency(),
                                             walkers[i].cursor.length());
  return sum == 0 ? 0 : walkers[first].leaf->score.of_joined(sum);
}

/// The score of the document: the sum over the words, in their order.
double score_at(const std::vector<TermScorer>& leaves, const std::vector<Walker>& walkers,
                std::uint64_t id) {
  return sum_of_words(leaves, [&](std::size_t i) -> double {
    if (leaves[i].continues) return 0;
    if (i + 1 < leaves.size() && leaves[i + 1].continues) return joined_score(walkers, i, id);
    return walkers[i].cursor.id() == id ? walkers[i].score() : 0;
  });
}

Status check(const std::vector<Walker>& walkers) {
  const bool sound = std::none_of(walkers.begin(), walkers.end(),
                                  [](const Walker& walker) { return walker.cursor.is_damaged(); });
  return sound ? Status() : damaged();
}

// Scores each allowed document.
Status score_each(const std::vector<TermScorer>& leaves, std::vector<Walker>& walkers,
                  const codec::Bitmap& allowed, TopHits& top, Pace& pace) {
  std::array<std::uint64_t, 256> ids;
  codec::IdCursor cursor(allowed);
  while (const std::size_t count = cursor.next(ids)) {
    for (std::size_t i = 0; i < count; ++i) {
      if (pace.is_due(walkers.size() * bytes_of_leaf_look)) CAIRN_TRY(top.look(pace));
      bool found = false;
      for (Walker& walker : walkers) {
        walker.cursor.advance(ids[i]);
        found = found || walker.cursor.id() == ids[i];
      }
      // A document without any term is not a hit, although the heap may have room for its score of
      // 0.
      if (found) top.offer({ids[i], score_at(leaves, walkers, ids[i])});
    }
  }
  return {};
}

/// Iterates over the documents of essential terms. Non-essential terms cannot make a document a hit
/// alone, so they are only looked up for these documents.
class BlockMaxScore {
 public:
  BlockMaxScore(const std::vector<TermScorer>& leaves, std::vector<Walker>& walkers,
                const codec::Bitmap* allowed, TopHits& top, Pace& pace)
      : leaves_(leaves), walkers_(walkers), top_(top), pace_(pace) {
    if (allowed != nullptr) allowed_.emplace(*allowed);
    for (Walker& walker : walkers) order_.push_back(&walker);
    std::sort(order_.begin(), order_.end(),
              [](const Walker* a, const Walker* b) { return a->bound < b->bound; });
    sums_.push_back(0);
    for (const Walker* walker : order_) sums_.push_back(sums_.back() + walker->bound);
  }

  Status run() {
    while (find_essential()) {
      if (pace_.is_due(order_.size() * bytes_of_leaf_look)) CAIRN_TRY(top_.look(pace_));
      std::uint64_t id = TermCursor::end;
      for (std::size_t i = essential_; i < order_.size(); ++i)
        id = std::min(id, order_[i]->cursor.id());
      if (id == TermCursor::end) return {};
      if (skips_block(id) || skips_others(id)) continue;
      if (can_enter(id)) evaluate(id);
      for (std::size_t i = essential_; i < order_.size(); ++i)
        if (order_[i]->cursor.id() == id) order_[i]->cursor.next();
    }
    return {};
  }

 private:
  [[nodiscard]] bool is_too_low(double bound) const { return bound * slack <= top_.threshold(); }

  /// Makes terms non-essential as the threshold rises. Returns false if no document can be added
  /// any more.
  bool find_essential() {
    // The threshold only rises, so essential_ only grows.
    while (essential_ < order_.size() && is_too_low(sums_[essential_ + 1])) ++essential_;
    return essential_ < order_.size();
  }

  /// With a single essential term, skips a block whose bound is too low even together with all
  /// other terms.
  bool skips_block(std::uint64_t id) {
    if (essential_ + 1 != order_.size() || id < looked_at_) return false;
    Walker& walker = *order_[essential_];
    const bool is_low = is_too_low(walker.bound_at(id) + sums_[essential_]);
    looked_at_ = walker.cursor.block_of(id)->last + 1;
    if (is_low) walker.cursor.advance(looked_at_);
    return is_low;
  }

  /// Moves to the next allowed document if this one is not allowed.
  bool skips_others(std::uint64_t id) {
    const std::uint64_t next = allowed_ ? allowed_->seek(id) : id;
    if (next == id) return false;
    for (std::size_t i = essential_; i < order_.size(); ++i) order_[i]->cursor.advance(next);
    return true;
  }

  /// True if a document may be good enough, by bounds that become tighter: first of terms, then of
  /// blocks.
  bool can_enter(std::uint64_t id) {
    double sum = 0;
    for (std::size_t i = essential_; i < order_.size(); ++i)
      if (order_[i]->cursor.id() == id) sum += order_[i]->score();
    if (is_too_low(sum + sums_[essential_])) return false;
    // From the greatest bound down, giving up as soon as the rest cannot suffice.
    for (std::size_t i = essential_; i-- > 0;) {
      Walker& walker = *order_[i];
      if (is_too_low(sum + walker.bound_at(id) + sums_[i])) return false;
      walker.cursor.advance(id);
      if (walker.cursor.id() == id) sum += walker.score();
    }
    return !is_too_low(sum);
  }

  void evaluate(std::uint64_t id) { top_.offer({id, score_at(leaves_, walkers_, id)}); }

  const std::vector<TermScorer>& leaves_;
  std::vector<Walker>& walkers_;
  std::optional<codec::IdSeeker> allowed_;
  TopHits& top_;
  Pace& pace_;
  std::vector<Walker*> order_;  // by ascending bound
  std::vector<double> sums_;    // sums_[i] is the sum of the first i bounds
  std::size_t essential_ = 0;   // index in order_ of the first essential term
  // Ids below this one are in the block that was tested last and must be read.
  std::uint64_t looked_at_ = 0;
};

}  // namespace

double inverse_frequency(std::uint64_t all, std::uint64_t with_term) {
  const double n = static_cast<double>(with_term);
  return std::log(1 + (static_cast<double>(all) - n + 0.5) / (n + 0.5));
}

void TopHits::offer(const TextHit& hit) {
  if (k_ == 0) return;
  if (heap_.size() == k_) {
    if (!is_better(hit, heap_.front())) return;
    std::pop_heap(heap_.begin(), heap_.end(), is_better);
    heap_.pop_back();
  }
  heap_.push_back(hit);
  std::push_heap(heap_.begin(), heap_.end(), is_better);
  if (heap_.size() == k_) threshold_ = heap_.front().score;
}

std::vector<TextHit> TopHits::take() {
  std::sort(heap_.begin(), heap_.end(), is_better);
  return std::move(heap_);
}

Result<TopKDocuments> find_top_k_documents(const std::vector<TermScorer>& leaves, std::size_t k,
                                           const codec::Bitmap* allowed, Limits* limits) {
  TopKDocuments result;
  TopHits top(k, limits);
  Pace pace(limits);
  CAIRN_ASSIGN(auto walkers, make_walkers(leaves, pace));
  std::uint64_t postings = 0;
  for (const TermScorer& leaf : leaves) postings += leaf.postings->documents();
  const bool is_few =
      allowed != nullptr && allowed->cardinality() * lookup_cost * leaves.size() < postings;
  if (k == 0 || leaves.empty()) {
    result.executor = "no term";
  } else if (is_few) {
    result.executor = "scored " + std::to_string(allowed->cardinality()) + " allowed documents";
    CAIRN_TRY(score_each(leaves, walkers, *allowed, top, pace));
  } else {
    result.executor = "block-max over " + std::to_string(leaves.size()) + " terms";
    CAIRN_TRY(BlockMaxScore(leaves, walkers, allowed, top, pace).run());
  }
  CAIRN_TRY(check(walkers));
  result.hits = top.take();
  return result;
}

}  // namespace cairn::engine
