// ORDER BY: rows are gathered into sorted runs and merged while they are handed out, so that a stop
// is seen within a run's time. Where only the first rows are wanted, no more than those are kept.
// Order: codec::compare_ordered, a total order over all values, types first (openCypher's
// orderability). Stable: rows with equal keys stay in the order they came.
//
// Pulls all of its input before the first row. Held in memory: rows and keys, all of them or, with
// a LIMIT behind, runs cut to the number that is wanted; charged to the limit. Nothing spills to
// disk.

#include "codec/ordered_key.hpp"
#include "query/execute/operators.hpp"
#include "query/execute/read/search_arguments.hpp"
#include "query/execute/value_size.hpp"

#include <algorithm>
#include <limits>

namespace cairn::query {
namespace {

// Sort keys are evaluated once for each row, not at each comparison.
struct Entry {
  std::vector<Value> keys;
  std::vector<Value> row;
};
using Run = std::vector<Entry>;

class SortOperator final : public PhysicalOperator {
 public:
  SortOperator(const Sort& content, Parts parts)
      : PhysicalOperator(parts.context, std::move(parts.input), parts.width),
        clause_(*content.clause),
        is_limited_(content.is_limited) {
    for (const SortKey& key : clause_.order) properties_.expect(*key.expression);
  }

  /// Of a subquery that runs again for the next row.
  void restart() override {
    PhysicalOperator::restart();
    budget().release(charged_);
    charged_ = 0;
    runs_.clear();
    heads_.clear();
    is_sorted_ = false;
  }

 protected:
  Result<bool> produce(RowBatch& out) override {
    if (!is_sorted_) {
      CAIRN_TRY(gather());
      is_sorted_ = true;
    }
    while (!out.full() && !heads_.empty()) CAIRN_TRY(give_least(out));
    return !out.empty();
  }

 private:
  // About 5 ms of sorting: the longest time between two looks at the clock.
  static constexpr std::size_t run_rows = 8'192;

  // Where a run is read next.
  struct Head {
    std::size_t run = 0;
    std::size_t position = 0;
  };

  // Nulls are last in ascending order and first in descending, as in openCypher.
  [[nodiscard]] bool precedes(const Entry& a, const Entry& b) const {
    for (std::size_t i = 0; i < clause_.order.size(); ++i) {
      const int order = codec::compare_ordered(a.keys[i], b.keys[i]);
      if (order != 0) return (order < 0) != clause_.order[i].descending;
    }
    return false;
  }

  [[nodiscard]] const Entry& at(const Head& head) const { return runs_[head.run][head.position]; }

  // For a heap with the least entry on top; equal ones come in the order of the input.
  [[nodiscard]] bool comes_later(const Head& a, const Head& b) const {
    if (precedes(at(b), at(a))) return true;
    return !precedes(at(a), at(b)) && a.run > b.run;
  }

  /// Each run is sorted when it is full and cut to the wanted rows; a short rest is refilled, so
  /// that LIMIT 10 holds about 8,192 rows at any time, however many come.
  Status gather() {
    CAIRN_ASSIGN(const std::size_t wanted, wanted_rows());
    RowBatch rows;
    Run run;
    while (true) {
      CAIRN_ASSIGN(const bool more, input().next(rows));
      if (!more) break;
      CAIRN_TRY(add(rows, run));
      if (run.size() < run_rows) continue;
      sort(run, wanted);
      // What is kept of a short list goes on as the beginning of the next run.
      if (run.size() < run_rows / 2) continue;
      runs_.push_back(std::exchange(run, {}));
    }
    sort(run, wanted);
    if (!run.empty()) runs_.push_back(std::move(run));
    for (std::size_t i = 0; i < runs_.size(); ++i) push({i, 0});
    return {};
  }

  /// LIMIT + SKIP, saturated: the Skip and Limit behind drop the rest.
  Result<std::size_t> wanted_rows() {
    if (!is_limited_) return std::numeric_limits<std::size_t>::max();
    CAIRN_ASSIGN(const std::size_t limit, evaluate_count(evaluator(), *clause_.limit, "LIMIT"));
    if (!clause_.skip) return limit;
    CAIRN_ASSIGN(const std::size_t skip, evaluate_count(evaluator(), *clause_.skip, "SKIP"));
    return limit + skip < limit ? std::numeric_limits<std::size_t>::max() : limit + skip;
  }

  /// Rows are moved out of the batch, once their keys have been evaluated.
  Status add(RowBatch& rows, Run& run) {
    if (!properties_.empty()) CAIRN_TRY(properties_.load(rows, graph()));
    const ReadAhead read_ahead(evaluator(), properties_.empty() ? nullptr : &properties_);
    for (std::size_t row = 0; row < rows.size(); ++row) {
      properties_.select(row);
      Entry entry;
      for (const SortKey& key : clause_.order) {
        CAIRN_ASSIGN(Value value, evaluator().evaluate(*key.expression, rows[row]));
        entry.keys.push_back(std::move(value));
      }
      entry.row.assign(std::make_move_iterator(rows[row].begin()),
                       std::make_move_iterator(rows[row].end()));
      CAIRN_TRY(charge(entry));
      run.push_back(std::move(entry));
    }
    return budget().step(rows.size());
  }

  Status charge(const Entry& entry) {
    const std::size_t bytes = bytes_of(entry);
    CAIRN_TRY(budget().charge(bytes));
    charged_ += bytes;
    return {};
  }

  static std::size_t bytes_of(const Entry& entry) {
    return sizeof(Entry) + row_bytes(entry.keys) + row_bytes(entry.row);
  }

  /// What is cut off is given back to the budget.
  void sort(Run& run, std::size_t wanted) {
    std::stable_sort(run.begin(), run.end(),
                     [this](const Entry& a, const Entry& b) { return precedes(a, b); });
    while (run.size() > wanted) {
      const std::size_t bytes = bytes_of(run.back());
      budget().release(bytes);
      charged_ -= std::min(charged_, bytes);
      run.pop_back();
    }
  }

  void push(Head head) {
    heads_.push_back(head);
    std::push_heap(heads_.begin(), heads_.end(),
                   [this](const Head& a, const Head& b) { return comes_later(a, b); });
  }

  /// A k-way merge by a heap of the runs' heads.
  Status give_least(RowBatch& out) {
    std::pop_heap(heads_.begin(), heads_.end(),
                  [this](const Head& a, const Head& b) { return comes_later(a, b); });
    Head head = heads_.back();
    heads_.pop_back();
    std::vector<Value>& row = runs_[head.run][head.position].row;
    std::move(row.begin(), row.end(), out.append().begin());
    if (++head.position < runs_[head.run].size()) push(head);
    return budget().step();
  }

  const ProjectClause& clause_;
  bool is_limited_;
  PropertyBatch properties_;
  std::vector<Run> runs_;
  std::vector<Head> heads_;
  std::size_t charged_ = 0;
  bool is_sorted_ = false;
};

}  // namespace

OperatorPtr make_operator(const Sort& content, Parts parts) {
  return std::make_unique<SortOperator>(content, std::move(parts));
}

}  // namespace cairn::query
