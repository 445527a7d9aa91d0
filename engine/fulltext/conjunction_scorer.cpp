// + a  + b   c  - d       steps through the rarest of a and b, asks the others about its documents
//
// All cursors only move forward, by galloping over blocks: the cost follows the rarest required
// clause, however common the others are. A clause of several leaves (a prefix, several fields) is
// one cursor on the smallest id of its leaves. Scores are summed in the order of the question, so
// that the two executors and the plain evaluation agree to the bit.
#include "engine/fulltext/conjunction_scorer.hpp"

#include "codec/byte_io.hpp"
#include "codec/id_seeker.hpp"
#include "engine/fulltext/top_k_documents.hpp"

#include <algorithm>
#include <span>

namespace cairn::engine {
namespace {

using Occur = TextNode::Occur;

/// The cursors of a clause, of which the first document counts.
class ClauseCursor {
 public:
  explicit ClauseCursor(const TextClause& clause) : clause_(&clause) {
    cursors_.reserve(clause.leaves.size());
    for (const TermScorer& leaf : clause.leaves) {
      cursors_.emplace_back(leaf.postings);
      documents_ += leaf.postings->documents();
    }
    stand();
  }

  [[nodiscard]] Occur occur() const noexcept { return clause_->occur; }
  /// At most.
  [[nodiscard]] std::uint64_t documents() const noexcept { return documents_; }
  [[nodiscard]] std::uint64_t id() const noexcept { return id_; }
  void advance(std::uint64_t id) {
    if (id_ >= id) return;
    for (TermCursor& cursor : cursors_) cursor.advance(id);
    stand();
  }
  /// Of the document it stands on.
  [[nodiscard]] double score() const {
    double score = 0;
    for (std::size_t i = 0; i < cursors_.size(); ++i)
      if (cursors_[i].id() == id_)
        score += clause_->leaves[i].score.of(cursors_[i].frequency(), cursors_[i].length());
    return score;
  }
  [[nodiscard]] bool is_damaged() const {
    return std::any_of(cursors_.begin(), cursors_.end(),
                       [](const TermCursor& cursor) { return cursor.is_damaged(); });
  }

 private:
  void stand() {
    id_ = TermCursor::end;
    for (const TermCursor& cursor : cursors_) id_ = std::min(id_, cursor.id());
  }

  const TextClause* clause_;
  std::vector<TermCursor> cursors_;
  std::uint64_t documents_ = 0;
  std::uint64_t id_ = TermCursor::end;
};

class Conjunction {
 public:
  Conjunction(std::vector<ClauseCursor>& clauses, TopHits& top) : top_(top) {
    for (ClauseCursor& clause : clauses)
      (clause.occur() == Occur::must ? required_ : others_).push_back(&clause);
    by_rarity_ = required_;
    std::sort(by_rarity_.begin(), by_rarity_.end(),
              [](const auto* a, const auto* b) { return a->documents() < b->documents(); });
  }

  void run() {
    step_through([](std::uint64_t id) { return id; });
  }
  void run_among(const codec::Bitmap& allowed) {
    codec::IdSeeker seeker(allowed);
    step_through([&](std::uint64_t id) { return seeker.seek(id); });
  }

 private:
  /// `next_allowed` gives the first document from an id on that may be a hit, the ids ascending.
  template <class NextAllowed>
  void step_through(const NextAllowed& next_allowed) {
    ClauseCursor& rarest = *by_rarity_.front();
    const auto others = std::span(by_rarity_).subspan(1);
    for (std::uint64_t id = rarest.id(); id != TermCursor::end; id = rarest.id()) {
      // Asked before the others, whose blocks need not be decoded then.
      std::uint64_t next = next_allowed(id);
      if (next == id) {
        next = first_behind(others, id);
        if (next == id) {
          offer(id);
          ++next;
        }
      }
      rarest.advance(next);
    }
  }

  /// `id`, if all clauses have it; else where the first that lacks it goes on.
  static std::uint64_t first_behind(std::span<ClauseCursor* const> clauses, std::uint64_t id) {
    for (ClauseCursor* clause : clauses) {
      clause->advance(id);
      if (clause->id() != id) return clause->id();
    }
    return id;
  }

  void offer(std::uint64_t id) {
    double optional = 0;
    for (ClauseCursor* clause : others_) {
      clause->advance(id);
      if (clause->id() != id) continue;
      // Asked late, of documents that pass all else.
      if (clause->occur() == Occur::must_not) return;
      optional += clause->score();
    }
    double required = 0;
    for (const ClauseCursor* clause : required_) required += clause->score();
    top_.offer({id, required + optional});
  }

  TopHits& top_;
  std::vector<ClauseCursor*> required_;   // in the order of the question
  std::vector<ClauseCursor*> others_;     // likewise
  std::vector<ClauseCursor*> by_rarity_;  // the required ones
};

}  // namespace

Result<std::vector<TextHit>> find_conjunction_scorer(const std::vector<TextClause>& clauses,
                                                     std::size_t k, const codec::Bitmap* allowed) {
  std::vector<ClauseCursor> cursors(clauses.begin(), clauses.end());
  TopHits top(k);
  Conjunction conjunction(cursors, top);
  if (allowed != nullptr)
    conjunction.run_among(*allowed);
  else
    conjunction.run();
  const bool damaged = std::any_of(cursors.begin(), cursors.end(),
                                   [](const auto& cursor) { return cursor.is_damaged(); });
  if (damaged) return codec::corruption("postings of a full-text index are damaged");
  return top.take();
}

}  // namespace cairn::engine
