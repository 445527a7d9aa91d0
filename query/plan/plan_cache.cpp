// Decides which plans may be cached and whether a cached plan still fits. Besides the text, a plan depends on row
// estimates and on the catalog. Estimates order the steps of a pattern and decide on semi-join filters. Short
// statements of applications profit most: without the cache, planning took a third or more of their time.
#include "query/plan/plan_cache.hpp"

#include "query/plan/cardinality.hpp"

#include <algorithm>
#include <type_traits>
#include <utility>

namespace cairn::query {
namespace {

template <class Content, class... Others>
constexpr bool is_one_of = (std::is_same_v<Content, Others> || ...);

template <class Content>
constexpr bool has_filter =
    is_one_of<Content, ScanNodes, CountRows, IndexGroupCount, SemiJoinFilter>;

template <class Content>
constexpr bool is_step = is_one_of<Content, Expand, ExpandVariable>;

/// Operators whose position and existence depend on no estimate, except the estimates of filters.
template <class Content>
constexpr bool is_fixed =
    is_step<Content> || is_one_of<Content, Select, Project, Aggregate, Distinct, Sort, Skip, Limit,
                                  TrimColumns, Unwind, BindPath>;

FilterPlan* filter_of(Operator& one) {
  return std::visit(
      []<class Content>(Content& content) -> FilterPlan* {
        if constexpr (has_filter<Content>)
          return &content.filter;
        else
          return nullptr;
      },
      one.content);
}

// Filters of relationships do not qualify: rules use them for counting only if all nodes are visible, and visibility
// may change.
bool finds_nodes(const Operator& one) {
  return std::visit(
      []<class Content>(const Content& content) {
        if constexpr (has_filter<Content>)
          return content.filter.kind == codec::EntityKind::node;
        else
          return false;
      },
      one.content);
}

// True if the place of the operator follows from the text of the statement.
bool follows_text(const Operator& one) {
  return std::visit([]<class Content>(const Content&) { return is_fixed<Content>; }, one.content);
}

// Every operator must be a filter of nodes or have a place that follows from the text.
bool may_be_cached(const Pipeline& pipeline) {
  return std::ranges::all_of(pipeline.operators, [](const Operator& one) {
    return finds_nodes(one) || follows_text(one);
  });
}

/// True if estimates decided the order of the steps, or whether the plan has some operators.
bool has_an_order(const Pipeline& pipeline) {
  const auto is_ordered = [](const Operator& one) {
    return std::visit([]<class Content>(const Content&) { return is_step<Content>; }, one.content);
  };
  return std::ranges::any_of(pipeline.operators, is_ordered) ||
         std::ranges::count_if(pipeline.operators, finds_nodes) > 1;
}

/// True if both numbers are of similar size: neither is more than four times the other. Then the same order is good
/// for both.
bool are_alike(double rows, double before) {
  constexpr double much = 4;
  return rows + 1 <= much * (before + 1) && before + 1 <= much * (rows + 1);
}

// True if the estimates of the parts can change how the filter is evaluated.
bool has_a_choice(const FilterPlan& filter) {
  return filter.conjuncts.size() > 1 ||
         (filter.conjuncts.size() == 1 && !filter.conjuncts.front().node->children.empty());
}

}  // namespace

bool may_be_cached(const LogicalPlan& plan) {
  return !plan.is_writing && std::ranges::all_of(plan.branches, [](const Pipeline& branch) {
    return may_be_cached(branch);
  });
}

namespace {

// Compares each new estimate with the one for which the plan was made.
Result<bool> estimate_again(Pipeline& pipeline, Statistics& statistics) {
  const bool is_ordered = has_an_order(pipeline);
  for (Operator& one : pipeline.operators) {
    FilterPlan* const filter = filter_of(one);
    if (filter == nullptr) continue;
    const double before = filter->rows;
    if (is_ordered)
      CAIRN_TRY(statistics.estimate(*filter));
    else if (has_a_choice(*filter))
      CAIRN_TRY(statistics.estimate_parts(*filter));
    if (is_ordered && !are_alike(filter->rows, before)) return false;
  }
  return true;
}

}  // namespace

Result<bool> estimate_again(LogicalPlan& plan, Statistics& statistics) {
  for (Pipeline& branch : plan.branches) {
    CAIRN_ASSIGN(const bool is_good, estimate_again(branch, statistics));
    if (!is_good) return false;
  }
  return true;
}

// The plan is moved out, so no two runs share it.
std::optional<LogicalPlan> PlanCache::take() {
  const std::lock_guard lock(mutex_);
  if (plans_.empty()) return std::nullopt;
  std::optional<LogicalPlan> plan = std::move(plans_.back());
  plans_.pop_back();
  return plan;
}

void PlanCache::give_back(LogicalPlan plan) {
  const std::lock_guard lock(mutex_);
  if (plans_.size() < most) plans_.push_back(std::move(plan));
}

}  // namespace cairn::query
