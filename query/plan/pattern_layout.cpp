// Turns a pattern, which is a graph, into a sequence of steps. The next possible steps depend only on which nodes are
// bound. A link with one bound end becomes an Expand, and a link with two bound ends an ExpandInto. A node that
// cannot be reached from a bound node needs a scan. The caller chooses the order of the steps: order_expansions by
// cost, finish() by the text. The bookkeeping here makes any order correct.
//
// In openCypher all relationships of one MATCH differ from each other (relationship isomorphism), but nodes may be
// equal. So each step knows which earlier relationships it must differ from.
#include "query/plan/pattern_layout.hpp"

#include "query/bind/bound_query.hpp"
#include "query/plan/logical_plan.hpp"

#include <algorithm>
#include <utility>

namespace cairn::query {
namespace {

// Relationships without a common type always differ and need no check.
bool may_share_a_type(const RelationshipPattern& a, const RelationshipPattern& b) {
  if (a.types.empty() || b.types.empty()) return true;
  return std::any_of(a.types.begin(), a.types.end(), [&](const std::string& type) {
    return std::find(b.types.begin(), b.types.end(), type) != b.types.end();
  });
}

// Returns the slots that must have values before the search.
SlotSet slots_read(const SearchClause& search) {
  SlotSet slots;
  for (const Expression* input : inputs_of(search)) slots.merge(free_slots(*input));
  for (const ExpressionPtr& conjunct : search.conjuncts) slots.merge(free_slots(*conjunct));
  slots.erase(search.slot);
  return slots;
}

/// A variable may occur several times in a pattern but is one node.
void note_node(std::map<Slot, PatternNode>& nodes, const NodePattern& pattern) {
  // Only the first occurrence shows whether the variable was bound before the clause.
  nodes.try_emplace(pattern.slot, PatternNode{pattern.name, pattern.is_bound});
}

}  // namespace

// Patterns of one MATCH that share variables form one connected graph. Patterns that share none form a cartesian
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

// True for a single relationship that already has a value, because it was bound before or found by the search: its
// record gives both ends. Relationships of variable length are lists and must be walked, and shortest paths need both
// nodes.
bool PatternLayout::starts_anywhere(std::size_t link) const {
  const PatternLink& one = graph_.links[link];
  return is_given(*one.pattern) && !one.pattern->hops && one.path->search == PathSearch::every;
}

bool PatternLayout::needs_both_ends(std::size_t link) const {
  return graph_.links[link].path->search != PathSearch::every;
}

// Returns the slots that the conditions of a shortest path read, without the path's own relationships.
SlotSet PatternLayout::inputs_of(std::size_t link) const {
  SlotSet slots;
  const auto tests = graph_.tests.find(graph_.links[link].path);
  if (tests == graph_.tests.end()) return slots;
  for (const Expression* test : tests->second) slots.merge(free_slots(*test));
  slots.erase(graph_.links[link].pattern->slot);
  return slots;
}

// True if all other nodes and relationships that the conditions of a shortest path read have values.
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

// Starts a part of the pattern that is not connected to a bound node.
void PatternLayout::scan(Slot node) {
  ScanNodes scan;
  scan.filter.slot = node;
  scan.name = graph_.nodes.at(node).name;
  add(std::move(scan));
  bound_.insert(node);
}

// Shortest paths are exempt from the rule that a MATCH uses each relationship only once.
std::vector<Slot> PatternLayout::unlike(std::size_t link) const {
  std::vector<Slot> slots;
  for (std::size_t i = 0; i < graph_.links.size(); ++i)
    if (walked_[i] && !needs_both_ends(i) && !needs_both_ends(link) &&
        may_share_a_type(*graph_.links[i].pattern, *graph_.links[link].pattern))
      slots.push_back(graph_.links[i].pattern->slot);
  return slots;
}

// The walk starts at the left end unless only the right end is bound. A link from a node to itself ends at its start,
// which is bound by then.
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

// The kind of path and of relationship decide which operator walks the link.
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

// Used instead of a node scan and Expand if there are fewer relationships than nodes. The types are part of the
// filter from the start, because a scan without them would read all relationships.
void PatternLayout::scan_relationship(std::size_t link) {
  ScanRelationships scan;
  scan.walk = make_walk(link);
  scan.filter = type_filter(*scan.walk.pattern);
  scan.is_bound = is_given(*scan.walk.pattern);
  scan.from_is_bound = is_bound(scan.walk.from);
  add(std::move(scan));
  mark_walked(link);
}

// Binds the missing ends with as few scans as the link allows, and then walks the link.
void PatternLayout::reach(std::size_t link) {
  const PatternLink& one = graph_.links[link];
  if (starts_anywhere(link)) return scan_relationship(link);
  if (!is_bound(one.left) && (!is_bound(one.right) || needs_both_ends(link))) scan(one.left);
  if (!is_bound(one.right) && needs_both_ends(link)) scan(one.right);
  for (const Slot needed : inputs_of(link)) provide(needed);
  walk(link);
}

// Binds a variable of this clause that the search or a shortest path reads.
void PatternLayout::provide(Slot needed) {
  if (graph_.nodes.contains(needed) && !is_bound(needed)) return scan(needed);
  for (std::size_t i = 0; i < graph_.links.size(); ++i)
    if (graph_.links[i].pattern->slot == needed && !walked_[i]) return reach(i);
}

// The searched variable is bound before the search only if another input of the search required it.
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

// Completes every pattern, whatever steps were added before. Path variables come last, because BindPath reads the
// others.
void PatternLayout::finish() {
  for (std::size_t i = 0; i < graph_.links.size(); ++i)
    if (!walked_[i]) reach(i);
  for (const auto& [slot, node] : graph_.nodes)
    if (!is_bound(slot)) scan(slot);
  for (const PathPattern* path : graph_.paths)
    if (path->slot) add(BindPath{path});
}

// The conjunct has no sources, because the statement has no condition that would have to be checked on records.
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

// The next functions compute the row length of one part of a statement. A part ends with its first projection. The
// binder counts the visible slots, and the slots for MERGE values come after them.

namespace {

std::uint32_t width_of(const Clause& clause) {
  return std::visit(Overload{
                        [](const ProjectClause& project) { return project.input_width; },
                        [](const std::unique_ptr<ForeachClause>& each) { return each->width; },
                        [](const auto& other) { return other.width; },
                    },
                    clause);
}

// Returns how many values a node or relationship pattern gives: properties, system fields, and names by value.
std::size_t value_count(const ExpressionPtr& made, const ExpressionPtr& names) {
  const Expression* properties = properties_of(made);
  const Expression* system = system_of(made);
  return (names ? 1 : 0) + (properties != nullptr ? properties->children.size() : 0) +
         (system != nullptr ? system->children.size() : 0);
}

// Returns how many slots a MERGE needs for the values of its pattern.
std::uint32_t merge_slots(const Clause& clause) {
  const auto* merge = std::get_if<MergeClause>(&clause);
  if (merge == nullptr) return 0;
  std::size_t count = 0;
  for (const NodePattern& node : merge->path.nodes)
    count += value_count(node.properties, node.labels_by_value);
  for (const RelationshipPattern& step : merge->path.relationships)
    count += value_count(step.properties, step.type_by_value);
  return static_cast<std::uint32_t>(count);
}

}  // namespace

// Counts up to and including the projection, which starts rows of a new layout.
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
