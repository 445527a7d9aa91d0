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
#include "query/functions/value_semantics.hpp"
#include "query/plan/operator_content.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

namespace cairn::query {
namespace {

/// Rows of one length in one array, and their order. A row begins with the keys that are no columns of it.
///
///   cells    keys of 0 | row 0 | keys of 1 | row 1 | ...
///   places   of the row that comes first, of the second, ...
class Run {
 public:
  explicit Run(std::size_t width) : width_(width) {}  // at least one cell: a key

  [[nodiscard]] std::size_t size() const { return cells_.size() / width_; }
  [[nodiscard]] bool empty() const { return cells_.empty(); }
  /// A row is added cell by cell.
  void add(Value cell) { cells_.push_back(std::move(cell)); }
  void add(Row cells) {
    cells_.insert(cells_.end(), std::make_move_iterator(cells.begin()),
                  std::make_move_iterator(cells.end()));
  }

  /// As they were added.
  [[nodiscard]] Row row(std::size_t place) { return Row(cells_).subspan(place * width_, width_); }
  /// As they were sorted.
  [[nodiscard]] Row sorted(std::size_t position) { return row(places_[position]); }

  /// `compare(a, b)` is negative where row a comes first; equal rows stay in the order they came.
  /// The first `wanted` are in order then, the others behind them.
  template <class Compare>
  void sort(std::size_t wanted, const Compare& compare) {
    places_.resize(size());
    std::iota(places_.begin(), places_.end(), 0U);
    const auto precedes = [&](std::uint32_t a, std::uint32_t b) {
      const int order = compare(row(a), row(b));
      return order != 0 ? order < 0 : a < b;
    };
    if (wanted < size() / 2)
      std::partial_sort(places_.begin(), places_.begin() + static_cast<std::ptrdiff_t>(wanted),
                        places_.end(), precedes);
    else
      std::sort(places_.begin(), places_.end(), precedes);
  }

  /// No more is added: the memory that was set aside for it goes.
  void close() {
    if (cells_.capacity() - cells_.size() > cells_.size() / 4) cells_.shrink_to_fit();
  }

  /// Keep the first `wanted` of a sorted run, as if they had been added in their order.
  void cut(std::size_t wanted) {
    Run kept(width_);
    kept.cells_.reserve(wanted * width_);
    for (std::size_t position = 0; position < wanted; ++position) kept.add(sorted(position));
    kept.places_.resize(wanted);
    std::iota(kept.places_.begin(), kept.places_.end(), 0U);
    *this = std::move(kept);
  }

 private:
  std::size_t width_;
  std::vector<Value> cells_;
  std::vector<std::uint32_t> places_;
};

class SortOperator final : public PhysicalOperator {
 public:
  SortOperator(const Sort& content, Parts parts)
      : PhysicalOperator(parts.context, std::move(parts.input), parts.width),
        clause_(*content.clause),
        is_limited_(content.is_limited) {
    for (const SortKey& key : clause_.order)
      if (!is_column(key)) evaluated_.push_back(key.expression.get());
    std::size_t evaluated = 0;
    for (const SortKey& key : clause_.order)
      key_cells_.push_back(is_column(key) ? evaluated_.size() + key.expression->slot : evaluated++);
    for (const Expression* key : evaluated_) properties_.expect(*key);
  }

  /// Of a subquery that runs again for the next row.
  void restart() override {
    PhysicalOperator::restart();
    budget().release(charged_);
    charged_ = 0;
    runs_.clear();
    heads_.clear();
    steps_ = 0;
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
  // The same of rows with large keys: kilobytes that walks over all of them come to.
  static constexpr std::uint64_t run_steps = 16'384;
  // What is kept of a short list is sorted again with each run: not where walking it takes so long.
  static constexpr std::uint64_t kept_steps = 16 * run_steps;

  // Where a run is read next.
  struct Head {
    std::size_t run = 0;
    std::size_t position = 0;
  };

  /// A key that is a column of the row is not copied for comparing.
  static bool is_column(const SortKey& key) {
    return key.expression->kind == ExpressionKind::variable;
  }

  // Nulls are last in ascending order and first in descending, as in openCypher.
  [[nodiscard]] int compare(Row a, Row b) const {
    for (std::size_t i = 0; i < key_cells_.size(); ++i) {
      const int order = codec::compare_ordered(a[key_cells_[i]], b[key_cells_[i]]);
      if (order != 0) return clause_.order[i].descending ? -order : order;
    }
    return 0;
  }

  [[nodiscard]] Row at(const Head& head) { return runs_[head.run].sorted(head.position); }

  // For a heap with the least row on top; equal ones come in the order of the input.
  [[nodiscard]] bool comes_later(const Head& a, const Head& b) {
    const int order = compare(at(a), at(b));
    return order != 0 ? order > 0 : a.run > b.run;
  }

  /// Each run is sorted when it is full and cut to the wanted rows; a short rest is refilled, so
  /// that LIMIT 10 holds about 8,192 rows at any time, however many come.
  Status gather() {
    CAIRN_ASSIGN(const std::size_t wanted, wanted_rows());
    RowBatch rows;
    Run run(run_width());
    while (true) {
      CAIRN_ASSIGN(const bool more, input().next(rows));
      if (!more) break;
      CAIRN_TRY(add(rows, run, wanted));
      if (run.size() >= run_rows) close(run, wanted);
    }
    sort(run, wanted);
    if (!run.empty()) runs_.push_back(std::move(run));
    for (std::size_t i = 0; i < runs_.size(); ++i) CAIRN_TRY(push({i, 0}));
    return {};
  }

  /// What is kept of a short list goes on as the beginning of the next run.
  void close(Run& run, std::size_t wanted) {
    steps_ = 0;
    sort(run, wanted);
    if (run.size() == wanted && wanted < run_rows / 2 && steps_of_run(run) < kept_steps) return;
    run.close();
    runs_.push_back(std::exchange(run, Run(run_width())));
  }

  [[nodiscard]] std::uint64_t steps_of_run(Run& run) const {
    std::uint64_t steps = 0;
    for (std::size_t place = 0; place < run.size(); ++place) steps += steps_of_keys(run.row(place));
    return steps;
  }

  /// Of the keys alone: nothing else of a row is compared.
  [[nodiscard]] std::uint64_t steps_of_keys(Row row) const {
    std::uint64_t steps = 0;
    for (const std::size_t cell : key_cells_) steps += steps_of(row[cell]);
    return steps;
  }

  /// LIMIT + SKIP, saturated: the Skip and Limit behind drop the rest.
  Result<std::size_t> wanted_rows() {
    if (!is_limited_) return std::numeric_limits<std::size_t>::max();
    CAIRN_ASSIGN(const std::size_t limit, evaluate_count(evaluator(), *clause_.limit, "LIMIT"));
    if (!clause_.skip) return limit;
    CAIRN_ASSIGN(const std::size_t skip, evaluate_count(evaluator(), *clause_.skip, "SKIP"));
    return limit + skip < limit ? std::numeric_limits<std::size_t>::max() : limit + skip;
  }

  [[nodiscard]] std::size_t run_width() { return evaluated_.size() + input().width(); }

  /// Keys are evaluated once for each row, not at each comparison; then the row is moved out of the batch.
  Status add(RowBatch& rows, Run& run, std::size_t wanted) {
    if (!properties_.empty()) CAIRN_TRY(properties_.load(rows, graph()));
    const ReadAhead read_ahead(evaluator(), properties_.empty() ? nullptr : &properties_);
    for (std::size_t row = 0; row < rows.size(); ++row) {
      properties_.select(row);
      for (const Expression* key : evaluated_) {
        CAIRN_ASSIGN(Value value, evaluator().evaluate(*key, rows[row]));
        run.add(std::move(value));
      }
      run.add(rows[row]);
      const Row added = run.row(run.size() - 1);
      CAIRN_TRY(charge(added));
      steps_ += steps_of_keys(added);
      if (steps_ >= run_steps) {
        CAIRN_TRY(budget().step(steps_));
        close(run, wanted);
      }
    }
    return budget().step(rows.size());
  }

  Status charge(Row row) {
    const std::size_t bytes = bytes_of(row);
    CAIRN_TRY(budget().charge(bytes));
    charged_ += bytes;
    return {};
  }

  static std::size_t bytes_of(Row row) { return sizeof(std::uint32_t) + row_bytes(row); }

  /// What is cut off is given back to the budget.
  void sort(Run& run, std::size_t wanted) {
    run.sort(wanted, [this](Row a, Row b) { return compare(a, b); });
    if (run.size() <= wanted) return;
    for (std::size_t position = wanted; position < run.size(); ++position) {
      const std::size_t bytes = bytes_of(run.sorted(position));
      budget().release(bytes);
      charged_ -= std::min(charged_, bytes);
    }
    run.cut(wanted);
  }

  Status push(Head head) {
    heads_.push_back(head);
    std::push_heap(heads_.begin(), heads_.end(),
                   [this](const Head& a, const Head& b) { return comes_later(a, b); });
    return budget().step(steps_of_keys(at(head)));
  }

  /// A k-way merge by a heap of the runs' heads.
  Status give_least(RowBatch& out) {
    std::pop_heap(heads_.begin(), heads_.end(),
                  [this](const Head& a, const Head& b) { return comes_later(a, b); });
    Head head = heads_.back();
    heads_.pop_back();
    out.append_moved(at(head).subspan(evaluated_.size()));
    if (++head.position < runs_[head.run].size()) CAIRN_TRY(push(head));
    return budget().step();
  }

  const ProjectClause& clause_;
  bool is_limited_;
  std::vector<const Expression*> evaluated_;  // keys that are no columns
  std::vector<std::size_t> key_cells_;        // of each key its cell in a row of a run
  PropertyBatch properties_;
  std::vector<Run> runs_;
  std::vector<Head> heads_;
  std::size_t charged_ = 0;
  std::uint64_t steps_ = 0;  // to walk the keys of the run at hand
  bool is_sorted_ = false;
};

}  // namespace

OperatorPtr make_operator(const Sort& content, Parts parts) {
  return std::make_unique<SortOperator>(content, std::move(parts));
}

}  // namespace cairn::query
