// The order is codec::compare_ordered, a total order over all values that compares types first (openCypher's orderability).
// The sort is stable: rows with equal keys keep their input order.
//
// All rows and keys are held in memory and charged to the limit. With a LIMIT, runs are truncated to the needed number of rows.
// Nothing is written to disk.
#include "query/execute/rows/sorted_rows.hpp"

#include "codec/ordered_key.hpp"
#include "query/execute/batch_column.hpp"
#include "query/execute/pipeline/physical_operator.hpp"
#include "query/functions/value_semantics.hpp"

#include <algorithm>
#include <utility>

namespace cairn::query {

bool SortedRows::is_column(const SortKey& key) {
  return key.expression->kind == ExpressionKind::variable;
}

// Rows of a run have the evaluated keys and the morsel first, so cells of columns are shifted by their number.
SortedRows::SortedRows(const Sorting& sorting, ExecutionContext& context)
    : sorting_(sorting), context_(context), run_(1, context.budget) {
  for (const SortKey& key : sorting_.clause.order)
    if (!is_column(key)) evaluated_.push_back(key.expression.get());
  std::size_t evaluated = 0;
  for (const SortKey& key : sorting_.clause.order)
    keys_.push_back({is_column(key) ? keys() + key.expression->slot : evaluated++, key.descending});
  if (sorting_.is_divided) keys_.push_back({evaluated, false});
  for (const Expression* key : evaluated_) properties_.expect(*key);
  run_ = empty_run();
}

// Nulls come last in ascending order and first in descending order, as in openCypher.
int SortedRows::compare(Row a, Row b) {
  for (const Key& key : keys_) {
    const Value& first = a[key.cell];
    const Value& second = b[key.cell];
    if (Holding::has_content(first) && !may_walk(first, second)) return 0;
    const int order = codec::compare_ordered(first, second);
    if (order != 0) return key.descending ? -order : order;
  }
  return 0;
}

// Counts the steps of a comparison, which ends with the shorter value. Comparisons cannot return
// errors, so the error is stored in stopped_ and checked after sorting.
bool SortedRows::may_walk(const Value& first, const Value& second) {
  const std::uint64_t steps = std::min(steps_of(first), steps_of(second));
  if (steps > 0 && stopped_) stopped_ = budget().step(steps);
  return stopped_.has_value();
}

// Order for a heap with the least row on top. Equal rows keep the order of the input, because equal rows of one morsel
// are in consecutive runs of one thread.
bool SortedRows::comes_later(const Head& a, const Head& b) {
  const int order = compare(at(a), at(b));
  return order != 0 ? order > 0 : a.run > b.run;
}

/// Sorts each full run and truncates it to the needed rows. If the run is short after the truncation, further rows are
/// added to it. So LIMIT 10 holds at most about 8,192 rows or 16 MiB, however many rows come.
Status SortedRows::add(RowBatch& rows, std::uint64_t morsel) {
  drop_late(rows);
  CAIRN_TRY(add_all(rows, morsel));
  CAIRN_TRY(tell_scan());
  return run_.size() < run_rows && run_.bytes() < run_bytes ? Status() : close_full_run();
}

// If the run is short now, its rows become the beginning of the next run.
Status SortedRows::close_full_run() {
  CAIRN_TRY(sort(run_));
  if (run_.size() < run_rows / 2 && run_.bytes() < run_bytes / 2) return {};
  CAIRN_TRY(run_.close());
  runs_.push_back(std::exchange(run_, empty_run()));
  return {};
}

Status SortedRows::finish() {
  CAIRN_TRY(sort(run_));
  if (!run_.empty()) runs_.push_back(std::exchange(run_, empty_run()));
  for (std::size_t i = 0; i < runs_.size(); ++i) push({i, 0});
  return stopped_;
}

Status SortedRows::join(std::span<SortedRows* const> parts) {
  for (SortedRows* part : parts)
    for (SortRun& run : part->runs_) {
      CAIRN_TRY(run.charge_to(budget()));
      CAIRN_TRY(budget().step(run.size()));
      runs_.push_back(std::move(run));
    }
  return finish();
}

/// Drops rows of a packed batch if enough other rows come before them. Drops rows only if the first key is an integer.
/// Packed rows cost little, so rows are made only of the remaining ones.
void SortedRows::drop_late(RowBatch& rows) {
  const SortKey& first = sorting_.clause.order.front();
  const std::size_t wanted = sorting_.wanted;
  if (!rows.is_packed() || !sorting_.is_limited || wanted == 0 || !is_column(first)) return;
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

/// Reports the lowest key that is still needed to a scan that returns the best rows first, so that the scan can stop.
/// Does so only for a descending key.
Status SortedRows::tell_scan() {
  const auto lowest = context_.lowest_kept.find(&sorting_.clause);
  const std::size_t wanted = sorting_.wanted;
  if (lowest == context_.lowest_kept.end() || wanted == 0 || run_.size() < wanted) return {};
  CAIRN_TRY(sort(run_));
  const Value& key = run_.sorted(wanted - 1)[keys_.front().cell];
  if (const auto* score = key.get_if<double>()) lowest->second = *score;
  return {};
}

/// Evaluates the keys once per row, not once per comparison.
Status SortedRows::add_all(RowBatch& rows, std::uint64_t morsel) {
  if (!properties_.empty()) CAIRN_TRY(properties_.load(rows, context_.graph));
  const ReadAhead read_ahead(context_.evaluator, properties_.empty() ? nullptr : &properties_);
  CAIRN_TRY(run_.make_room(rows.size()));
  for (std::size_t row = 0; row < rows.size(); ++row) {
    properties_.select(row);
    for (const Expression* key : evaluated_) {
      CAIRN_ASSIGN(Value value, context_.evaluator.evaluate(*key, rows[row]));
      CAIRN_TRY(run_.add(std::move(value)));
    }
    if (sorting_.is_divided) CAIRN_TRY(run_.add(Value(static_cast<std::int64_t>(morsel))));
    CAIRN_TRY(run_.add(rows[row]));
  }
  return budget().step(rows.size());
}

/// Sorts and truncates the run. Memory of removed rows is returned to the budget.
Status SortedRows::sort(SortRun& run) {
  CAIRN_TRY(run.sort(sorting_.wanted, [this](Row a, Row b) { return compare(a, b); }));
  CAIRN_TRY(stopped_);
  return run.size() <= sorting_.wanted ? Status() : run.cut(sorting_.wanted, budget());
}

void SortedRows::push(Head head) {
  heads_.push_back(head);
  std::push_heap(heads_.begin(), heads_.end(),
                 [this](const Head& a, const Head& b) { return comes_later(a, b); });
}

Status SortedRows::give(RowBatch& out) {
  while (!out.full() && !heads_.empty()) CAIRN_TRY(give_least(out));
  return {};
}

/// A k-way merge, using a heap of the next rows of all runs.
Status SortedRows::give_least(RowBatch& out) {
  std::pop_heap(heads_.begin(), heads_.end(),
                [this](const Head& a, const Head& b) { return comes_later(a, b); });
  Head head = heads_.back();
  heads_.pop_back();
  CAIRN_TRY(stopped_);
  CAIRN_TRY(out.append_moved(at(head).subspan(keys())));
  if (++head.position < runs_[head.run].size()) push(head);
  return budget().step();
}

}  // namespace cairn::query
