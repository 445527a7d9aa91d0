// Lets rows pass and warns at the end, where the rest of a MATCH dropped hits of its search: fewer
// than its LIMIT come out then, though there may be more matches.
// Streams. Held in memory: the ids that came through, to compare with those that the search gave.
// Only in plans where something behind the search may drop rows.

#include "query/execute/read/operators.hpp"
#include "query/plan/operator_content.hpp"

#include <set>
#include <string>

namespace cairn::query {
namespace {

// Counts different hits, not rows: a pattern may well give several rows for one hit.
class LateFilterWarningOperator final : public PhysicalOperator {
 public:
  LateFilterWarningOperator(const LateFilterWarning& content, Parts parts)
      : PhysicalOperator(parts.context, std::move(parts.input), parts.width),
        search_(content.search) {}

  void restart() override {
    PhysicalOperator::restart();
    has_begun_ = false;
  }

 protected:
  /// Changes no row. What is warned of is known only at the end, so a statement that stops early
  /// warns of nothing.
  Result<bool> produce(RowBatch& out) override {
    if (!has_begun_) begin();
    CAIRN_ASSIGN(const bool more, input().next(out));
    for (std::size_t row = 0; row < out.size(); ++row)
      if (const auto entity = entity_of(out.cell(row, search_->slot))) kept_.insert(entity->id);
    if (!more) warn();
    return more;
  }

 private:
  /// Hits of an earlier run of a subquery do not belong to this one.
  void begin() {
    has_begun_ = true;
    kept_.clear();
    context_.hits.erase(search_);
  }

  /// Counted over all rows that asked; a LIMIT behind it ends the rows before this end is seen,
  /// without a warning.
  void warn() {
    const std::size_t hits = context_.hits[search_].size();
    if (kept_.size() >= hits || has_warned_) return;
    has_warned_ = true;
    context_.warnings.push_back(
        std::to_string(hits - kept_.size()) + " of " + std::to_string(hits) +
        " hits were dropped by the pattern or by WHERE after the search; conditions inside "
        "SEARCH (... WHERE ...) hold before it and leave the full number of hits");
  }

  const SearchClause* search_;
  std::set<std::uint64_t> kept_;
  bool has_begun_ = false;
  bool has_warned_ = false;
};

}  // namespace

OperatorPtr make_operator(const LateFilterWarning& content, Parts parts) {
  return std::make_unique<LateFilterWarningOperator>(content, std::move(parts));
}

}  // namespace cairn::query
