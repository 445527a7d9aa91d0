// Grouping: one row for each combination of keys, and one without any where there are no keys.
// Hash aggregation: pulls all of its input, keeps one entry for each group, then gives the groups
// in the order of their first rows (the language promises none; a run can be repeated). Keys are
// compared by sameness: null is one group, 1 and 1.0 are one. Held in memory: keys, aggregators,
// and for DISTINCT the values seen; all charged to the limit before they grow. Below: DISTINCT of rows.

#include "query/execute/pipeline/row_set.hpp"
#include "query/execute/rows/operators.hpp"
#include "query/plan/operator_content.hpp"

#include <memory>
#include <utility>

namespace cairn::query {
namespace {

// count(*)
class RowCounter final : public Aggregator {
 public:
  Status add(std::span<const Value>) override {
    ++count_;
    return {};
  }
  Result<Value> finish(engine::Limits* /*limits*/) override { return Value(count_); }

 private:
  std::int64_t count_ = 0;
};

// One aggregate of one group.
// `charged` is what the budget knows of it.
struct Accumulator {
  std::unique_ptr<Aggregator> aggregator;
  std::unique_ptr<RowSet> distinct;  // null unless DISTINCT
  std::size_t charged = 0;
};

using Group = std::vector<Accumulator>;

// Reads all of its input, then gives the groups in the order of their first rows.
class AggregateOperator final : public PhysicalOperator {
 public:
  AggregateOperator(const Aggregate& content, Parts parts)
      : PhysicalOperator(parts.context, std::move(parts.input), parts.width),
        clause_(*content.clause),
        held_(parts.context.budget) {
    for (const ExpressionPtr& key : clause_.keys) properties_.expect(*key);
    for (const AggregateCall& call : clause_.aggregates)
      for (const ExpressionPtr& argument : call.arguments) properties_.expect(*argument);
  }

  /// As part of a subquery it starts again for each outer row.
  void restart() override {
    PhysicalOperator::restart();
    clear();
  }

 protected:
  /// Gives groups in the order of their first rows, which no rule asks for but makes results
  /// repeatable.
  Result<bool> produce(RowBatch& out) override {
    if (!is_gathered_) CAIRN_TRY(gather());
    is_gathered_ = true;
    for (; next_ < order_.size() && !out.full(); ++next_) {
      auto& [key, group] = *order_[next_];
      CAIRN_ASSIGN(const Row row, out.append(key));
      CAIRN_TRY(finish(group, row.subspan(clause_.keys.size()), out));
    }
    return !out.empty();
  }

 private:
  using Groups = std::unordered_map<RowKey, Group, RowHash, RowEquivalence>;
  static constexpr std::size_t group_bytes = 128;
  static constexpr std::size_t aggregate_bytes = 96;

  void clear() {
    groups_.clear();
    order_.clear();
    held_.clear();
    next_ = 0;
    is_gathered_ = false;
  }

  /// Without keys the one group is there before any row comes: count(*) of nothing is 0.
  Status gather() {
    if (clause_.keys.empty()) CAIRN_TRY(add_group({}));
    RowBatch rows;
    while (true) {
      CAIRN_ASSIGN(const bool more, input().next(rows));
      if (!more) return {};
      if (!properties_.empty()) CAIRN_TRY(properties_.load(rows, graph()));
      const ReadAhead read_ahead(evaluator(), properties_.empty() ? nullptr : &properties_);
      for (std::size_t row = 0; row < rows.size(); ++row) {
        properties_.select(row);
        CAIRN_TRY(add(rows[row]));
      }
      CAIRN_TRY(budget().step(rows.size()));
    }
  }

  /// The key is built in place and copied only for a new group.
  Status add(Row row) {
    key_.clear();
    for (const ExpressionPtr& key : clause_.keys) {
      CAIRN_ASSIGN(Value value, evaluator().evaluate(*key, row));
      CAIRN_TRY(budget().step(steps_of(value)));
      key_.push_back(std::move(value));
    }
    auto group = groups_.find(key_);
    if (group == groups_.end()) {
      CAIRN_TRY(add_group(key_));
      group = groups_.find(key_);
    }
    for (std::size_t i = 0; i < clause_.aggregates.size(); ++i)
      CAIRN_TRY(add(clause_.aggregates[i], group->second[i], row));
    return {};
  }

  // A group is charged for when it is made; what its aggregates grow to, as they grow.
  Status add_group(RowKey key) {
    CAIRN_TRY(held_.add_bytes(group_bytes + key.size() * sizeof(Value) +
                              clause_.aggregates.size() * aggregate_bytes));
    CAIRN_TRY(held_.add(key));
    CAIRN_TRY(grow_table(groups_, held_));
    Group group;
    for (const AggregateCall& call : clause_.aggregates) {
      Accumulator one;
      one.aggregator = call.function == nullptr ? std::make_unique<RowCounter>()
                                                : call.function->make_aggregator();
      if (call.distinct) one.distinct = std::make_unique<RowSet>(budget());
      group.push_back(std::move(one));
    }
    order_.push_back(&*groups_.emplace(std::move(key), std::move(group)).first);
    return {};
  }

  // A null is not counted, summed or collected; its other arguments do not matter then.
  // DISTINCT is by the first argument: percentileCont(DISTINCT x, 0.5).
  Status add(const AggregateCall& call, Accumulator& accumulator, Row row) {
    arguments_.clear();
    for (const ExpressionPtr& argument : call.arguments) {
      CAIRN_ASSIGN(Value value, evaluator().evaluate(*argument, row));
      arguments_.push_back(std::move(value));
    }
    if (!arguments_.empty() && arguments_.front().is_null()) return {};
    if (accumulator.distinct) {
      CAIRN_ASSIGN(const bool is_new, accumulator.distinct->add(std::span(arguments_).first(1)));
      if (!is_new) return {};
    }
    if (!arguments_.empty() && Holding::has_content(arguments_.front()))
      CAIRN_TRY(budget().step(steps_of(arguments_.front())));
    CAIRN_TRY(accumulator.aggregator->add(arguments_));
    return charge(accumulator);
  }

  // An aggregator tells what it holds and what it is about to take for the next value.
  Status charge(Accumulator& accumulator) {
    const std::size_t bytes = accumulator.aggregator->memory_bytes();
    const std::size_t before = std::exchange(accumulator.charged, bytes);
    if (bytes > before) return held_.add_bytes(bytes - before);
    if (bytes < before) held_.give_back(before - bytes);
    return {};
  }

  /// An aggregator finishes once. Its result takes over what it gathered, and the row the charge.
  Status finish(Group& group, Row values, RowBatch& out) {
    for (std::size_t i = 0; i < group.size(); ++i) {
      CAIRN_ASSIGN(Value value, group[i].aggregator->finish(&budget()));
      held_.give_back(std::exchange(group[i].charged, 0));
      CAIRN_TRY(out.put(values[i], std::move(value)));
    }
    return {};
  }

  const ProjectClause& clause_;
  PropertyBatch properties_;
  Groups groups_;
  std::vector<Groups::value_type*> order_;  // as they came
  std::size_t next_ = 0;
  bool is_gathered_ = false;
  RowKey key_;
  std::vector<Value> arguments_;
  Holding held_;
};

}  // namespace

OperatorPtr make_operator(const Aggregate& content, Parts parts) {
  return std::make_unique<AggregateOperator>(content, std::move(parts));
}

// Each row once.
// Streams: a row goes on when it is the first of its kind. Compared by sameness, as grouping does
// (null is null, NaN is NaN, 1 is 1.0). Held in memory: every different row, charged to the limit.

namespace {

// Rows go on as they come; only what was seen is remembered.
class DistinctOperator final : public PhysicalOperator {
 public:
  DistinctOperator(const Distinct& content, Parts parts)
      : PhysicalOperator(parts.context, std::move(parts.input), parts.width),
        columns_(content.columns),
        seen_(parts.context.budget) {}

  void restart() override {
    PhysicalOperator::restart();
    seen_.clear();
  }

 protected:
  /// Streams: a row goes on as soon as it is new. What is held are the keys that were seen, charged
  /// to the statement's memory.
  Result<bool> produce(RowBatch& out) override {
    while (true) {
      CAIRN_ASSIGN(const bool more, input().next(out));
      if (!more) return false;
      std::vector<bool> is_new(out.size());
      for (std::size_t row = 0; row < out.size(); ++row) {
        CAIRN_ASSIGN(is_new[row], seen_.add(out[row].first(columns_)));
      }
      out.keep(is_new);
      if (!out.empty()) return true;
    }
  }

 private:
  std::size_t columns_;
  RowSet seen_;
};

}  // namespace

OperatorPtr make_operator(const Distinct& content, Parts parts) {
  return std::make_unique<DistinctOperator>(content, std::move(parts));
}

}  // namespace cairn::query
