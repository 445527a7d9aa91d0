// Estimates how many rows each operator returns. An operator multiplies the number of its input rows by a factor. For
// conditions without an index the shares follow System R's optimizer (Selinger et al., 1979), such as a tenth for
// equality.

#include "query/plan/cardinality.hpp"

#include <algorithm>
#include <cmath>

namespace cairn::query {
namespace {

// Returns the share of rows that pass a condition. Used only for conditions that no index answers. Indexes estimate all
// other conditions.
double share_of(const Expression& condition) {
  switch (condition.kind) {
    case ExpressionKind::equal:
    case ExpressionKind::in:
    case ExpressionKind::starts_with:
      return 0.1;
    case ExpressionKind::not_equal:
    case ExpressionKind::logical_not:
    case ExpressionKind::is_not_null:
    case ExpressionKind::is_node:
      return 0.9;
    default:
      return 0.3;
  }
}

// Treats the conditions as independent.
double share_of(const std::vector<const Expression*>& conditions) {
  double share = 1;
  for (const Expression* condition : conditions) share *= share_of(*condition);
  return share;
}

// Assumed length of lists, if the length is unknown.
constexpr double list_length = 10;
// Paths are counted up to at most this many steps past the lower bound.
constexpr std::uint64_t counted_steps = 4;
constexpr double most_rows = 1e18;  // infinity times zero would not be a number

/// Returns the output rows for one input row: the rows of all branches, or one row if the call has no columns.
Result<double> rows_of_call(Statistics& statistics, CallSubquery& call) {
  double all = 0;
  for (Pipeline& branch : call.branches) {
    CAIRN_TRY(statistics.estimate(branch, 1));
    all += branch.operators.empty() ? 1.0 : branch.operators.back().rows;
  }
  return call.clause->columns.empty() ? 1.0 : all;
}

/// Returns the output rows for one input row: at least one, because without a match there is a row
/// of nulls.
Result<double> rows_of_optional(Statistics& statistics, Optional& optional) {
  CAIRN_TRY(statistics.estimate(optional.inner, 1));
  const auto& inner = optional.inner.operators;
  return std::max(1.0, inner.empty() ? 1.0 : inner.back().rows);
}

/// Returns the groups per input row. The number of groups is estimated as the square root of the rows.
double groups_per_row(const Aggregate& aggregate, double rows) {
  const double groups = aggregate.clause->keys.empty() ? 1 : std::sqrt(rows);
  return groups / std::max(rows, 1e-9);
}

}  // namespace

// Sums degree^length over the lengths. Ignores that no path uses a relationship twice, because the effect
// is small at these lengths. Without an upper bound, at least the paths of the lower bound's length count.
double count_paths(const HopRange& hops, double degree) {
  const std::uint64_t most =
      std::min(hops.most.value_or(std::max(counted_steps, hops.least)), hops.least + counted_steps);
  double paths = 0;
  for (std::uint64_t length = hops.least; length <= most; ++length)
    paths += std::pow(degree, static_cast<double>(length));
  return std::min(paths, most_rows);
}

// If the end is bound, assumes that one in `nodes` of the found nodes is this end.
Result<double> Statistics::factor(const Walk& walk) {
  double step = walk.degree.value_or(0);
  if (!walk.degree) {
    CAIRN_ASSIGN(step, degree(*walk.pattern));
  }
  CAIRN_ASSIGN(const double nodes, total(codec::EntityKind::node));
  if (walk.pattern->hops) step = count_paths(*walk.pattern->hops, step);
  return walk.to_is_bound && nodes > 0 ? step / nodes : step;
}

// Most filters have an estimate from a rule of the optimizer.
Result<double> Statistics::rows_of(FilterPlan& filter) {
  if (!filter.is_estimated) CAIRN_TRY(estimate(filter));
  return filter.rows;
}

// Returns nullopt if the value is unknown at planning time or not an integer.
std::optional<double> Statistics::constant_count(const Expression* count) const {
  const auto value = constant(count);
  const auto* number = value ? value->get_if<std::int64_t>() : nullptr;
  return number != nullptr ? std::optional(static_cast<double>(*number)) : std::nullopt;
}

// Returns output rows per input row. The number of distinct values is estimated as the square root of the rows.
Result<double> Statistics::factor(Operator& one, double rows) {
  return std::visit(
      Overload{
          [&](ScanNodes& scan) { return rows_of(scan.filter); },
          [&](ScanRelationships& scan) {
            return scan.is_bound ? Result<double>(1) : rows_of(scan.filter);
          },
          [&](const Expand& expand) -> Result<double> {
            CAIRN_ASSIGN(const double steps, factor(expand.walk));
            return expand.is_counted ? std::min(1.0, steps) : steps;
          },
          [&](const ExpandVariable& expand) { return factor(expand.walk); },
          [&](const SemiJoinFilter& keep) -> Result<double> {
            CAIRN_ASSIGN(const double all, total(keep.filter.kind));
            return all > 0 ? keep.filter.rows / all : 0;
          },
          [&](const SearchVectors& search) -> Result<double> {
            if (!search.clause->limit) return search.filter.rows;
            return std::min(constant_count(search.clause->limit.get()).value_or(list_length),
                            search.filter.rows);
          },
          [](const Select& select) -> Result<double> { return share_of(select.conjuncts); },
          [&](const Aggregate& aggregate) -> Result<double> {
            return groups_per_row(aggregate, rows);
          },
          [](const IndexGroupCount& count) -> Result<double> {
            return count.is_grouped ? std::sqrt(count.filter.rows) : 1;
          },
          [&](const Limit& limit) -> Result<double> {
            const auto count = constant_count(limit.count);
            return count && rows > 0 ? std::min(1.0, *count / rows) : 1.0;
          },
          [](const Unwind&) -> Result<double> { return list_length; },
          [&](Optional& optional) { return rows_of_optional(*this, optional); },
          [&](MergePattern& merge) -> Result<double> {
            CAIRN_TRY(estimate(merge.match, 1));
            return 1.0;
          },
          [&](Foreach& each) -> Result<double> {
            CAIRN_TRY(estimate(each.updates, 1));
            return 1.0;
          },
          [&](CallSubquery& call) { return rows_of_call(*this, call); },
          [](const auto&) -> Result<double> { return 1.0; },
      },
      one.content);
}

// Multiplies the number of input rows of each operator by its factor.
Status Statistics::estimate(Pipeline& pipeline, double rows) {
  for (Operator& one : pipeline.operators) {
    CAIRN_ASSIGN(const double times, factor(one, rows));
    rows = std::min(rows * times, most_rows);
    one.rows = rows;
  }
  return {};
}

}  // namespace cairn::query
