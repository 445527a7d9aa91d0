// Rules run once each, in a fixed order, over every pipeline of a plan. No search over plans:
// statements of an application are short, a plan is made for every run, and a few milliseconds of
// planning would be the largest part of most. A rule must leave the bag of rows as it is; tests run
// each query with every rule switched off in turn.
#include "query/optimize/optimizer.hpp"

#include "query/optimize/rules.hpp"

#include <cctype>

namespace cairn::query {
namespace {

struct Rule {
  std::string_view name;
  Status (*apply)(Pipeline& pipeline, const OptimizerInputs& inputs);
};

// In this order: conditions can only be pushed once the steps have their order, and be answered by
// indexes once they stand at their step.
constexpr Rule rules[] = {
    {"order_expansions", order_expansions},
    {"push_filters", push_filters},
    {"push_path_conditions", push_path_conditions},
    {"choose_indexes", choose_indexes},
    {"reach_ends", reach_ends},
    {"intersect_cycles", intersect_cycles},
    {"push_limits", push_limits},
    {"count_from_cardinality", count_from_cardinality},
    {"index_group_count", index_group_count},
    {"index_top_n", index_top_n},
    {"index_min_max", index_min_max},
    {"similarity_top_n", similarity_top_n},
    {"carry_read_slots", carry_read_slots},
};

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// `disabled_rules` is a text with names in it, separated by anything that is not a letter, digit or
/// _.
bool names(std::string_view list, std::string_view name) {
  for (auto at = list.find(name); at != std::string_view::npos; at = list.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    if ((at == 0 || !is_word(list[at - 1])) && (end == list.size() || !is_word(list[end])))
      return true;
  }
  return false;
}

Status apply_to_all(const Rule& rule, Pipeline& pipeline, const OptimizerInputs& inputs) {
  Status status;
  for_each_pipeline(pipeline, [&](Pipeline& one) {
    if (status) status = rule.apply(one, inputs);
  });
  return status;
}

}  // namespace

std::vector<std::string_view> rule_names() {
  std::vector<std::string_view> result;
  for (const Rule& rule : rules) result.push_back(rule.name);
  return result;
}

// Subqueries in expressions are optimized when they are first run, by the same function.
Status optimize(LogicalPlan& plan, const OptimizerInputs& inputs) {
  for (Pipeline& branch : plan.branches) {
    for (const Rule& rule : rules)
      if (!names(inputs.disabled_rules, rule.name)) CAIRN_TRY(apply_to_all(rule, branch, inputs));
    CAIRN_TRY(inputs.statistics.estimate(branch));
  }
  return {};
}

}  // namespace cairn::query
