// + a  + b   c  - d       steps through the rarest of a and b, asks the others about its documents
//
// All cursors only move forward, by galloping over blocks: the cost follows the rarest required
// clause, however common the others are. A clause of several leaves (a prefix, several fields) is
// one cursor on the smallest id of its leaves. Scores are summed in the order of the question, so
// that the two executors and the plain evaluation agree to the bit.
#include "engine/fulltext/required_documents.hpp"

#include "codec/byte_io.hpp"
#include "engine/fulltext/top_documents.hpp"

#include <algorithm>
#include <array>

namespace cairn::engine {
namespace {

using Occur = TextNode::Occur;

/// The cursors of a clause, of which the first document counts.
class ClauseCursor {
 public:
  explicit ClauseCursor(const TextClause& clause) : clause_(&clause) {
    cursors_.reserve(clause.leaves.size());
    for (const TextLeaf& leaf : clause.leaves) {
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

  [[nodiscard]] std::uint64_t rarest() const { return by_rarity_.front()->documents(); }

  void run(const codec::IdSet* allowed) {
    for (std::uint64_t id = next_shared(0); id != TermCursor::end; id = next_shared(id + 1))
      if (allowed == nullptr || allowed->contains(id)) offer(id);
  }

  /// Where few are allowed.
  void run_over(const codec::IdSet& allowed) {
    std::array<std::uint64_t, 256> ids;
    codec::IdCursor cursor(allowed);
    while (const std::size_t count = cursor.next(ids))
      for (std::size_t i = 0; i < count; ++i)
        if (are_all_at(ids[i])) offer(ids[i]);
  }

 private:
  // The rarest first: it says no most often. Where one is not there, its own id is above.
  bool are_all_at(std::uint64_t id) {
    return std::all_of(by_rarity_.begin(), by_rarity_.end(), [&](ClauseCursor* clause) {
      clause->advance(id);
      return clause->id() == id;
    });
  }

  /// The first document from `id` on that has all that must occur.
  std::uint64_t next_shared(std::uint64_t id) {
    while (id != TermCursor::end && !are_all_at(id)) {
      // Somebody stands behind it: the others follow.
      for (const ClauseCursor* clause : by_rarity_) id = std::max(id, clause->id());
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

Result<std::vector<TextHit>> find_required_documents(const std::vector<TextClause>& clauses,
                                                     std::size_t k, const codec::IdSet* allowed) {
  std::vector<ClauseCursor> cursors(clauses.begin(), clauses.end());
  TopHits top(k);
  Conjunction conjunction(cursors, top);
  if (allowed != nullptr && allowed->cardinality() < conjunction.rarest())
    conjunction.run_over(*allowed);
  else
    conjunction.run(allowed);
  const bool damaged = std::any_of(cursors.begin(), cursors.end(),
                                   [](const auto& cursor) { return cursor.is_damaged(); });
  if (damaged) return codec::corruption("postings of a full-text index are damaged");
  return top.take();
}

}  // namespace cairn::engine
