// The order of a pattern's steps: begin where the fewest ids are, go on with the step that gives the
// fewest rows for each row, and start again where nothing is connected.
//    MATCH (a:Big)-[:R]->(b)-[:S]->(c {id: 7})
//
//    as written: ScanNodes a, Expand a-->b, Expand b-->c, Select
//    ordered:    ScanNodes c, Expand c<--b, Expand b<--a, Select
//
// Sound in any order: a MATCH is a conjunction of its links, and each step knows which
// relationships it must differ from. The rows come in another order, which Cypher leaves open.
// Cost: the square of the links, a few index estimates for each variable.

#include "query/optimize/rules.hpp"
#include "query/plan/pattern_layout.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <utility>

namespace cairn::query {
namespace {

// The operators of one MATCH: [begin, end) are its steps, the Select behind them its conditions.
struct StepRun {
  std::size_t begin = 0;
  std::size_t end = 0;
};

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

/// The conditions are only read here, and stay in their Select.
std::vector<const Expression*> conditions_of(const Pipeline& pipeline, const StepRun& run) {
  if (run.end == pipeline.operators.size()) return {};
  const auto* select = std::get_if<Select>(&pipeline.operators[run.end].content);
  const bool is_own = pipeline.operators[run.end].clause == pipeline.operators[run.begin].clause;
  return select != nullptr && is_own ? select->conjuncts : std::vector<const Expression*>();
}

// Greedy: at each point the cheapest of what can be done. Patterns are small, and their estimates
// too rough to repay a search over all orders.
// Dynamic programming over all subsets (as in Selinger's or DPccp) is not worth its code here.
class ExpansionOrder {
 public:
  ExpansionOrder(const PatternGraph& graph, PatternLayout& layout, Statistics& statistics)
      : graph_(graph), layout_(layout), statistics_(statistics) {}

  // How many ids each variable of the pattern has by the conditions on it alone.
  // Conditions that read two variables are left out: what they select depends on the order.
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

  /// What was sampled goes with the steps, for what is expected of them.
  void note_degrees(std::vector<Operator>& steps) const {
    for (Operator& step : steps)
      std::visit(Overload{[&](Expand& expand) { note_degree(expand.walk); },
                          [&](ExpandVariable& expand) { note_degree(expand.walk); }, [](auto&) {}},
                 step.content);
  }

  // Where a sort behind the pattern keeps the most similar, a vector index gives those first, unless there is
  // little to begin with elsewhere.
  void begin_nearest(const Pipeline& pipeline) {
    constexpr double little = 1'000;
    for (const auto& [slot, rows] : node_rows_)
      if (rows < little) return;
    for (std::size_t i = 0; i < graph_.links.size(); ++i) {
      const RelationshipPattern& pattern = *graph_.links[i].pattern;
      if (pattern.hops || pattern.is_bound || layout_.needs_both_ends(i)) continue;
      if (has_nearest(pipeline, {pattern.slot, codec::EntityKind::relationship}))
        return layout_.scan_relationship(i);
    }
    for (const auto& [slot, node] : graph_.nodes)
      if (!node.is_bound && has_nearest(pipeline, {slot, codec::EntityKind::node}))
        return layout_.scan(slot);
  }

  // A search is the start where there is one: its hits are few.
  void run() {
    layout_.search();
    while (const auto link = cheapest_link()) take(*link);
    while (begin_somewhere())
      while (const auto link = cheapest_link()) take(*link);
    layout_.finish();
  }

 private:
  using Conditions = std::vector<const Expression*>;

  // Not where the pattern begins at few nodes: the order of the others matters less than the time to find it.
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

  /// A label that all nodes of the variable have; the first in the text.
  static std::string_view label_of(Slot slot, const Conditions& conditions) {
    for (const Expression* one : conditions)
      if (one->kind == ExpressionKind::has_label &&
          one->children[0]->kind == ExpressionKind::variable && one->children[0]->slot == slot)
        return one->name;
    return {};
  }

  [[nodiscard]] const StepFan* fan_of(const RelationshipPattern& pattern, bool from_left) const {
    const auto found = fans_.find({pattern.slot, from_left});
    return found == fans_.end() ? nullptr : &found->second;
  }

  void note_degree(Walk& walk) const {
    if (const StepFan* fan = fan_of(*walk.pattern, !walk.reversed)) walk.degree = fan->degree;
  }

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

  [[nodiscard]] bool has_nearest(const Pipeline& pipeline, const ScannedEntity& scanned) const {
    const auto sort = similarity_sort(pipeline, scanned, statistics_.catalog());
    return sort && !sort->index.empty();
  }

  void take(std::size_t link) {
    layout_.starts_anywhere(link) ? layout_.scan_relationship(link) : layout_.walk(link);
  }

  [[nodiscard]] bool can_be_taken(std::size_t link) const {
    if (layout_.is_walked(link)) return false;
    const bool left = layout_.is_bound(graph_.links[link].left);
    const bool right = layout_.is_bound(graph_.links[link].right);
    if (layout_.needs_both_ends(link)) return left && right && layout_.has_inputs(link);
    return left || right || layout_.starts_anywhere(link);
  }

  // Rows for each row, where the variables bound by now and `begin` have values.
  // Of a given relationship the ends are read, which gives one row at most and so comes first.
  [[nodiscard]] double factor(std::size_t link, std::optional<Slot> begin = {}) const {
    if (layout_.starts_anywhere(link)) return 0;
    const PatternLink& one = graph_.links[link];
    const bool left = one.left == begin || layout_.is_bound(one.left);
    const bool right = one.right == begin || layout_.is_bound(one.right);
    const StepFan* const fan = fan_of(*one.pattern, left);
    double rows = fan != nullptr ? fan->degree : degrees_.at(one.pattern->slot);
    // All these paths are followed, also where few of them end at the right node.
    if (one.pattern->hops) return count_paths(*one.pattern->hops, rows);
    if (left && right) return rows / std::max(1.0, nodes_);
    if (fan != nullptr) return fan->labelled * share_of(left ? one.right : one.left);
    rows *= node_rows_.at(left ? one.right : one.left) / std::max(1.0, nodes_);
    return rows * link_rows_.at(one.pattern->slot) / std::max(1.0, typed_rows(one));
  }

  /// Of the nodes with the label of a variable, those that pass its conditions.
  [[nodiscard]] double share_of(Slot slot) const {
    const auto labelled = label_rows_.find(slot);
    const double all = labelled == label_rows_.end() ? nodes_ : labelled->second;
    return std::min(1.0, node_rows_.at(slot) / std::max(1.0, all));
  }

  // All relationships of the link's types: its degree counts them already.
  [[nodiscard]] double typed_rows(const PatternLink& link) const {
    const double ways = link.pattern->direction == PatternDirection::any ? 2 : 1;
    return degrees_.at(link.pattern->slot) * nodes_ / ways;
  }

  /// Of equals the first in the text, so that a plan does not depend on chance.
  [[nodiscard]] std::optional<std::size_t> cheapest_link() const {
    std::optional<std::size_t> best;
    for (std::size_t i = 0; i < graph_.links.size(); ++i)
      if (can_be_taken(i) && (!best || factor(i) < factor(*best))) best = i;
    return best;
  }

  // False where everything is bound.
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

  // The nodes to begin with, and among as many the rows of the best step that goes on from there. Where there is a
  // sample, the relationships that this step goes through count with the nodes.
  [[nodiscard]] std::pair<double, double> start_cost(Slot slot) const {
    double least = std::numeric_limits<double>::infinity();
    double degree = 0;
    for (std::size_t i = 0; i < graph_.links.size(); ++i) {
      const PatternLink& link = graph_.links[i];
      const bool touches = link.left == slot || link.right == slot;
      if (!touches || layout_.is_walked(i) || factor(i, slot) >= least) continue;
      least = factor(i, slot);
      const StepFan* const fan = fan_of(*link.pattern, link.left == slot);
      if (!fans_.empty()) degree = fan != nullptr ? fan->degree : degrees_.at(link.pattern->slot);
    }
    return {node_rows_.at(slot) * (1 + degree), least};
  }

  // A relationship as the beginning, where that is clearly less than the nodes. Each has to be read
  // for its ends, which a node's adjacency does not need.
  // Not for links with hops or of shortest paths, and not where an end is bound already.
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
  std::map<Slot, double> node_rows_;
  std::map<Slot, double> link_rows_;
  std::map<Slot, double> degrees_;
  double nodes_ = 0;
  // Of a sample, where there is one:
  std::map<Slot, std::string_view> labels_;  // of the conditions
  std::map<Slot, double> label_rows_;
  std::map<std::pair<Slot, bool>, StepFan> fans_;  // by relationship, and whether from the left
};

// What the planner put into the search stays with it.
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

Status order_expansions(Pipeline& pipeline, const OptimizerInputs& inputs) {
  for (const auto& [clause, source] : pipeline.patterns) {
    const StepRun run = find_run(pipeline, clause);
    if (run.begin == run.end) continue;
    const PatternGraph graph(source);
    // One node can be found in one order only: nothing is estimated for it.
    if (graph.links.empty() && graph.nodes.size() == 1 && source.search == nullptr) continue;
    PatternLayout layout(graph, clause, pipeline.operators[run.begin].width);
    ExpansionOrder order(graph, layout, inputs.statistics);
    CAIRN_TRY(order.estimate(conditions_of(pipeline, run)));
    if (run.begin == 0 && source.search == nullptr) order.begin_nearest(pipeline);
    order.run();
    std::vector<Operator> steps = layout.take();
    order.note_degrees(steps);
    for (std::size_t i = run.begin; i < run.end; ++i) keep_search(steps, pipeline.operators[i]);
    // The same steps, in another order and perhaps of another kind, but not always as many.
    const auto begin = pipeline.operators.begin() + static_cast<std::ptrdiff_t>(run.begin);
    const auto end = pipeline.operators.begin() + static_cast<std::ptrdiff_t>(run.end);
    pipeline.operators.insert(pipeline.operators.erase(begin, end),
                              std::make_move_iterator(steps.begin()),
                              std::make_move_iterator(steps.end()));
  }
  return {};
}

}  // namespace cairn::query
