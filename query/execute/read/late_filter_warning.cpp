// Passes rows on and warns at the end if the rest of a MATCH dropped hits of its search. Then fewer
// hits remain than the LIMIT of the search allows, although there may be more matches. Counts
// distinct hits, not rows, because a pattern may return several rows per hit. The ids that passed
// are held in memory. The planner adds this operator only if a later operator may drop hits.

#include "query/execute/holding.hpp"
#include "query/execute/pipeline/execution_context.hpp"
#include "query/execute/read/operators.hpp"
#include "query/plan/operator_content.hpp"

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>

namespace cairn::query {
namespace {

class LateFilterWarningOperator final : public PhysicalOperator {
 public:
  LateFilterWarningOperator(const LateFilterWarning& content, Parts parts)
      : PhysicalOperator(parts.context, std::move(parts.input), parts.width),
        search_(content.search),
        held_(parts.context.budget) {}

  void restart() override {
    PhysicalOperator::restart();
    has_begun_ = false;
  }

 protected:
  /// Passes rows unchanged. The warning is known only at the end, so a statement that stops early
  /// gets no warning.
  Result<bool> produce(RowBatch& out) override {
    if (!has_begun_) begin();
    CAIRN_ASSIGN(const bool more, input().next(out));
    for (std::size_t row = 0; row < out.size(); ++row)
      if (const auto entity = entity_of(out.cell(row, search_->slot)))
        if (kept_.insert(entity->id).second) CAIRN_TRY(held_.add_bytes(set_entry_bytes));
    if (!more) warn();
    return more;
  }

 private:
  /// Asks the search for its hits, and removes those of an earlier run of a subquery.
  void begin() {
    has_begun_ = true;
    kept_.clear();
    held_.clear();
    context_.hits.insert_or_assign(search_, FoundHits{{}, Holding(context_.budget)});
  }

  /// Compares the hits that passed with all hits of the search. Not called if a later LIMIT stops
  /// the statement early.
  void warn() {
    const std::size_t hits = context_.hits[search_].ids.size();
    if (kept_.size() >= hits || has_warned_) return;
    has_warned_ = true;
    context_.warnings.push_back(
        std::to_string(hits - kept_.size()) + " of " + std::to_string(hits) +
        " hits were dropped by the pattern or by WHERE after the search; conditions inside "
        "SEARCH (... WHERE ...) apply before the search and do not reduce the number of hits");
  }

  const SearchClause* search_;
  std::set<std::uint64_t> kept_;
  Holding held_;  // of kept_
  bool has_begun_ = false;
  bool has_warned_ = false;
};

}  // namespace

OperatorPtr make_operator(const LateFilterWarning& content, Parts parts) {
  return std::make_unique<LateFilterWarningOperator>(content, std::move(parts));
}

}  // namespace cairn::query
