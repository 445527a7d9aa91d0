// Grouping: returns one row for each combination of keys. Without keys there is always exactly one
// row.
// Hash aggregation: reads all input, with one entry per group, and returns the groups in the order
// of their first rows. The language does not require this order, but it makes runs reproducible.
// Keys are compared by equivalence: nulls form one group, and 1 equals 1.0. Keys, aggregators, and
// the values seen by DISTINCT are held in memory, and charged before they grow.
//
// A packed batch is processed by columns if keys and arguments are available as columns: first the
// groups of all rows, then each aggregate over all rows. Other batches are processed row by row.

#include "query/execute/expression/packed_expressions.hpp"
#include "query/execute/rows/groups.hpp"
#include "query/execute/rows/operators.hpp"
#include "query/plan/operator_content.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>

namespace cairn::query {
namespace {

/// The state of one aggregate in one group.
struct Accumulator {
  // Result of count(); for sum(), a partial sum that the aggregator does not have yet.
  std::int64_t count = 0;
  std::unique_ptr<Aggregator> aggregator;  // nullptr until it receives a value
  std::size_t charged = 0;                 // bytes charged for the aggregator
  bool has_sum = false;                    // whether `count` has a partial sum
  bool has_total = false;                  // whether the aggregator has received values
};

// Which aggregates need no aggregator.
enum class Kind : std::uint8_t {
  count,  ///< needs only a number
  sum,    ///< integers are added without an aggregator as long as possible; see add_sums()
  other,
};

Kind kind_of(const AggregateCall& call) {
  if (call.function == nullptr || call.function->name == "count") return Kind::count;
  return call.function->name == "sum" && !call.distinct ? Kind::sum : Kind::other;
}

class AggregateOperator final : public PhysicalOperator {
 public:
  AggregateOperator(const Aggregate& content, Parts parts)
      : PhysicalOperator(parts.context, std::move(parts.input), parts.width),
        clause_(*content.clause),
        weight_(content.weight),
        groups_(clause_.keys.size(), parts.context.budget),
        held_(parts.context.budget) {
    for (const ExpressionPtr& key : clause_.keys) properties_.expect(*key);
    for (const AggregateCall& call : clause_.aggregates) {
      for (const ExpressionPtr& argument : call.arguments) properties_.expect(*argument);
      kinds_.push_back(kind_of(call));
      auto& seen = seen_.emplace_back();
      if (call.distinct) seen = std::make_unique<Groups>(2, parts.context.budget);
    }
  }

  /// In a subquery, starts again for each outer row.
  void restart() override {
    PhysicalOperator::restart();
    clear();
  }

 protected:
  /// Returns groups in the order of their first rows, so that results are reproducible.
  Result<bool> produce(RowBatch& out) override {
    if (!is_gathered_) CAIRN_TRY(gather());
    is_gathered_ = true;
    if (!groups_.is_boxed()) return give_packed(out);
    for (; next_ < groups_.size() && !out.full(); ++next_) {
      CAIRN_ASSIGN(const Row row, out.append(groups_.key(next_)));
      CAIRN_TRY(finish(next_, row.subspan(clause_.keys.size()), out));
    }
    return !out.empty();
  }

 private:
  static constexpr std::size_t group_bytes = 128;
  static constexpr std::size_t aggregate_bytes = 96;

  // Releases all groups and their memory.
  void clear() {
    groups_.clear();
    accumulators_.clear();
    made_groups_ = 0;
    for (const auto& seen : seen_)
      if (seen) seen->clear();
    held_.clear();
    next_ = 0;
    is_gathered_ = false;
  }

  /// Without keys, the single group exists even if there are no rows: count(*) is then 0.
  Status gather() {
    RowBatch rows;
    while (true) {
      CAIRN_ASSIGN(const bool more, input().next(rows));
      if (!more) break;
      if (!properties_.empty()) CAIRN_TRY(properties_.load(rows, graph()));
      CAIRN_ASSIGN(const bool is_added, add_packed(rows));
      if (!is_added) CAIRN_TRY(add_each(rows));
      CAIRN_TRY(budget().step(rows.size()));
    }
    if (clause_.keys.empty() && groups_.size() == 0) {
      CAIRN_TRY(groups_.number({}));
      CAIRN_TRY(add_groups());
    }
    return {};
  }

  // Adds a batch row by row.
  Status add_each(RowBatch& rows) {
    const ReadAhead read_ahead(evaluator(), properties_.empty() ? nullptr : &properties_);
    for (std::size_t row = 0; row < rows.size(); ++row) {
      properties_.select(row);
      CAIRN_TRY(add(rows[row]));
    }
    return {};
  }

  // Adds one row to its group and to all aggregates of the group.
  Status add(Row row) {
    key_.clear();
    for (const ExpressionPtr& key : clause_.keys) {
      CAIRN_ASSIGN(Value value, evaluator().evaluate(*key, row));
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
  Status add_groups() {
    const std::size_t calls = clause_.aggregates.size();
    for (; made_groups_ < groups_.size(); ++made_groups_) {
      CAIRN_TRY(held_.add_bytes(group_bytes + calls * aggregate_bytes));
      accumulators_.resize(accumulators_.size() + calls);
    }
    return {};
  }

  // Most sums never need an aggregator, so it is made only when it receives a value or the result is due.
  [[nodiscard]] Aggregator& aggregator_of(Accumulator& one, std::size_t call) const {
    if (!one.aggregator) one.aggregator = clause_.aggregates[call].function->make_aggregator();
    return *one.aggregator;
  }

  [[nodiscard]] Accumulator& accumulator(std::uint32_t group, std::size_t call) {
    return accumulators_[group * clause_.aggregates.size() + call];
  }

  // Skips rows whose first argument is null, whatever the other arguments are. DISTINCT compares
  // only the first argument, as in percentileCont(DISTINCT x, 0.5).
  Status add(std::size_t number, std::uint32_t group, Row row) {
    const AggregateCall& call = clause_.aggregates[number];
    arguments_.clear();
    for (const ExpressionPtr& argument : call.arguments) {
      CAIRN_ASSIGN(Value value, evaluator().evaluate(*argument, row));
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
    return add_arguments(accumulator(group, number), number,
                         is_weighted ? *row[*weight_].get_if<std::int64_t>() : 1);
  }

  // Adds the values in arguments_ to one aggregate. Only counts depend on the weight; the planner
  // gives no weights to others.
  Status add_arguments(Accumulator& one, std::size_t number, std::int64_t weight = 1) {
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
  Status charge(Accumulator& one) {
    const std::size_t bytes = one.aggregator->memory_bytes();
    const std::size_t before = std::exchange(one.charged, bytes);
    if (bytes > before) return held_.add_bytes(bytes - before);
    if (bytes < before) held_.give_back(before - bytes);
    return {};
  }

  /// Adds a packed batch by columns. Returns false and adds nothing if keys or arguments must be
  /// evaluated row by row.
  Result<bool> add_packed(const RowBatch& rows) {
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
  Status add_column(std::size_t number, const BatchColumn& column, std::size_t rows,
                    std::span<const std::uint64_t> weights) {
    if (seen_[number]) CAIRN_TRY(find_new(*seen_[number], column, rows));
    if (kinds_[number] == Kind::sum && column.form() == BatchColumn::Form::integers)
      return add_sums(number, column, rows);
    const bool is_weighted = !weights.empty() && !seen_[number];
    const bool counts = kinds_[number] == Kind::count;
    if (counts && !is_weighted && !seen_[number] && has_no_null(column)) {
      count_rows(number, rows);
      return {};
    }
    for (std::size_t row = 0; row < rows; ++row) {
      if (is_null(column, row) || (seen_[number] && !is_new_[row])) continue;
      Accumulator& one = accumulator(group_of_row_[row], number);
      if (!counts)
        CAIRN_TRY(add_cell(one, number, column, row));
      else
        one.count += is_weighted ? static_cast<std::int64_t>(weights[row]) : 1;
    }
    return {};
  }

  // Counts all rows in their groups.
  void count_rows(std::size_t number, std::size_t rows) {
    const std::size_t calls = clause_.aggregates.size();
    for (const std::uint32_t group : std::span(group_of_row_).first(rows))
      ++accumulators_[group * calls + number].count;
  }

  /// Adds integers to a partial sum outside of the aggregator. When the sum overflows, or when a
  /// value is not an integer, the aggregator takes over.
  Status add_sums(std::size_t number, const BatchColumn& column, std::size_t rows) {
    if (are_runs(rows)) return add_runs(number, column, rows);
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

  /// True if consecutive rows are mostly of one group, judged by the first rows.
  [[nodiscard]] bool are_runs(std::size_t rows) const {
    constexpr std::size_t enough = 64;
    const std::size_t looked_at = std::min(rows, enough);
    std::size_t changes = 0;
    for (std::size_t row = 1; row < looked_at; ++row)
      changes += group_of_row_[row] != group_of_row_[row - 1] ? 1 : 0;
    return changes < looked_at / 4;
  }

  /// As add_sums(), but keeps the sum of a run in a register.
  Status add_runs(std::size_t number, const BatchColumn& column, std::size_t rows) {
    for (std::size_t row = 0; row < rows;) {
      std::size_t end = row + 1;
      while (end < rows && group_of_row_[end] == group_of_row_[row]) ++end;
      CAIRN_TRY(add_run(number, column, row, end));
      row = end;
    }
    return {};
  }

  /// Adds the rows from `row` to `end`, which are all of one group.
  Status add_run(std::size_t number, const BatchColumn& column, std::size_t row, std::size_t end) {
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

  /// Passes the partial sum to the aggregator. From then on the aggregator receives each value.
  Status settle(Accumulator& one, std::size_t number) const {
    Aggregator& aggregator = aggregator_of(one, number);
    one.has_total = true;
    if (!std::exchange(one.has_sum, false)) return {};
    return aggregator.add_integer(std::exchange(one.count, 0));
  }

  /// Determines the rows with a value that is new in their group.
  Status find_new(Groups& seen, const BatchColumn& column, std::size_t rows) {
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

  // True if this is evident without a look at each row.
  static bool has_no_null(const BatchColumn& column) {
    if (column.is_packed()) return !column.has_missing();
    return column.form() == BatchColumn::Form::constant && !column.only().is_null();
  }

  static bool is_null(const BatchColumn& column, std::size_t row) {
    if (column.is_packed()) return column.is_missing(row);
    return column.form() == BatchColumn::Form::constant ? column.only().is_null()
                                                        : column.all()[row].is_null();
  }

  // Integers and floats are passed to the aggregator without making a Value.
  Status add_cell(Accumulator& one, std::size_t number, const BatchColumn& column,
                  std::size_t row) {
    if (column.form() == BatchColumn::Form::integers) {
      CAIRN_TRY(settle(one, number));
      CAIRN_TRY(one.aggregator->add_integer(static_cast<std::int64_t>(column.words()[row])));
    } else if (column.form() == BatchColumn::Form::floats) {
      CAIRN_TRY(settle(one, number));
      CAIRN_TRY(one.aggregator->add_float(std::bit_cast<double>(column.words()[row])));
    } else {
      arguments_.assign(1, column.value(row));
      return add_arguments(one, number);
    }
    return charge(one);
  }

  // Returns the next groups as a packed batch.
  Result<bool> give_packed(RowBatch& out) {
    const std::size_t count = std::min(out.row_limit(), groups_.size() - next_);
    if (count == 0) return false;
    std::vector<BatchColumn> columns;
    for (std::size_t i = 0; i < clause_.keys.size(); ++i)
      columns.push_back(groups_.column(i, next_, count));
    for (std::size_t i = 0; i < clause_.aggregates.size(); ++i) {
      CAIRN_ASSIGN(BatchColumn column, results_of(i, count));
      columns.push_back(std::move(column));
    }
    columns.resize(width());
    CAIRN_TRY(out.pack(count, std::move(columns)));
    next_ += count;
    return true;
  }

  // Returns the results of one aggregate for `count` groups from next_ on.
  Result<BatchColumn> results_of(std::size_t number, std::size_t count) {
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

  /// True if the number in the accumulator is the result.
  [[nodiscard]] bool is_known(const Accumulator& one, std::size_t number) const {
    return kinds_[number] == Kind::count || (kinds_[number] == Kind::sum && !one.has_total);
  }

  // Returns the result and releases the charge of the aggregator.
  Result<Value> result_of(Accumulator& one, std::size_t number) {
    if (is_known(one, number)) return Value(one.count);
    auto value = aggregator_of(one, number).finish(&budget());
    held_.give_back(std::exchange(one.charged, 0));
    return value;
  }

  /// Each aggregator finishes only once. The row takes over the result and its charge.
  Status finish(std::size_t group, Row values, RowBatch& out) {
    for (std::size_t i = 0; i < clause_.aggregates.size(); ++i) {
      CAIRN_ASSIGN(Value value, result_of(accumulator(static_cast<std::uint32_t>(group), i), i));
      CAIRN_TRY(out.put(values[i], std::move(value)));
    }
    return {};
  }

  const ProjectClause& clause_;
  const std::optional<Slot> weight_;
  const BatchColumn no_argument_ = BatchColumn::constant(Value(true));  // argument of count(*)
  PropertyBatch properties_;
  std::vector<Kind> kinds_;  // for each call
  Groups groups_;
  std::size_t made_groups_ = 0;
  std::vector<Accumulator> accumulators_;  // for each group, the accumulators of all calls
  // For DISTINCT calls, the pairs of group and value seen.
  std::vector<std::unique_ptr<Groups>> seen_;
  std::size_t next_ = 0;
  bool is_gathered_ = false;
  RowKey key_;
  std::vector<Value> arguments_;
  std::vector<std::uint32_t> group_of_row_;
  std::vector<bool> is_new_;
  Holding held_;
};

}  // namespace

OperatorPtr make_operator(const Aggregate& content, Parts parts) {
  return std::make_unique<AggregateOperator>(content, std::move(parts));
}

}  // namespace cairn::query
