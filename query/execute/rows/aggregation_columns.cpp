// Adds packed batches by columns: each aggregate over all rows, without making rows or values.
#include "query/execute/expression/packed_expressions.hpp"
#include "query/execute/rows/aggregation.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

namespace cairn::query {
namespace {

// True if the form of the column alone shows that it has no null.
bool has_no_null(const BatchColumn& column) {
  if (column.is_packed()) return !column.has_missing();
  return column.form() == BatchColumn::Form::constant && !column.only().is_null();
}

/// All bits that the magnitudes of the integers have.
std::uint64_t bits_of(const BatchColumn& column, std::size_t rows) {
  const std::span<const std::uint64_t> words = column.words();
  std::uint64_t bits = 0;
  for (std::size_t row = 0; row < rows; ++row)
    if (!column.is_missing(row)) bits |= Aggregation::magnitude_bits(words[row]);
  return bits;
}

}  // namespace

bool Aggregation::is_null(const BatchColumn& column, std::size_t row) {
  if (column.is_packed()) return column.is_missing(row);
  return column.form() == BatchColumn::Form::constant ? column.only().is_null()
                                                      : column.all()[row].is_null();
}

// Adds a packed batch by columns. Returns false and adds nothing if keys or arguments must be
// evaluated row by row.
Result<bool> Aggregation::add_packed(const RowBatch& rows) {
  if (!rows.is_packed()) return false;
  std::span<const std::uint64_t> weights;
  if (weight_) {
    if (rows.column(*weight_).form() != BatchColumn::Form::integers) return false;
    weights = rows.column(*weight_).words();
  }
  ReadyColumns columns(rows, properties_, context_.parameters);
  std::vector<const BatchColumn*> keys;
  for (const ExpressionPtr& key : clause_.keys) keys.push_back(columns.of(*key));
  std::vector<const BatchColumn*> arguments;
  for (const AggregateCall& call : clause_.aggregates) {
    if (call.arguments.size() > 1) return false;
    arguments.push_back(call.arguments.empty() ? &no_argument_ : columns.of(*call.arguments[0]));
  }
  const auto is_ready = [](const BatchColumn* column) { return column != nullptr; };
  if (!std::ranges::all_of(keys, is_ready) || !std::ranges::all_of(arguments, is_ready))
    return false;
  CAIRN_TRY(groups_.number_rows(keys, rows.size(), group_of_row_));
  CAIRN_TRY(add_groups());
  for (std::size_t i = 0; i < arguments.size(); ++i)
    CAIRN_TRY(add_column(i, *arguments[i], rows.size(), weights));
  return true;
}

// Adds a column to one aggregate. The groups of its rows are in group_of_row_. Without weights
// each row counts once.
Status Aggregation::add_column(std::size_t number, const BatchColumn& column, std::size_t rows,
                               std::span<const std::uint64_t> weights) {
  if (seen_[number]) CAIRN_TRY(find_new(*seen_[number], column, rows));
  if (kinds_[number] == Kind::sum && column.form() == BatchColumn::Form::integers) {
    if (is_part()) CAIRN_TRY(note_integers(number, rows, bits_of(column, rows)));
    return add_sums(number, column, rows);
  }
  const bool is_weighted = !weights.empty() && !seen_[number];
  const bool counts = kinds_[number] == Kind::count;
  if (counts && !is_weighted && !seen_[number] && has_no_null(column)) {
    count_rows(number, rows);
    return {};
  }
  if (is_part() && divisible_[number] == Aggregator::Divisible::none)
    return log_column(number, column, rows);
  for (std::size_t row = 0; row < rows; ++row) {
    if (is_null(column, row) || (seen_[number] && !is_new_[row])) continue;
    if (!counts)
      CAIRN_TRY(add_cell(number, column, row));
    else
      accumulator(group_of_row_[row], number).count +=
          is_weighted ? static_cast<std::int64_t>(weights[row]) : 1;
  }
  return {};
}

// Counts all rows in their groups.
void Aggregation::count_rows(std::size_t number, std::size_t rows) {
  if (has_few_groups(rows)) return count_in_turns(number, rows);
  const std::size_t calls = clause_.aggregates.size();
  for (const std::uint32_t group : std::span(group_of_row_).first(rows))
    ++accumulators_[group * calls + number].count;
}

// If rows alternate between few groups, each addition waits for the previous addition to the same group. So each group
// has four partial sums, which its rows use in turn.
bool Aggregation::has_few_groups(std::size_t rows) const {
  constexpr std::size_t least_rows = 16;  // of a group
  return groups_.size() * least_rows <= rows;
}

void Aggregation::count_in_turns(std::size_t number, std::size_t rows) {
  turns_.assign(groups_.size() * turns, 0);
  for (std::size_t row = 0; row < rows; ++row) ++turns_[group_of_row_[row] * turns + row % turns];
  for (std::uint32_t group = 0; group < groups_.size(); ++group)
    accumulator(group, number).count += turn_sum(group);
}

std::int64_t Aggregation::turn_sum(std::uint32_t group) const {
  const std::span<const std::int64_t> places = std::span(turns_).subspan(group * turns, turns);
  return std::accumulate(places.begin(), places.end(), std::int64_t{0});
}

// Adds the integers of a batch in turns. Returns false and adds nothing if a sum might overflow, or if some rows have
// no integer.
bool Aggregation::add_in_turns(std::size_t number, const BatchColumn& column, std::size_t rows) {
  constexpr std::uint64_t large = std::uint64_t{1} << 48;  // a batch has fewer than 2^14 rows
  constexpr std::int64_t most = std::int64_t{1} << 62;
  if (column.has_missing() || bits_of(column, rows) >= large) return false;
  for (std::uint32_t group = 0; group < groups_.size(); ++group) {
    const Accumulator& one = accumulator(group, number);
    if (one.has_total || one.count >= most || one.count <= -most) return false;
  }
  const std::span<const std::uint64_t> words = column.words();
  turns_.assign(groups_.size() * turns, 0);
  for (std::size_t row = 0; row < rows; ++row) {
    const std::uint32_t group = group_of_row_[row];
    turns_[group * turns + row % turns] += static_cast<std::int64_t>(words[row]);
    accumulators_[group * clause_.aggregates.size() + number].has_sum = true;
  }
  for (std::uint32_t group = 0; group < groups_.size(); ++group)
    accumulator(group, number).count += turn_sum(group);
  return true;
}

// Adds integers to a partial sum outside of the aggregator. When the sum overflows, or when a
// value is not an integer, the aggregator takes over.
Status Aggregation::add_sums(std::size_t number, const BatchColumn& column, std::size_t rows) {
  if (are_runs(rows)) return add_runs(number, column, rows);
  if (has_few_groups(rows) && add_in_turns(number, column, rows)) return {};
  const std::span<const std::uint64_t> words = column.words();
  const std::size_t calls = clause_.aggregates.size();
  for (std::size_t row = 0; row < rows; ++row) {
    if (column.is_missing(row)) continue;
    Accumulator& one = accumulators_[group_of_row_[row] * calls + number];
    const auto value = static_cast<std::int64_t>(words[row]);
    std::int64_t sum = 0;
    if (one.has_total || __builtin_add_overflow(one.count, value, &sum)) {
      CAIRN_TRY(settle(one, number));
      CAIRN_TRY(one.aggregator->add_integer(value));
      continue;
    }
    one.count = sum;
    one.has_sum = true;
  }
  return {};
}

// True if consecutive rows are mostly of one group, judged by the first rows.
bool Aggregation::are_runs(std::size_t rows) const {
  constexpr std::size_t enough = 64;
  const std::size_t looked_at = std::min(rows, enough);
  std::size_t changes = 0;
  for (std::size_t row = 1; row < looked_at; ++row)
    changes += group_of_row_[row] != group_of_row_[row - 1] ? 1 : 0;
  return changes < looked_at / 4;
}

// Does the same as add_sums(), with the sum of a run in a register.
Status Aggregation::add_runs(std::size_t number, const BatchColumn& column, std::size_t rows) {
  for (std::size_t row = 0; row < rows;) {
    std::size_t end = row + 1;
    while (end < rows && group_of_row_[end] == group_of_row_[row]) ++end;
    CAIRN_TRY(add_run(number, column, row, end));
    row = end;
  }
  return {};
}

// Adds the rows from `row` to `end`, which are all of one group.
Status Aggregation::add_run(std::size_t number, const BatchColumn& column, std::size_t row,
                            std::size_t end) {
  Accumulator& one = accumulator(group_of_row_[row], number);
  const std::span<const std::uint64_t> words = column.words();
  std::int64_t sum = one.count;
  bool has_sum = one.has_sum;
  for (; row < end && !one.has_total; ++row) {
    if (column.is_missing(row)) continue;
    std::int64_t next = 0;
    if (__builtin_add_overflow(sum, static_cast<std::int64_t>(words[row]), &next)) break;
    sum = next;
    has_sum = true;
  }
  one.count = sum;
  one.has_sum = has_sum;
  for (; row < end; ++row) {
    if (column.is_missing(row)) continue;
    CAIRN_TRY(settle(one, number));
    CAIRN_TRY(one.aggregator->add_integer(static_cast<std::int64_t>(words[row])));
  }
  return {};
}

// Passes the partial sum to the aggregator. From then on the aggregator receives each value.
Status Aggregation::settle(Accumulator& one, std::size_t number) const {
  Aggregator& aggregator = aggregator_of(one, number);
  one.has_total = true;
  if (!std::exchange(one.has_sum, false)) return {};
  return aggregator.add_integer(std::exchange(one.count, 0));
}

// Determines the rows with a value that is new in their group.
Status Aggregation::find_new(Groups& seen, const BatchColumn& column, std::size_t rows) {
  const BatchColumn group = BatchColumn::words(BatchColumn::Form::integers,
                                               {group_of_row_.begin(), group_of_row_.end()}, {});
  const BatchColumn* const pair[] = {&group, &column};
  std::size_t known = seen.size();
  std::vector<std::uint32_t> numbers;
  CAIRN_TRY(seen.number_rows(pair, rows, numbers));
  is_new_.assign(rows, false);
  for (std::size_t row = 0; row < rows; ++row) {
    is_new_[row] = numbers[row] == known;
    if (is_new_[row]) ++known;
  }
  return {};
}

// Integers and floats are passed to the aggregator without making a Value.
Status Aggregation::add_cell(std::size_t number, const BatchColumn& column, std::size_t row) {
  Accumulator& one = accumulator(group_of_row_[row], number);
  if (column.form() == BatchColumn::Form::integers) {
    CAIRN_TRY(settle(one, number));
    CAIRN_TRY(one.aggregator->add_integer(static_cast<std::int64_t>(column.words()[row])));
  } else if (column.form() == BatchColumn::Form::floats) {
    CAIRN_TRY(settle(one, number));
    CAIRN_TRY(one.aggregator->add_float(std::bit_cast<double>(column.words()[row])));
  } else {
    arguments_.assign(1, column.value(row));
    return add_or_log(number, group_of_row_[row]);
  }
  return charge(one);
}

}  // namespace cairn::query
