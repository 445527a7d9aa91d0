// A pattern is a graph; a plan walks it one link at a time. What may come next depends only on
// which nodes are bound: a link with one bound end is an Expand, with two an ExpandInto, and a node
// that nothing leads to needs a scan. The order of the calls is the caller's (order_expansions, or
// finish() for the order of the text); the bookkeeping here makes any order right.
//
// openCypher: the relationships of one MATCH are all different (relationship isomorphism), nodes
// may be the same. Each walk therefore knows which relationships before it could be its own.
#include "query/plan/pattern_layout.hpp"

#include "query/bind/bound_query.hpp"
#include "query/plan/logical_plan.hpp"

#include <algorithm>
#include <utility>

namespace cairn::query {
namespace {

// Relationships of different types are different anyway, which spares the check.
bool may_share_a_type(const RelationshipPattern& a, const RelationshipPattern& b) {
  if (a.types.empty() || b.types.empty()) return true;
  return std::any_of(a.types.begin(), a.types.end(), [&](const std::string& type) {
    return std::find(b.types.begin(), b.types.end(), type) != b.types.end();
  });
}

// The variables that must have values before the search.
SlotSet slots_read(const SearchClause& search) {
  SlotSet slots;
  for (const Expression* input : inputs_of(search)) slots.merge(free_slots(*input));
  for (const ExpressionPtr& conjunct : search.conjuncts) slots.merge(free_slots(*conjunct));
  slots.erase(search.slot);
  return slots;
}

/// A variable that stands twice is one node, whose second place is bound by the first.
void note_node(std::map<Slot, PatternNode>& nodes, const NodePattern& pattern) {
  // The first mention tells whether the variable was there before the clause.
  nodes.try_emplace(pattern.slot, PatternNode{pattern.name, pattern.is_bound});
}

}  // namespace

// Patterns of one MATCH that share variables are one graph; what shares none is a cartesian
// product.
PatternGraph::PatternGraph(const PatternSource& source)
    : search(source.search), tests(source.tests) {
  for (const PathPattern& path : source.paths) {
    paths.push_back(&path);
    for (const NodePattern& node : path.nodes) note_node(nodes, node);
    for (std::size_t i = 0; i < path.relationships.size(); ++i)
      links.push_back({&path.relationships[i], &path, path.nodes[i].slot, path.nodes[i + 1].slot});
  }
}

PatternLayout::PatternLayout(const PatternGraph& graph, std::uint32_t clause, std::uint32_t width)
    : graph_(graph), clause_(clause), width_(width), walked_(graph.links.size(), false) {
  for (const auto& [slot, node] : graph.nodes)
    if (node.is_bound) bound_.insert(slot);
}

bool PatternLayout::is_given(const RelationshipPattern& pattern) const {
  return pattern.is_bound || bound_.contains(pattern.slot);
}

// A relationship that is given (bound before, or the hit of a search) is read for its ends. One of
// variable length is a list and has to be walked, and shortest paths need both nodes.
bool PatternLayout::starts_anywhere(std::size_t link) const {
  const PatternLink& one = graph_.links[link];
  return is_given(*one.pattern) && !one.pattern->hops && one.path->search == PathSearch::every;
}

bool PatternLayout::needs_both_ends(std::size_t link) const {
  return graph_.links[link].path->search != PathSearch::every;
}

// Nodes and relationships of other links; the path itself is what is looked for.
SlotSet PatternLayout::inputs_of(std::size_t link) const {
  SlotSet slots;
  const auto tests = graph_.tests.find(graph_.links[link].path);
  if (tests == graph_.tests.end()) return slots;
  for (const Expression* test : tests->second) slots.merge(free_slots(*test));
  slots.erase(graph_.links[link].pattern->slot);
  return slots;
}

bool PatternLayout::has_inputs(std::size_t link) const {
  const SlotSet inputs = inputs_of(link);
  for (const auto& [slot, node] : graph_.nodes)
    if (inputs.contains(slot) && !is_bound(slot)) return false;
  for (std::size_t i = 0; i < graph_.links.size(); ++i)
    if (inputs.contains(graph_.links[i].pattern->slot) && !walked_[i]) return false;
  return true;
}

void PatternLayout::add(OperatorContent content) {
  operators_.push_back({std::move(content), width_, clause_, 0});
}

void PatternLayout::scan(Slot node) {
  ScanNodes scan;
  scan.filter.slot = node;
  scan.name = graph_.nodes.at(node).name;
  add(std::move(scan));
  bound_.insert(node);
}

// Shortest paths stand outside of the rule that a MATCH takes each relationship once.
std::vector<Slot> PatternLayout::unlike(std::size_t link) const {
  std::vector<Slot> slots;
  for (std::size_t i = 0; i < graph_.links.size(); ++i)
    if (walked_[i] && !needs_both_ends(i) && !needs_both_ends(link) &&
        may_share_a_type(*graph_.links[i].pattern, *graph_.links[link].pattern))
      slots.push_back(graph_.links[i].pattern->slot);
  return slots;
}

// From the left end unless only the right one is bound. A link from a node to itself ends where it
// began, which is bound by then.
Walk PatternLayout::make_walk(std::size_t link) const {
  const PatternLink& one = graph_.links[link];
  Walk walk;
  walk.pattern = one.pattern;
  walk.reversed = !is_bound(one.left) && is_bound(one.right);
  walk.from = walk.reversed ? one.right : one.left;
  walk.to = walk.reversed ? one.left : one.right;
  walk.from_name = graph_.nodes.at(walk.from).name;
  walk.to_name = graph_.nodes.at(walk.to).name;
  walk.to_is_bound = is_bound(walk.to) || walk.from == walk.to;
  walk.unlike = unlike(link);
  return walk;
}

void PatternLayout::mark_walked(std::size_t link) {
  walked_[link] = true;
  bound_.insert(graph_.links[link].left);
  bound_.insert(graph_.links[link].right);
}

OperatorContent PatternLayout::content_of(std::size_t link, Walk walk) const {
  const PathSearch search = graph_.links[link].path->search;
  if (search != PathSearch::every) {
    const PathPattern* path = graph_.links[link].path;
    const auto tests = graph_.tests.find(path);
    return FindShortest{
        std::move(walk), path, search == PathSearch::all_shortest,
        tests == graph_.tests.end() ? std::vector<const Expression*>() : tests->second};
  }
  if (walk.pattern->hops) return ExpandVariable{std::move(walk)};
  return Expand{std::move(walk)};
}

void PatternLayout::walk(std::size_t link) {
  add(content_of(link, make_walk(link)));
  mark_walked(link);
}

// The types are part of the filter from the start: without them the scan would be of everything.
// An alternative to scan and Expand, where relationships are fewer than nodes.
void PatternLayout::scan_relationship(std::size_t link) {
  ScanRelationships scan;
  scan.walk = make_walk(link);
  scan.filter = type_filter(*scan.walk.pattern);
  scan.is_bound = is_given(*scan.walk.pattern);
  scan.from_is_bound = is_bound(scan.walk.from);
  add(std::move(scan));
  mark_walked(link);
}

// As little scanning as the link allows.
void PatternLayout::reach(std::size_t link) {
  const PatternLink& one = graph_.links[link];
  if (starts_anywhere(link)) return scan_relationship(link);
  if (!is_bound(one.left) && (!is_bound(one.right) || needs_both_ends(link))) scan(one.left);
  if (!is_bound(one.right) && needs_both_ends(link)) scan(one.right);
  for (const Slot needed : inputs_of(link)) provide(needed);
  walk(link);
}

// A variable of this clause that the search reads must be there before it.
void PatternLayout::provide(Slot needed) {
  if (graph_.nodes.contains(needed) && !is_bound(needed)) return scan(needed);
  for (std::size_t i = 0; i < graph_.links.size(); ++i)
    if (graph_.links[i].pattern->slot == needed && !walked_[i]) return reach(i);
}

// The searched variable may be bound by then only where another input of the search needed it.
void PatternLayout::search() {
  if (graph_.search == nullptr) return;
  for (Slot needed : slots_read(*graph_.search)) provide(needed);
  SearchVectors search;
  search.clause = graph_.search;
  search.filter.slot = graph_.search->slot;
  for (const PatternLink& link : graph_.links) {
    if (link.pattern->slot != search.filter.slot) continue;
    search.filter = type_filter(*link.pattern);
    search.types = &link.pattern->types;
  }
  search.is_bound = is_bound(graph_.search->slot);
  add(std::move(search));
  bound_.insert(graph_.search->slot);
}

// Every pattern is complete behind this, whatever was called before; paths last, which read the
// rest.
void PatternLayout::finish() {
  for (std::size_t i = 0; i < graph_.links.size(); ++i)
    if (!walked_[i]) reach(i);
  for (const auto& [slot, node] : graph_.nodes)
    if (!is_bound(slot)) scan(slot);
  for (const PathPattern* path : graph_.paths)
    if (path->slot) add(BindPath{path});
}

// A conjunct without sources: nothing of the statement has to be checked again if it is left to
// ids.
FilterPlan type_filter(const RelationshipPattern& pattern) {
  FilterPlan plan;
  plan.slot = pattern.slot;
  plan.kind = codec::EntityKind::relationship;
  if (pattern.types.empty()) return plan;
  auto any = std::make_unique<FilterNode>();
  any->kind = FilterKind::unite;
  for (const std::string& type : pattern.types) {
    auto leaf = std::make_unique<FilterNode>();
    leaf->kind = FilterKind::label;
    leaf->name = type;
    any->children.push_back(std::move(leaf));
  }
  if (any->children.size() == 1) any = std::move(any->children.front());
  plan.conjuncts.push_back({{}, std::move(any)});
  return plan;
}

// How long the rows of one part are: up to and with its first projection, whose input they are. The
// binder has counted the visible slots; MERGE's values come behind all of them.

namespace {

std::uint32_t width_of(const Clause& clause) {
  return std::visit(Overload{
                        [](const ProjectClause& project) { return project.input_width; },
                        [](const std::unique_ptr<ForeachClause>& each) { return each->width; },
                        [](const auto& other) { return other.width; },
                    },
                    clause);
}

std::size_t property_count(const ExpressionPtr& made) {
  const Expression* properties = properties_of(made);
  const Expression* system = system_of(made);
  return (properties != nullptr ? properties->children.size() : 0) +
         (system != nullptr ? system->children.size() : 0);
}

std::uint32_t merge_slots(const Clause& clause) {
  const auto* merge = std::get_if<MergeClause>(&clause);
  if (merge == nullptr) return 0;
  std::size_t count = 0;
  for (const NodePattern& node : merge->path.nodes) count += property_count(node.properties);
  for (const RelationshipPattern& step : merge->path.relationships)
    count += property_count(step.properties);
  return static_cast<std::uint32_t>(count);
}

}  // namespace

// Up to the projection, which begins rows of a new layout.
RowWidth row_width(std::span<const Clause> clauses) {
  RowWidth width;
  for (const Clause& clause : clauses) {
    width.visible = std::max(width.visible, width_of(clause));
    width.merge_slots += merge_slots(clause);
    if (std::holds_alternative<ProjectClause>(clause)) break;
  }
  return width;
}

}  // namespace cairn::query
