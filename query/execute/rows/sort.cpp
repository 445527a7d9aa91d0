// ORDER BY: rows are gathered into sorted runs and merged while they are handed out, so that a stop
// is seen within a run's time. Where only the first rows are wanted, no more than those are held.
// Order: codec::compare_ordered, a total order over all values, types first (openCypher's
// orderability). Stable: rows with equal keys stay in the order they came.
//
// Pulls all of its input before the first row. Held in memory: rows and keys, all of them or, with
// a LIMIT behind, runs cut to the number that is wanted; charged to the limit. Nothing spills to
// disk.

#include "codec/ordered_key.hpp"
#include "query/execute/expression/evaluate_subquery.hpp"
#include "query/execute/holding.hpp"
#include "query/execute/rows/operators.hpp"
#include "query/functions/value_semantics.hpp"
#include "query/plan/operator_content.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

namespace cairn::query {
namespace {

/// Rows of one length in one array, and their order. A row begins with the keys that are no columns of it.
/// All of it is charged before it grows.
///
///   cells    keys of 0 | row 0 | keys of 1 | row 1 | ...
///   places   of the row that comes first, of the second, ...
class Run {
 public:
  Run(std::size_t width, Budget& budget)
      : width_(width), held_(budget) {}  // at least one cell: a key

  [[nodiscard]] std::size_t size() const { return cells_.size() / width_; }
  [[nodiscard]] bool empty() const { return cells_.empty(); }
  [[nodiscard]] std::size_t bytes() const { return held_.bytes(); }
  /// A row is added in parts: its keys, then itself.
  Status add(Row cells) {
    CAIRN_TRY(held_.add(cells));
    if (cells_.size() + width_ > cells_.capacity())
      CAIRN_TRY(reserve(std::max(2 * cells_.capacity(), 8 * width_)));
    cells_.insert(cells_.end(), std::make_move_iterator(cells.begin()),
                  std::make_move_iterator(cells.end()));
    return {};
  }
  Status add(Value cell) { return add({&cell, 1}); }

  /// A row in the order of insertion.
  [[nodiscard]] Row row(std::size_t place) { return Row(cells_).subspan(place * width_, width_); }
  /// A row in sorted order.
  [[nodiscard]] Row sorted(std::size_t position) { return row(places_[position]); }

  /// `compare(a, b)` is negative where row a comes first; equal rows stay in the order they came.
  /// The first `wanted` are in order then, the others behind them.
  /// A comparison that has stopped may answer anything: none of the algorithms here leaves the array.
  template <class Compare>
  Status sort(std::size_t wanted, const Compare& compare) {
    CAIRN_TRY(held_.add_bytes(size() * sizeof(std::uint32_t)));
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
      std::stable_sort(places_.begin(), places_.end(), precedes);
    return {};
  }

  /// No more is added: the memory that was set aside for it goes.
  Status close() {
    if (cells_.capacity() - cells_.size() <= cells_.size() / 4) return {};
    CAIRN_TRY(held_.grow(bytes_of(cells_.capacity()), bytes_of(cells_.size())));
    cells_.shrink_to_fit();
    return {};
  }

  /// Keep the first `wanted` of a sorted run, as if they had been added in their order.
  Status cut(std::size_t wanted, Budget& budget) {
    Run kept(width_, budget);
    CAIRN_TRY(kept.reserve(wanted * width_));
    for (std::size_t position = 0; position < wanted; ++position)
      CAIRN_TRY(kept.add(sorted(position)));
    kept.places_.resize(wanted);
    std::iota(kept.places_.begin(), kept.places_.end(), 0U);
    *this = std::move(kept);
    return {};
  }

 private:
  static std::size_t bytes_of(std::size_t cells) { return cells * sizeof(Value); }

  Status reserve(std::size_t cells) {
    CAIRN_TRY(held_.grow(bytes_of(cells_.capacity()), bytes_of(cells)));
    cells_.reserve(cells);
    return {};
  }

  std::size_t width_;
  std::vector<Value> cells_;
  std::vector<std::uint32_t> places_;
  Holding held_;
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

  /// Restarts in a subquery that runs again for the next row.
  void restart() override {
    PhysicalOperator::restart();
    runs_.clear();
    heads_.clear();
    latest_.reset();
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
  // About 5 ms of sorting, where keys are short: long ones look at the clock themselves.
  static constexpr std::size_t run_rows = 8'192;
  // So that a short list of large rows is cut before all of them lie here.
  static constexpr std::size_t run_bytes = std::size_t{16} << 20;

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
  [[nodiscard]] int compare(Row a, Row b) {
    for (std::size_t i = 0; i < key_cells_.size(); ++i) {
      const Value& first = a[key_cells_[i]];
      const Value& second = b[key_cells_[i]];
      if (Holding::has_content(first) && !may_walk(first, second)) return 0;
      const int order = codec::compare_ordered(first, second);
      if (order != 0) return clause_.order[i].descending ? -order : order;
    }
    return 0;
  }

  // A comparison ends with the shorter one. No error leaves it: it is stored, and the sort asks for it.
  [[nodiscard]] bool may_walk(const Value& first, const Value& second) {
    const std::uint64_t steps = std::min(steps_of(first), steps_of(second));
    if (steps > 0 && stopped_) stopped_ = budget().step(steps);
    return stopped_.has_value();
  }

  [[nodiscard]] Row at(const Head& head) { return runs_[head.run].sorted(head.position); }

  // For a heap with the least row on top; equal ones come in the order of the input.
  [[nodiscard]] bool comes_later(const Head& a, const Head& b) {
    const int order = compare(at(a), at(b));
    return order != 0 ? order > 0 : a.run > b.run;
  }

  /// Each run is sorted when it is full and cut to the wanted rows; a short rest is refilled, so
  /// that LIMIT 10 holds about 8,192 rows or 16 MiB at any time, however many come.
  Status gather() {
    CAIRN_ASSIGN(const std::size_t wanted, wanted_rows());
    RowBatch rows;
    Run run(run_width(), budget());
    while (true) {
      CAIRN_ASSIGN(const bool more, input().next(rows));
      if (!more) break;
      drop_late(rows, wanted);
      CAIRN_TRY(add(rows, run));
      CAIRN_TRY(tell_scan(run, wanted));
      if (run.size() < run_rows && run.bytes() < run_bytes) continue;
      CAIRN_TRY(sort(run, wanted));
      // What remains of a short list goes on as the beginning of the next run.
      if (run.size() < run_rows / 2 && run.bytes() < run_bytes / 2) continue;
      CAIRN_TRY(run.close());
      runs_.push_back(std::exchange(run, Run(run_width(), budget())));
    }
    CAIRN_TRY(sort(run, wanted));
    if (!run.empty()) runs_.push_back(std::move(run));
    for (std::size_t i = 0; i < runs_.size(); ++i) push({i, 0});
    return stopped_;
  }

  /// Rows of a packed batch whose first key, an integer, comes later than that of as many others as are wanted. Before
  /// they are rows, they cost little.
  void drop_late(RowBatch& rows, std::size_t wanted) {
    const SortKey& first = clause_.order.front();
    if (!rows.is_packed() || !is_limited_ || wanted == 0 || !is_column(first)) return;
    const BatchColumn& keys = rows.column(first.expression->slot);
    if (keys.form() != BatchColumn::Form::integers || keys.has_missing()) return;
    // As numbers that are smaller where they come first.
    std::vector<std::int64_t> places;
    for (const std::uint64_t word : keys.words()) {
      const auto key = static_cast<std::int64_t>(word);
      places.push_back(first.descending ? ~key : key);
    }
    if (places.size() >= wanted) {
      std::vector<std::int64_t> ordered = places;
      const auto last = ordered.begin() + static_cast<std::ptrdiff_t>(wanted - 1);
      std::ranges::nth_element(ordered, last);
      latest_ = latest_ ? std::min(*latest_, *last) : *last;
    }
    if (!latest_) return;
    std::vector<std::uint32_t> kept;
    for (std::size_t row = 0; row < places.size(); ++row)
      if (places[row] <= *latest_) kept.push_back(static_cast<std::uint32_t>(row));
    rows.keep_rows(kept);
  }

  /// A scan that gives the best rows first stops where no more of them will be kept. Of a descending key.
  Status tell_scan(Run& run, std::size_t wanted) {
    const auto told = context_.lowest_kept.find(&clause_);
    if (told == context_.lowest_kept.end() || wanted == 0 || run.size() < wanted) return {};
    CAIRN_TRY(sort(run, wanted));
    const Value& key = run.sorted(wanted - 1)[key_cells_.front()];
    if (const auto* score = key.get_if<double>()) told->second = *score;
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

  [[nodiscard]] std::size_t run_width() { return evaluated_.size() + input().width(); }

  /// Keys are evaluated once for each row, not at each comparison; then the row is moved out of the batch.
  Status add(RowBatch& rows, Run& run) {
    if (!properties_.empty()) CAIRN_TRY(properties_.load(rows, graph()));
    const ReadAhead read_ahead(evaluator(), properties_.empty() ? nullptr : &properties_);
    for (std::size_t row = 0; row < rows.size(); ++row) {
      properties_.select(row);
      for (const Expression* key : evaluated_) {
        CAIRN_ASSIGN(Value value, evaluator().evaluate(*key, rows[row]));
        CAIRN_TRY(run.add(std::move(value)));
      }
      CAIRN_TRY(run.add(rows[row]));
    }
    return budget().step(rows.size());
  }

  /// What is cut off is given back to the budget.
  Status sort(Run& run, std::size_t wanted) {
    CAIRN_TRY(run.sort(wanted, [this](Row a, Row b) { return compare(a, b); }));
    CAIRN_TRY(stopped_);
    return run.size() <= wanted ? Status() : run.cut(wanted, budget());
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
    CAIRN_TRY(stopped_);
    CAIRN_TRY(out.append_moved(at(head).subspan(evaluated_.size())));
    if (++head.position < runs_[head.run].size()) push(head);
    return budget().step();
  }

  const ProjectClause& clause_;
  bool is_limited_;
  std::vector<const Expression*> evaluated_;  // keys that are no columns
  std::vector<std::size_t> key_cells_;        // of each key its cell in a row of a run
  PropertyBatch properties_;
  std::vector<Run> runs_;
  std::vector<Head> heads_;
  std::optional<std::int64_t>
      latest_;      // of drop_late(): as many rows as are wanted do not come later
  Status stopped_;  // the error of a comparison, if there was one
  bool is_sorted_ = false;
};

}  // namespace

OperatorPtr make_operator(const Sort& content, Parts parts) {
  return std::make_unique<SortOperator>(content, std::move(parts));
}

}  // namespace cairn::query
