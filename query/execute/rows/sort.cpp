// ORDER BY. All input is read before the first row is returned, on one thread or on several. With a LIMIT, only about as many
// rows as needed are held.

#include "query/execute/expression/evaluate_subquery.hpp"
#include "query/execute/rows/operators.hpp"
#include "query/execute/rows/shared_run.hpp"
#include "query/execute/rows/sorted_rows.hpp"
#include "query/plan/operator_content.hpp"

#include <cstddef>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace cairn::query {
namespace {

class SortOperator final : public PhysicalOperator {
 public:
  SortOperator(const Sort& content, Parts parts)
      : PhysicalOperator(parts.context, std::move(parts.input), parts.width),
        clause_(*content.clause),
        is_limited_(content.is_limited),
        shared_(content.shared, parts.context, input()),
        is_shared_(content.shared.threads > 1) {}

  /// Starts again in a subquery that runs for the next outer row.
  void restart() override {
    PhysicalOperator::restart();
    shared_.restart();
    is_gathered_ = false;
  }

 protected:
  Result<bool> produce(RowBatch& out) override {
    if (!is_gathered_) CAIRN_TRY(gather());
    is_gathered_ = true;
    CAIRN_TRY(rows_->give(out));
    return !out.empty();
  }

 private:
  Status gather() {
    CAIRN_ASSIGN(const std::size_t wanted, wanted_rows());
    Sorting sorting{clause_, shared_.width(), wanted, is_limited_, is_shared_};
    if (is_shared_) {
      rows_.emplace(sorting, context_);
      CAIRN_ASSIGN(const bool is_done, shared_.gather(gathering(sorting)));
      if (is_done) return {};
    }
    sorting.is_divided = false;
    rows_.emplace(sorting, context_);
    return gather_alone();
  }

  Status gather_alone() {
    own_meter().remark = shared_.remark();
    RowBatch rows;
    while (true) {
      CAIRN_ASSIGN(const bool more, shared_.rows().next(rows));
      if (!more) return rows_->finish();
      CAIRN_TRY(rows_->add(rows, 0));
    }
  }

  Gathering gathering(const Sorting& sorting) {
    return {[sorting](ExecutionContext& context) -> std::unique_ptr<ThreadPart> {
              return std::make_unique<SortedRows>(sorting, context);
            },
            [this](std::span<ThreadPart* const> parts) {
              std::vector<SortedRows*> all;
              for (ThreadPart* part : parts) all.push_back(static_cast<SortedRows*>(part));
              return rows_->join(all);
            }};
  }

  /// Returns LIMIT + SKIP, saturated. The Skip and Limit operators after the sort drop the other
  /// rows.
  Result<std::size_t> wanted_rows() {
    if (!is_limited_) return std::numeric_limits<std::size_t>::max();
    CAIRN_ASSIGN(const std::size_t limit, evaluate_count(evaluator(), *clause_.limit, "LIMIT"));
    if (!clause_.skip) return limit;
    CAIRN_ASSIGN(const std::size_t skip, evaluate_count(evaluator(), *clause_.skip, "SKIP"));
    return limit + skip < limit ? std::numeric_limits<std::size_t>::max() : limit + skip;
  }

  const ProjectClause& clause_;
  bool is_limited_;
  SharedInput shared_;
  bool is_shared_;
  std::optional<SortedRows> rows_;
  bool is_gathered_ = false;
};

}  // namespace

OperatorPtr make_operator(const Sort& content, Parts parts) {
  return std::make_unique<SortOperator>(content, std::move(parts));
}

}  // namespace cairn::query
