// Applies each rule once, in a fixed order, to every pipeline of a plan. Does not search
// alternative plans. Application statements are short, and many plans are used for one run, so even
// a few milliseconds of planning would dominate. A rule must not change the multiset of result
// rows. Tests run each query with every rule switched off in turn.
#include "query/optimize/optimizer.hpp"

#include "query/optimize/rules.hpp"

#include <cctype>

namespace cairn::query {
namespace {

// A rule with the name by which it can be switched off.
struct Rule {
  std::string_view name;
  Status (*apply)(Pipeline& pipeline, const OptimizerInputs& inputs);
};

// The order matters. Conditions can be pushed only after the steps have their order, and indexes
// can answer conditions only after these are next to their step.
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
    {"count_steps", count_steps},
    {"carry_read_slots", carry_read_slots},
};

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// True if `list` contains `name` as a word. Any characters except letters, digits and _ separate
/// the names of a list.
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

bool is_disabled(std::string_view disabled, std::string_view name) { return names(disabled, name); }

std::vector<std::string_view> rule_names() {
  std::vector<std::string_view> result;
  for (const Rule& rule : rules) result.push_back(rule.name);
  return result;
}

// Subqueries in expressions are optimized by the same function when they are first run.
Status optimize(LogicalPlan& plan, const OptimizerInputs& inputs) {
  for (Pipeline& branch : plan.branches) {
    for (const Rule& rule : rules)
      if (!names(inputs.disabled_rules, rule.name)) CAIRN_TRY(apply_to_all(rule, branch, inputs));
    CAIRN_TRY(inputs.statistics.estimate(branch));
  }
  return {};
}

}  // namespace cairn::query
