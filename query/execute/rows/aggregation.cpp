// Hash aggregation: holds one entry per group. Groups have the order of their first rows. The language does not require
// this order, but it makes runs reproducible. Keys are compared by equivalence: nulls form one group, and 1 equals 1.0. Keys,
// aggregators, and the values seen by DISTINCT are held in memory, and charged before they grow.
//
// A packed batch is processed by columns if keys and arguments are available as columns: first the
// groups of all rows, then each aggregate over all rows. Other batches are processed row by row.
#include "query/execute/rows/aggregation.hpp"

#include <algorithm>
#include <utility>

namespace cairn::query {

Aggregation::Kind Aggregation::kind_of(const AggregateCall& call) {
  if (call.function == nullptr || call.function->name == "count") return Kind::count;
  return call.function->name == "sum" && !call.distinct ? Kind::sum : Kind::other;
}

// The values of a DISTINCT aggregate are not divided: only join() finds duplicates across parts.
Aggregator::Divisible Aggregation::divisible(const AggregateCall& call) {
  if (call.distinct) return Aggregator::Divisible::none;
  if (kind_of(call) == Kind::count) return Aggregator::Divisible::all;
  return call.function->make_aggregator()->divisible();
}

Aggregation::Aggregation(const Aggregate& content, ExecutionContext& context, AggregatedRows rows)
    : context_(context),
      clause_(*content.clause),
      weight_(content.weight),
      groups_(clause_.keys.size(), context.budget),
      held_(context.budget),
      magnitudes_(clause_.aggregates.size()) {
  if (rows == AggregatedRows::some) log_.emplace(clause_.aggregates.size(), context.budget);
  for (const ExpressionPtr& key : clause_.keys) properties_.expect(*key);
  for (const AggregateCall& call : clause_.aggregates) {
    for (const ExpressionPtr& argument : call.arguments) properties_.expect(*argument);
    kinds_.push_back(kind_of(call));
    divisible_.push_back(divisible(call));
    auto& seen = seen_.emplace_back();
    if (call.distinct) seen = std::make_unique<Groups>(2, context.budget);
  }
}

// Releases all groups and their memory.
void Aggregation::clear() {
  groups_.clear();
  accumulators_.clear();
  made_groups_ = 0;
  for (const auto& seen : seen_)
    if (seen) seen->clear();
  held_.clear();
  next_ = 0;
}

Status Aggregation::add(RowBatch& rows, std::uint64_t morsel) {
  if (is_part()) begin_morsel(morsel);
  if (!properties_.empty()) CAIRN_TRY(properties_.load(rows, context_.graph));
  CAIRN_ASSIGN(const bool is_added, add_packed(rows));
  if (!is_added) CAIRN_TRY(add_each(rows));
  return budget().step(rows.size());
}

Status Aggregation::add_only_group() {
  if (!clause_.keys.empty() || groups_.size() > 0) return {};
  CAIRN_TRY(groups_.number({}));
  return add_groups();
}

// Adds a batch row by row.
Status Aggregation::add_each(RowBatch& rows) {
  const ReadAhead read_ahead(context_.evaluator, properties_.empty() ? nullptr : &properties_);
  for (std::size_t row = 0; row < rows.size(); ++row) {
    properties_.select(row);
    CAIRN_TRY(add_row(rows[row]));
  }
  return {};
}

// Adds one row to its group and to all aggregates of the group.
Status Aggregation::add_row(Row row) {
  key_.clear();
  for (const ExpressionPtr& key : clause_.keys) {
    CAIRN_ASSIGN(Value value, context_.evaluator.evaluate(*key, row));
    CAIRN_TRY(budget().step(steps_of(value)));
    key_.push_back(std::move(value));
  }
  CAIRN_ASSIGN(const std::uint32_t group, groups_.number(key_));
  CAIRN_TRY(add_groups());
  for (std::size_t i = 0; i < clause_.aggregates.size(); ++i) CAIRN_TRY(add(i, group, row));
  return {};
}

// Adds the state of new groups. A group is charged when it is made. Later growth of its
// aggregates is charged separately.
Status Aggregation::add_groups() {
  const std::size_t calls = clause_.aggregates.size();
  for (; made_groups_ < groups_.size(); ++made_groups_) {
    CAIRN_TRY(held_.add_bytes(group_bytes + calls * aggregate_bytes));
    accumulators_.resize(accumulators_.size() + calls);
  }
  return {};
}

// Most sums never need an aggregator, so it is made only when it receives a value or the result is due.
Aggregator& Aggregation::aggregator_of(Accumulator& one, std::size_t call) const {
  if (!one.aggregator) one.aggregator = clause_.aggregates[call].function->make_aggregator();
  return *one.aggregator;
}

// Skips rows whose first argument is null, whatever the other arguments are. DISTINCT compares
// only the first argument, as in percentileCont(DISTINCT x, 0.5).
Status Aggregation::add(std::size_t number, std::uint32_t group, Row row) {
  const AggregateCall& call = clause_.aggregates[number];
  arguments_.clear();
  for (const ExpressionPtr& argument : call.arguments) {
    CAIRN_ASSIGN(Value value, context_.evaluator.evaluate(*argument, row));
    arguments_.push_back(std::move(value));
  }
  if (!arguments_.empty() && arguments_.front().is_null()) return {};
  if (seen_[number]) {
    const std::size_t before = seen_[number]->size();
    CAIRN_TRY(budget().step(steps_of(arguments_.front())));
    CAIRN_ASSIGN(const std::uint32_t place,
                 seen_[number]->number({Value(std::int64_t{group}), arguments_.front()}));
    if (place < before) return {};
  }
  const bool is_weighted = weight_ && !seen_[number];
  return add_or_log(number, group, is_weighted ? *row[*weight_].get_if<std::int64_t>() : 1);
}

// Adds the values in arguments_, or logs them for join().
Status Aggregation::add_or_log(std::size_t number, std::uint32_t group, std::int64_t weight) {
  if (is_part() && !arguments_.empty()) {
    const Value& value = arguments_.front();
    if (is_logged(number, value)) return log(number, group);
    if (const auto* integer = value.get_if<std::int64_t>())
      if (kinds_[number] == Kind::sum)
        CAIRN_TRY(note_integers(number, 1, magnitude_bits(static_cast<std::uint64_t>(*integer))));
  }
  return add_arguments(accumulator(group, number), number, weight);
}

// Adds the values in arguments_ to one aggregate. Only counts depend on the weight: the planner gives no weights to
// other aggregates.
Status Aggregation::add_arguments(Accumulator& one, std::size_t number, std::int64_t weight) {
  if (!arguments_.empty() && Holding::has_content(arguments_.front()))
    CAIRN_TRY(budget().step(steps_of(arguments_.front())));
  if (kinds_[number] == Kind::count) {
    one.count += weight;
    return {};
  }
  CAIRN_TRY(settle(one, number));
  CAIRN_TRY(one.aggregator->add(arguments_));
  return charge(one);
}

// Charges the memory of the aggregator, including what it will allocate for the next value.
Status Aggregation::charge(Accumulator& one) {
  const std::size_t bytes = one.aggregator->memory_bytes();
  const std::size_t before = std::exchange(one.charged, bytes);
  if (bytes > before) return held_.add_bytes(bytes - before);
  if (bytes < before) held_.give_back(before - bytes);
  return {};
}

Result<bool> Aggregation::give(RowBatch& out) {
  if (!groups_.is_boxed()) return give_packed(out);
  for (; next_ < groups_.size() && !out.full(); ++next_) {
    CAIRN_ASSIGN(const Row row, out.append(groups_.key(next_)));
    CAIRN_TRY(finish_group(next_, row.subspan(clause_.keys.size()), out));
  }
  return !out.empty();
}

// Returns the next groups as a packed batch.
Result<bool> Aggregation::give_packed(RowBatch& out) {
  const std::size_t count = std::min(out.row_limit(), groups_.size() - next_);
  if (count == 0) return false;
  std::vector<BatchColumn> columns;
  for (std::size_t i = 0; i < clause_.keys.size(); ++i)
    columns.push_back(groups_.column(i, next_, count));
  for (std::size_t i = 0; i < clause_.aggregates.size(); ++i) {
    CAIRN_ASSIGN(BatchColumn column, results_of(i, count));
    columns.push_back(std::move(column));
  }
  columns.resize(out.width());
  CAIRN_TRY(out.pack(count, std::move(columns)));
  next_ += count;
  return true;
}

// Returns the results of one aggregate for `count` groups from next_ on.
Result<BatchColumn> Aggregation::results_of(std::size_t number, std::size_t count) {
  std::vector<std::uint64_t> words;
  words.reserve(count);
  for (std::size_t group = next_; group < next_ + count; ++group) {
    const Accumulator& one = accumulator(static_cast<std::uint32_t>(group), number);
    if (!is_known(one, number)) break;
    words.push_back(static_cast<std::uint64_t>(one.count));
  }
  if (words.size() == count)
    return BatchColumn::words(BatchColumn::Form::integers, std::move(words), {});
  std::vector<Value> values;
  for (std::size_t group = next_; group < next_ + count; ++group) {
    CAIRN_ASSIGN(Value value,
                 result_of(accumulator(static_cast<std::uint32_t>(group), number), number));
    values.push_back(std::move(value));
  }
  return BatchColumn::packed(std::move(values));
}

// True if the number in the accumulator is the result.
bool Aggregation::is_known(const Accumulator& one, std::size_t number) const {
  return kinds_[number] == Kind::count || (kinds_[number] == Kind::sum && !one.has_total);
}

// Returns the result and releases the charge of the aggregator.
Result<Value> Aggregation::result_of(Accumulator& one, std::size_t number) {
  if (is_known(one, number)) return Value(one.count);
  auto value = aggregator_of(one, number).finish(&budget());
  held_.give_back(std::exchange(one.charged, 0));
  return value;
}

// Each aggregator finishes only once. The row takes over the result and its charge.
Status Aggregation::finish_group(std::size_t group, Row values, RowBatch& out) {
  for (std::size_t i = 0; i < clause_.aggregates.size(); ++i) {
    CAIRN_ASSIGN(Value value, result_of(accumulator(static_cast<std::uint32_t>(group), i), i));
    CAIRN_TRY(out.put(values[i], std::move(value)));
  }
  return {};
}

}  // namespace cairn::query
