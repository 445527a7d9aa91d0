// ORDER BY. Rows are collected in runs, which are sorted and then merged while rows are returned.
// So the statement can be cancelled within the time of one run. With a LIMIT, only about as many
// rows as needed are held.
// The order is codec::compare_ordered, a total order over all values that compares types first
// (openCypher's orderability). The sort is stable: rows with equal keys keep their input order.
//
// All input is read before the first row is returned. All rows and keys are held in memory and
// charged to the limit. With a LIMIT, runs are truncated to the needed number of rows. Nothing is
// written to disk.

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

/// Rows of equal length in one array, and their order. Each row is preceded by those keys that are
/// not columns of the row. All memory is charged before it is allocated.
///
///   cells    keys of 0 | row 0 | keys of 1 | row 1 | ...
///   places   index of the first row in sorted order, of the second row, ...
class Run {
 public:
  Run(std::size_t width, Budget& budget)
      : width_(width), held_(budget) {}  // at least one cell, the key

  [[nodiscard]] std::size_t size() const { return cells_.size() / width_; }
  [[nodiscard]] bool empty() const { return cells_.empty(); }
  [[nodiscard]] std::size_t bytes() const { return held_.bytes(); }
  /// A row is added in parts: first its keys and then its cells.
  Status add(Row cells) {
    CAIRN_TRY(held_.add(cells));
    if (cells_.size() + width_ > cells_.capacity())
      CAIRN_TRY(reserve(std::max(2 * cells_.capacity(), 8 * width_)));
    cells_.insert(cells_.end(), std::make_move_iterator(cells.begin()),
                  std::make_move_iterator(cells.end()));
    return {};
  }
  Status add(Value cell) { return add({&cell, 1}); }
  /// Makes room for `rows` more rows. A run that grows again doubles.
  Status make_room(std::size_t rows) {
    const std::size_t needed = cells_.size() + rows * width_;
    return needed <= cells_.capacity() ? Status()
                                       : reserve(std::max(2 * cells_.capacity(), needed));
  }

  /// Returns a row by its position of insertion.
  [[nodiscard]] Row row(std::size_t place) { return Row(cells_).subspan(place * width_, width_); }
  /// Returns a row by its position in sorted order.
  [[nodiscard]] Row sorted(std::size_t position) { return row(places_[position]); }

  /// Sorts the run so that the first `wanted` rows are in order and before all others.
  /// `compare(a, b)` is negative if row a comes first. Equal rows keep their order. After an error
  /// `compare` may return anything: the algorithms used here stay within the array even if the
  /// order is inconsistent.
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

  /// Releases unused memory after the last row was added.
  Status close() {
    if (cells_.capacity() - cells_.size() <= cells_.size() / 4) return {};
    CAIRN_TRY(held_.grow(bytes_of(cells_.capacity()), bytes_of(cells_.size())));
    cells_.shrink_to_fit();
    return {};
  }

  /// Keeps the first `wanted` rows of a sorted run, as if they had been added in this order.
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
  // Rows of a run have the evaluated keys first, so cells of columns are shifted by their number.
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

  /// Starts again in a subquery that runs for the next outer row.
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
  // Sorting this many rows takes about 5 ms if keys are short. Comparisons of long keys check the
  // clock themselves.
  static constexpr std::size_t run_rows = 8'192;
  // A run with a few large rows is truncated before too many of them are held.
  static constexpr std::size_t run_bytes = std::size_t{16} << 20;

  // The next row to read from a run.
  struct Head {
    std::size_t run = 0;
    std::size_t position = 0;
  };

  /// A key that is a column of the row need not be stored separately.
  static bool is_column(const SortKey& key) {
    return key.expression->kind == ExpressionKind::variable;
  }

  // Nulls come last in ascending order and first in descending order, as in openCypher.
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

  // Counts the steps of a comparison, which ends with the shorter value. Comparisons cannot return
  // errors, so the error is stored in stopped_ and checked after sorting.
  [[nodiscard]] bool may_walk(const Value& first, const Value& second) {
    const std::uint64_t steps = std::min(steps_of(first), steps_of(second));
    if (steps > 0 && stopped_) stopped_ = budget().step(steps);
    return stopped_.has_value();
  }

  [[nodiscard]] Row at(const Head& head) { return runs_[head.run].sorted(head.position); }

  // Order for a heap with the least row on top. Equal rows keep the order of the input.
  [[nodiscard]] bool comes_later(const Head& a, const Head& b) {
    const int order = compare(at(a), at(b));
    return order != 0 ? order > 0 : a.run > b.run;
  }

  /// Sorts each full run and truncates it to the needed rows. A run that is short afterwards is
  /// filled up again. So LIMIT 10 holds at most about 8,192 rows or 16 MiB, however many rows come.
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
      // The remaining rows become the beginning of the next run.
      if (run.size() < run_rows / 2 && run.bytes() < run_bytes / 2) continue;
      CAIRN_TRY(run.close());
      runs_.push_back(std::exchange(run, Run(run_width(), budget())));
    }
    CAIRN_TRY(sort(run, wanted));
    if (!run.empty()) runs_.push_back(std::move(run));
    for (std::size_t i = 0; i < runs_.size(); ++i) push({i, 0});
    return stopped_;
  }

  /// Drops rows of a packed batch if enough other rows come before them. Only for an integer as
  /// first key. Packed rows cost little, so this saves making rows of them.
  void drop_late(RowBatch& rows, std::size_t wanted) {
    const SortKey& first = clause_.order.front();
    if (!rows.is_packed() || !is_limited_ || wanted == 0 || !is_column(first)) return;
    const BatchColumn& keys = rows.column(first.expression->slot);
    if (keys.form() != BatchColumn::Form::integers || keys.has_missing()) return;
    // Converts keys so that smaller numbers come first.
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

  /// Reports the lowest key that is still needed to a scan that returns the best rows first, so
  /// that the scan can stop. Only for a descending key.
  Status tell_scan(Run& run, std::size_t wanted) {
    const auto lowest = context_.lowest_kept.find(&clause_);
    if (lowest == context_.lowest_kept.end() || wanted == 0 || run.size() < wanted) return {};
    CAIRN_TRY(sort(run, wanted));
    const Value& key = run.sorted(wanted - 1)[key_cells_.front()];
    if (const auto* score = key.get_if<double>()) lowest->second = *score;
    return {};
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

  [[nodiscard]] std::size_t run_width() { return evaluated_.size() + input().width(); }

  /// Evaluates the keys once per row, not once per comparison, and moves the row out of the batch.
  Status add(RowBatch& rows, Run& run) {
    if (!properties_.empty()) CAIRN_TRY(properties_.load(rows, graph()));
    const ReadAhead read_ahead(evaluator(), properties_.empty() ? nullptr : &properties_);
    CAIRN_TRY(run.make_room(rows.size()));
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

  /// Sorts and truncates the run. Memory of removed rows is returned to the budget.
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

  /// A k-way merge, using a heap of the next rows of all runs.
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
  std::vector<const Expression*> evaluated_;  // keys that are not columns of the row
  std::vector<std::size_t> key_cells_;        // for each key, its cell in a row of a run
  PropertyBatch properties_;
  std::vector<Run> runs_;
  std::vector<Head> heads_;
  // For drop_late(): enough rows are known whose first key does not come after this one.
  std::optional<std::int64_t> latest_;
  Status stopped_;  // the first error of a comparison
  bool is_sorted_ = false;
};

}  // namespace

OperatorPtr make_operator(const Sort& content, Parts parts) {
  return std::make_unique<SortOperator>(content, std::move(parts));
}

}  // namespace cairn::query
