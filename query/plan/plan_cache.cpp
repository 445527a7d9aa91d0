// What a plan is made of besides the text: row estimates, which put the steps of a pattern in order and
// decide on sets of members, and the catalog's indexes and figures. Plans without such choices are the
// short statements of applications, of whose time planning was a third.
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
constexpr bool has_filter = is_one_of<Content, ScanNodes, CountRows, IndexGroupCount>;

/// Operators that no rule puts elsewhere, or makes, by an estimate.
template <class Content>
constexpr bool is_fixed = is_one_of<Content, Select, Project, Aggregate, Distinct, Sort, Skip,
                                    Limit, TrimColumns, Unwind>;

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

// Relationships are counted by their filter only where all nodes may be seen, which may change.
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

bool follows_text(const Operator& one) {
  return std::visit([]<class Content>(const Content&) { return is_fixed<Content>; }, one.content);
}

bool has_fixed_form(const Pipeline& pipeline) {
  const auto& operators = pipeline.operators;
  return std::ranges::count_if(operators, finds_nodes) <= 1 &&
         std::ranges::all_of(
             operators, [](const Operator& one) { return finds_nodes(one) || follows_text(one); });
}

bool has_a_choice(const FilterPlan& filter) {
  return filter.conjuncts.size() > 1 ||
         (filter.conjuncts.size() == 1 && !filter.conjuncts.front().node->children.empty());
}

}  // namespace

bool has_fixed_form(const LogicalPlan& plan) {
  return !plan.is_writing && std::ranges::all_of(plan.branches, [](const Pipeline& branch) {
    return has_fixed_form(branch);
  });
}

Status estimate_again(LogicalPlan& plan, Statistics& statistics) {
  for (Pipeline& branch : plan.branches)
    for (Operator& one : branch.operators)
      if (FilterPlan* filter = filter_of(one); filter != nullptr && has_a_choice(*filter))
        CAIRN_TRY(statistics.estimate_parts(*filter));
  return {};
}

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
