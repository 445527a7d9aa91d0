// Chooses the order of a pattern's steps. Starts at the variable with the fewest ids, continues
// with the step that returns the fewest rows per input row, and starts at another variable if no
// remaining step is connected.
//    MATCH (a:Big)-[:R]->(b)-[:S]->(c {id: 7})
//
//    as written: ScanNodes a, Expand a-->b, Expand b-->c, Select
//    ordered:    ScanNodes c, Expand c<--b, Expand b<--a, Select
//
// The rule is sound for any order. A MATCH is a conjunction of its links, and each step knows which
// relationships it must differ from. The order of the rows may change, which Cypher leaves open.
// Cost: quadratic in the number of links, and a few index estimates per variable.

#include "query/optimize/rules.hpp"
#include "query/plan/pattern_layout.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <utility>

namespace cairn::query {
namespace {

// The operators of one MATCH: [begin, end) are its steps. A Select after them has its conditions.
struct StepRun {
  std::size_t begin = 0;
  std::size_t end = 0;
};

// The result is empty if the pattern has no steps in this pipeline.
StepRun find_run(const Pipeline& pipeline, std::uint32_t clause) {
  const auto& operators = pipeline.operators;
  StepRun run;
  while (run.begin < operators.size() && operators[run.begin].clause != clause) ++run.begin;
  run.end = run.begin;
  while (run.end < operators.size() && operators[run.end].clause == clause &&
         is_pattern_step(operators[run.end]))
    ++run.end;
  return run;
}

/// Returns the conditions of the MATCH without moving them.
std::vector<const Expression*> conditions_of(const Pipeline& pipeline, const StepRun& run) {
  if (run.end == pipeline.operators.size()) return {};
  const auto* select = std::get_if<Select>(&pipeline.operators[run.end].content);
  const bool is_own = pipeline.operators[run.end].clause == pipeline.operators[run.begin].clause;
  return select != nullptr && is_own ? select->conjuncts : std::vector<const Expression*>();
}

// Greedy: always takes the cheapest possible step. Patterns are small and estimates are rough, so a
// search over all orders (dynamic programming as in System R or DPccp) would not repay its cost.
class ExpansionOrder {
 public:
  ExpansionOrder(const PatternGraph& graph, PatternLayout& layout, Statistics& statistics)
      : graph_(graph), layout_(layout), statistics_(statistics) {}

  // Estimates the number of ids for each variable from the conditions on this variable alone. The
  // selectivity of conditions on two variables depends on the order of steps, so these are ignored.
  Status estimate(const std::vector<const Expression*>& conditions) {
    for (const auto& [slot, node] : graph_.nodes) {
      CAIRN_ASSIGN(node_rows_[slot], rows_of(slot, codec::EntityKind::node, conditions, {}));
    }
    for (const PatternLink& link : graph_.links) {
      const Slot slot = link.pattern->slot;
      FilterPlan types = type_filter(*link.pattern);
      CAIRN_ASSIGN(link_rows_[slot],
                   rows_of(slot, codec::EntityKind::relationship,
                           link.pattern->hops ? Conditions() : conditions, std::move(types)));
      CAIRN_ASSIGN(degrees_[slot], statistics_.degree(*link.pattern));
    }
    CAIRN_ASSIGN(nodes_, statistics_.total(codec::EntityKind::node));
    return sample(conditions);
  }

  /// Stores sampled degrees in the steps, for later row estimates.
  void note_degrees(std::vector<Operator>& steps) const {
    for (Operator& step : steps)
      std::visit(Overload{[&](Expand& expand) { note_degree(expand.walk); },
                          [&](ExpandVariable& expand) { note_degree(expand.walk); }, [](auto&) {}},
                 step.content);
  }

  // If a later sort keeps the most similar rows, starts at the entity whose vector index returns
  // the nearest first. Changes nothing if some variable has few ids, because starting at that
  // variable is cheaper.
  [[nodiscard]] Status begin_nearest(const Pipeline& pipeline) {
    constexpr double little = 1'000;
    for (const auto& [slot, rows] : node_rows_)
      if (rows < little) return {};
    for (std::size_t i = 0; i < graph_.links.size(); ++i) {
      const RelationshipPattern& pattern = *graph_.links[i].pattern;
      if (pattern.hops || pattern.is_bound || layout_.needs_both_ends(i)) continue;
      CAIRN_ASSIGN(const bool is_nearest,
                   has_nearest(pipeline, {pattern.slot, codec::EntityKind::relationship}));
      if (!is_nearest) continue;
      layout_.scan_relationship(i);
      return {};
    }
    for (const auto& [slot, node] : graph_.nodes) {
      if (node.is_bound) continue;
      CAIRN_ASSIGN(const bool is_nearest, has_nearest(pipeline, {slot, codec::EntityKind::node}));
      if (!is_nearest) continue;
      layout_.scan(slot);
      return {};
    }
    return {};
  }

  // A search comes first if there is one, because its hits are few.
  void run() {
    layout_.search();
    while (const auto link = cheapest_link()) take(*link);
    while (begin_somewhere())
      while (const auto link = cheapest_link()) take(*link);
    layout_.finish();
  }

 private:
  using Conditions = std::vector<const Expression*>;

  // Does nothing if the pattern starts at few nodes, because then sampling would take longer than a
  // better order saves.
  Status sample(const Conditions& conditions) {
    constexpr double few = 64;
    constexpr double many = 256;
    double least = std::numeric_limits<double>::infinity();
    for (const auto& [slot, rows] : node_rows_)
      least = std::min(least, graph_.nodes.at(slot).is_bound ? 1 : rows);
    if (least <= few) return {};
    for (const auto& [slot, node] : graph_.nodes) {
      const std::string_view label = label_of(slot, conditions);
      if (label.empty()) continue;
      labels_[slot] = label;
      CAIRN_ASSIGN(label_rows_[slot], statistics_.labelled(codec::EntityKind::node, label));
    }
    for (const PatternLink& link : graph_.links)
      for (const bool from_left : {true, false}) {
        const auto from = labels_.find(from_left ? link.left : link.right);
        const auto to = labels_.find(from_left ? link.right : link.left);
        if (from == labels_.end()) continue;
        const std::string_view to_label = to == labels_.end() ? std::string_view() : to->second;
        CAIRN_ASSIGN(const auto fan, statistics_.sample({link.pattern, from_left, from->second,
                                                         to_label, least >= many}));
        if (fan) fans_[{link.pattern->slot, from_left}] = *fan;
      }
    return {};
  }

  /// Returns a label that all nodes of the variable have: the first such label in the text. Empty
  /// if no condition names one.
  static std::string_view label_of(Slot slot, const Conditions& conditions) {
    for (const Expression* one : conditions)
      if (one->kind == ExpressionKind::has_label &&
          one->children[0]->kind == ExpressionKind::variable && one->children[0]->slot == slot)
        return one->name;
    return {};
  }

  // Returns the sampled figures of a step, or nullptr if it was not sampled.
  [[nodiscard]] const StepFan* fan_of(const RelationshipPattern& pattern, bool from_left) const {
    const auto found = fans_.find({pattern.slot, from_left});
    return found == fans_.end() ? nullptr : &found->second;
  }

  void note_degree(Walk& walk) const {
    if (const StepFan* fan = fan_of(*walk.pattern, !walk.reversed)) walk.degree = fan->degree;
  }

  // Estimates the number of ids of a variable from `filter` and the conditions on this variable
  // alone.
  Result<double> rows_of(Slot slot, codec::EntityKind kind, const Conditions& conditions,
                         FilterPlan filter) {
    Conditions own;
    for (const Expression* condition : conditions)
      if (free_slots(*condition) == SlotSet{slot}) own.push_back(condition);
    FilterPlan more = plan_filter(slot, kind, own);
    filter.slot = slot;
    filter.kind = kind;
    for (FilterConjunct& conjunct : more.conjuncts) filter.conjuncts.push_back(std::move(conjunct));
    CAIRN_TRY(statistics_.estimate(filter));
    return filter.rows;
  }

  [[nodiscard]] Result<bool> has_nearest(const Pipeline& pipeline, const ScannedEntity& scanned) {
    CAIRN_ASSIGN(const auto sort, similarity_sort(pipeline, scanned, statistics_));
    return sort && !sort->index.empty();
  }

  void take(std::size_t link) {
    layout_.starts_anywhere(link) ? layout_.scan_relationship(link) : layout_.walk(link);
  }

  // True if the step is possible with the nodes bound now.
  [[nodiscard]] bool can_be_taken(std::size_t link) const {
    if (layout_.is_walked(link)) return false;
    const bool left = layout_.is_bound(graph_.links[link].left);
    const bool right = layout_.is_bound(graph_.links[link].right);
    if (layout_.needs_both_ends(link)) return left && right && layout_.has_inputs(link);
    return left || right || layout_.starts_anywhere(link);
  }

  // Returns the output rows per input row of a step, if the nodes bound now and `begin` have
  // values. A relationship that already has a value returns at most one row, so its step comes
  // first: its record gives both ends.
  [[nodiscard]] double factor(std::size_t link, std::optional<Slot> begin = {}) const {
    if (layout_.starts_anywhere(link)) return 0;
    const PatternLink& one = graph_.links[link];
    const bool left = one.left == begin || layout_.is_bound(one.left);
    const bool right = one.right == begin || layout_.is_bound(one.right);
    const StepFan* const fan = fan_of(*one.pattern, left);
    double rows = fan != nullptr ? fan->degree : degrees_.at(one.pattern->slot);
    // Every path is followed even if only a few end at the bound node.
    if (one.pattern->hops) return count_paths(*one.pattern->hops, rows);
    if (left && right) return rows / std::max(1.0, nodes_);
    if (fan != nullptr) return fan->labelled * share_of(left ? one.right : one.left);
    rows *= node_rows_.at(left ? one.right : one.left) / std::max(1.0, nodes_);
    return rows * link_rows_.at(one.pattern->slot) / std::max(1.0, typed_rows(one));
  }

  /// Returns the share of nodes with the variable's label that pass all its conditions.
  [[nodiscard]] double share_of(Slot slot) const {
    const auto labelled = label_rows_.find(slot);
    const double all = labelled == label_rows_.end() ? nodes_ : labelled->second;
    return std::min(1.0, node_rows_.at(slot) / std::max(1.0, all));
  }

  // Returns the number of all relationships with the link's types, derived from the degree.
  [[nodiscard]] double typed_rows(const PatternLink& link) const {
    const double ways = link.pattern->direction == PatternDirection::any ? 2 : 1;
    return degrees_.at(link.pattern->slot) * nodes_ / ways;
  }

  /// Of links with equal cost the first one in the text is taken, so that plans are reproducible.
  [[nodiscard]] std::optional<std::size_t> cheapest_link() const {
    std::optional<std::size_t> best;
    for (std::size_t i = 0; i < graph_.links.size(); ++i)
      if (can_be_taken(i) && (!best || factor(i) < factor(*best))) best = i;
    return best;
  }

  // Adds the cheapest scan of a node or relationship. Returns false if all nodes are bound.
  bool begin_somewhere() {
    std::optional<Slot> node;
    for (const auto& [slot, pattern] : graph_.nodes)
      if (!layout_.is_bound(slot) && (!node || start_cost(slot) < start_cost(*node))) node = slot;
    if (!node) return false;
    if (const auto link = cheapest_scan(node_rows_.at(*node)))
      layout_.scan_relationship(*link);
    else
      layout_.scan(*node);
    return true;
  }

  // Returns the cost of starting at a node: the number of its ids, and for ties the rows of the
  // best next step. If there is a sample, adds the relationships that this step reads to the number
  // of ids; relationships whose lists are in memory count less.
  [[nodiscard]] std::pair<double, double> start_cost(Slot slot) const {
    double least = std::numeric_limits<double>::infinity();
    double degree = 0;
    for (std::size_t i = 0; i < graph_.links.size(); ++i) {
      const PatternLink& link = graph_.links[i];
      const bool touches = link.left == slot || link.right == slot;
      if (!touches || layout_.is_walked(i) || factor(i, slot) >= least) continue;
      least = factor(i, slot);
      const StepFan* const fan = fan_of(*link.pattern, link.left == slot);
      if (!fans_.empty()) degree = fan != nullptr ? cost_of(*fan) : degrees_.at(link.pattern->slot);
    }
    return {node_rows_.at(slot) * (1 + degree), least};
  }

  /// Returns what a step costs per node, in relationships read from the store.
  [[nodiscard]] static double cost_of(const StepFan& fan) {
    constexpr double listed_cost = 0.05;
    return fan.degree * (fan.is_listed ? listed_cost : 1);
  }

  // Returns the relationship to scan if that is clearly cheaper than scanning `node_rows` nodes.
  // The record of each scanned relationship must be read for its ends, which an adjacency list of a
  // node does not need. Links with hops, links of shortest paths, and links with a bound end do not
  // qualify.
  [[nodiscard]] std::optional<std::size_t> cheapest_scan(double node_rows) const {
    constexpr double read_instead_of_expand = 4;
    std::optional<std::size_t> best;
    double least = node_rows / read_instead_of_expand;
    for (std::size_t i = 0; i < graph_.links.size(); ++i) {
      const PatternLink& link = graph_.links[i];
      if (layout_.is_walked(i) || link.pattern->hops || link.pattern->is_bound ||
          layout_.needs_both_ends(i) || layout_.is_bound(link.left) || layout_.is_bound(link.right))
        continue;
      if (link_rows_.at(link.pattern->slot) >= least) continue;
      least = link_rows_.at(link.pattern->slot);
      best = i;
    }
    return best;
  }

  const PatternGraph& graph_;
  PatternLayout& layout_;
  Statistics& statistics_;
  std::map<Slot, double> node_rows_;  // ids by node variable, from the conditions on the variable
  // Ids by relationship variable, from the conditions on the variable.
  std::map<Slot, double> link_rows_;
  std::map<Slot, double> degrees_;  // relationships per node, by relationship variable
  double nodes_ = 0;                // number of all nodes
  // From a sample, if there is one:
  std::map<Slot, std::string_view> labels_;  // label of each node variable with a label condition
  std::map<Slot, double> label_rows_;        // number of nodes with that label
  // By relationship, and by whether the step starts at the left end.
  std::map<std::pair<Slot, bool>, StepFan> fans_;
};

// Preserves the conditions that the planner put into the search.
void keep_search(std::vector<Operator>& steps, const Operator& before) {
  const auto* search = std::get_if<SearchVectors>(&before.content);
  if (search == nullptr) return;
  for (Operator& step : steps)
    if (auto* moved = std::get_if<SearchVectors>(&step.content)) {
      moved->conjuncts = search->conjuncts;
      moved->labels = search->labels;
    }
}

}  // namespace

// Lays out each pattern of the pipeline again and replaces its steps.
Status order_expansions(Pipeline& pipeline, const OptimizerInputs& inputs) {
  for (const auto& [clause, source] : pipeline.patterns) {
    const StepRun run = find_run(pipeline, clause);
    if (run.begin == run.end) continue;
    const PatternGraph graph(source);
    // A single node can be found in only one order, so no estimates are needed.
    if (graph.links.empty() && graph.nodes.size() == 1 && source.search == nullptr) continue;
    PatternLayout layout(graph, clause, pipeline.operators[run.begin].width);
    ExpansionOrder order(graph, layout, inputs.statistics);
    CAIRN_TRY(order.estimate(conditions_of(pipeline, run)));
    if (run.begin == 0 && source.search == nullptr) CAIRN_TRY(order.begin_nearest(pipeline));
    order.run();
    std::vector<Operator> steps = layout.take();
    order.note_degrees(steps);
    for (std::size_t i = run.begin; i < run.end; ++i) keep_search(steps, pipeline.operators[i]);
    // The new steps do the same work but may differ in order, kind and number.
    const auto begin = pipeline.operators.begin() + static_cast<std::ptrdiff_t>(run.begin);
    const auto end = pipeline.operators.begin() + static_cast<std::ptrdiff_t>(run.end);
    pipeline.operators.insert(pipeline.operators.erase(begin, end),
                              std::make_move_iterator(steps.begin()),
                              std::make_move_iterator(steps.end()));
  }
  return {};
}

}  // namespace cairn::query
