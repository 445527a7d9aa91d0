#include "engine/fulltext/top_documents.hpp"

#include "codec/byte_io.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace cairn::engine {
namespace {

/// Bounds are sums in another order than scores: a little more is asked of what is left out.
constexpr double slack = 1 + 1e-9;
/// Looking an id up in every leaf costs about this many steps through postings.
constexpr std::uint64_t lookup_cost = 8;

Error damaged() { return codec::corruption("postings of a full-text index are damaged"); }

/// A cursor with its place in the question.
struct Walker {
  TermCursor cursor;
  const TextLeaf* leaf;
  double bound;  // of all blocks
};

double bound_of(const TextLeaf& leaf, const TermPostings::Block& block) {
  return leaf.score.of(block.block.most, block.block.shortest);
}

std::vector<Walker> make_walkers(const std::vector<TextLeaf>& leaves) {
  std::vector<Walker> walkers;
  for (const TextLeaf& leaf : leaves) {
    double bound = 0;
    for (const auto& block : leaf.postings->blocks) bound = std::max(bound, bound_of(leaf, block));
    walkers.push_back({TermCursor(leaf.postings), &leaf, bound});
  }
  return walkers;
}

/// The sum over the leaves, in their order.
double score_at(const std::vector<Walker>& walkers, std::uint64_t id) {
  double score = 0;
  for (const Walker& walker : walkers) {
    if (walker.cursor.id() != id) continue;
    score += walker.leaf->score.of(walker.cursor.frequency(), walker.cursor.length());
  }
  return score;
}

Status check(const std::vector<Walker>& walkers) {
  const bool sound = std::none_of(walkers.begin(), walkers.end(),
                                  [](const Walker& walker) { return walker.cursor.is_damaged(); });
  return sound ? Status() : damaged();
}

void score_each(std::vector<Walker>& walkers, const codec::IdSet& allowed, TopHits& top) {
  std::array<std::uint64_t, 256> ids;
  codec::IdCursor cursor(allowed);
  while (const std::size_t count = cursor.next(ids)) {
    for (std::size_t i = 0; i < count; ++i) {
      bool found = false;
      for (Walker& walker : walkers) {
        walker.cursor.advance(ids[i]);
        found = found || walker.cursor.id() == ids[i];
      }
      if (found) top.offer({ids[i], score_at(walkers, ids[i])});
    }
  }
}

/// Block-max WAND over walkers that are kept in the order of where they stand.
class BlockMaxWand {
 public:
  BlockMaxWand(std::vector<Walker>& walkers, const codec::IdSet* allowed, TopHits& top)
      : walkers_(walkers), allowed_(allowed), top_(top) {
    for (Walker& walker : walkers) order_.push_back(&walker);
  }

  void run() {
    while (true) {
      sort();
      const std::size_t pivot = find_pivot();
      if (pivot == order_.size() || order_[pivot]->cursor.id() == TermCursor::end) return;
      step(pivot);
    }
  }

 private:
  void sort() {
    // Nearly sorted each time: only few have moved.
    for (std::size_t i = 1; i < order_.size(); ++i)
      for (std::size_t k = i; k > 0 && order_[k]->cursor.id() < order_[k - 1]->cursor.id(); --k)
        std::swap(order_[k], order_[k - 1]);
  }

  /// The first walker at which the bounds could get a document in.
  [[nodiscard]] std::size_t find_pivot() const {
    double sum = 0;
    for (std::size_t i = 0; i < order_.size(); ++i) {
      sum += order_[i]->bound;
      if (sum * slack <= top_.threshold()) continue;
      // All that stand on the same document count.
      while (i + 1 < order_.size() && order_[i + 1]->cursor.id() == order_[i]->cursor.id()) ++i;
      return i;
    }
    return order_.size();
  }

  void step(std::size_t pivot) {
    const std::uint64_t id = order_[pivot]->cursor.id();
    std::uint64_t behind = TermCursor::end;  // of the blocks looked at
    double sum = 0;
    for (std::size_t i = 0; i <= pivot; ++i) {
      const TermPostings::Block* block = order_[i]->cursor.block_of(id);
      if (block == nullptr) continue;
      sum += bound_of(*order_[i]->leaf, *block);
      behind = std::min(behind, block->last + 1);
    }
    if (sum * slack <= top_.threshold())
      skip(pivot, behind);
    else if (order_.front()->cursor.id() == id)
      evaluate(pivot, id);
    else
      for (std::size_t i = 0; i < pivot && order_[i]->cursor.id() < id; ++i)
        order_[i]->cursor.advance(id);
  }

  /// No document before the end of the shortest of these blocks, or before the next walker, gets in.
  void skip(std::size_t pivot, std::uint64_t behind) {
    if (pivot + 1 < order_.size()) behind = std::min(behind, order_[pivot + 1]->cursor.id());
    behind = std::max(behind, order_[pivot]->cursor.id() + 1);
    for (std::size_t i = 0; i <= pivot; ++i) order_[i]->cursor.advance(behind);
  }

  void evaluate(std::size_t pivot, std::uint64_t id) {
    if (allowed_ == nullptr || allowed_->contains(id)) top_.offer({id, score_at(walkers_, id)});
    for (std::size_t i = 0; i <= pivot; ++i) order_[i]->cursor.next();
  }

  std::vector<Walker>& walkers_;
  const codec::IdSet* allowed_;
  TopHits& top_;
  std::vector<Walker*> order_;
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

Result<TopDocuments> find_top_documents(const std::vector<TextLeaf>& leaves, std::size_t k,
                                        const codec::IdSet* allowed) {
  TopDocuments result;
  TopHits top(k);
  std::vector<Walker> walkers = make_walkers(leaves);
  std::uint64_t postings = 0;
  for (const TextLeaf& leaf : leaves) postings += leaf.postings->documents;
  const bool is_few =
      allowed != nullptr && allowed->cardinality() * lookup_cost * leaves.size() < postings;
  if (k == 0 || leaves.empty()) {
    result.executor = "no term";
  } else if (is_few) {
    result.executor = "scored " + std::to_string(allowed->cardinality()) + " allowed documents";
    score_each(walkers, *allowed, top);
  } else {
    result.executor = "block-max over " + std::to_string(leaves.size()) + " terms";
    BlockMaxWand(walkers, allowed, top).run();
  }
  CAIRN_TRY(check(walkers));
  result.hits = top.take();
  return result;
}

}  // namespace cairn::engine
