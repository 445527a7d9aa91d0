// Procedures that run a graph algorithm on a whole graph. Options select a part of the graph. The
// part is projected to adjacency lists in memory. The result has one row per node. The algorithms
// are in engine/algorithm.
#include "query/execute/call/graph_procedures.hpp"

#include "engine/algorithm/centrality.hpp"
#include "engine/algorithm/communities.hpp"
#include "engine/algorithm/components.hpp"
#include "query/algorithm/graph_lists.hpp"
#include "query/algorithm/graph_selection.hpp"
#include "query/execute/call/graph_options.hpp"
#include "query/execute/pipeline/execution_context.hpp"

#include <limits>
#include <utility>
#include <vector>

namespace cairn::query {
namespace {

using Arguments = std::span<const Value>;
using Source = std::unique_ptr<RowSource>;
using engine::Adjacency;
using engine::Array;
using engine::Direction;
using Range = WeightReader::Range;

/// Rows for each node of a projection: the node, and the values that `fill(number, row)` appends.
template <class Fill>
class NodeRows final : public RowSource {
 public:
  NodeRows(ExecutionContext& context, GraphProjection projection, Fill fill)
      : budget_(context.budget), projection_(std::move(projection)), fill_(std::move(fill)) {}

  Result<bool> next(std::vector<Value>& row) override {
    if (next_ == projection_.size()) return false;
    CAIRN_TRY(budget_.step());
    row.assign(1, entity_value(codec::EntityKind::node, projection_.id(next_)));
    fill_(next_++, row);
    return true;
  }

 private:
  Budget& budget_;
  GraphProjection projection_;
  Fill fill_;
  std::size_t next_ = 0;
};

template <class Fill>
Source rows_of(ExecutionContext& context, GraphProjection projection, Fill fill) {
  return std::make_unique<NodeRows<Fill>>(context, std::move(projection), std::move(fill));
}

/// Makes rows with one number per node.
template <class Number>
Source rows_of(ExecutionContext& context, GraphProjection projection, Array<Number> numbers) {
  return rows_of(context, std::move(projection),
                 [numbers = std::move(numbers)](std::size_t node, std::vector<Value>& row) {
                   if constexpr (std::is_floating_point_v<Number>)
                     row.emplace_back(numbers[node]);
                   else
                     row.emplace_back(static_cast<std::int64_t>(numbers[node]));
                 });
}

// Reads the common options and projects the selected part of the graph.
Result<GraphProjection> project(ExecutionContext& context, const GraphOptions& options,
                                Direction usual, Range range = Range::not_negative) {
  CAIRN_ASSIGN(const GraphRequest request, options.request(usual));
  CAIRN_ASSIGN(const GraphSelection selection, GraphSelection::find(context, request));
  return GraphProjection::make(context, selection, range);
}

/// Returns adjacency lists without directions, self-loops and parallel relationships.
Result<Adjacency> simple_lists(ExecutionContext& context, const GraphProjection& projection) {
  CAIRN_ASSIGN(const Adjacency lists, projection.along(context.budget));
  return lists.simplified(context.budget);
}

// graph.pagerank
Result<Source> rank_all(ExecutionContext& context, Arguments arguments) {
  CAIRN_ASSIGN(const auto options,
               GraphOptions::read("graph.pagerank", arguments, 0,
                                  {"direction", "weight", "damping", "iterations", "tolerance"}));
  engine::PagerankOptions how;
  CAIRN_ASSIGN(how.damping, options.number("damping", how.damping, {0, 1}));
  CAIRN_ASSIGN(how.iterations, options.count("iterations", how.iterations, 1));
  CAIRN_ASSIGN(how.tolerance, options.number("tolerance", how.tolerance, {0, 1}));
  CAIRN_ASSIGN(auto projection, project(context, options, Direction::outgoing));
  CAIRN_ASSIGN(const Adjacency incoming, projection.against(context.budget));
  CAIRN_ASSIGN(auto scores, engine::pagerank(incoming, how, context.budget));
  return rows_of(context, std::move(projection), std::move(scores));
}

// graph.components
Result<Source> find_components(ExecutionContext& context, Arguments arguments) {
  CAIRN_ASSIGN(const auto options, GraphOptions::read("graph.components", arguments, 0, {}));
  CAIRN_ASSIGN(auto projection, project(context, options, Direction::both));
  CAIRN_ASSIGN(auto components, connected_components(projection.stored(), context.budget));
  return rows_of(context, std::move(projection), std::move(components));
}

// graph.stronglyConnected
Result<Source> find_strong_components(ExecutionContext& context, Arguments arguments) {
  CAIRN_ASSIGN(const auto options, GraphOptions::read("graph.stronglyConnected", arguments, 0, {}));
  CAIRN_ASSIGN(auto projection, project(context, options, Direction::outgoing));
  CAIRN_ASSIGN(auto components, strong_components(projection.stored(), context.budget));
  return rows_of(context, std::move(projection), std::move(components));
}

// The function of an algorithm that assigns a community to each node.
using FindCommunities = Result<Array<std::uint32_t>>(const Adjacency&,
                                                     const engine::CommunityOptions&,
                                                     engine::Limits&);

// Runs Louvain or Leiden. Each row also has the modularity of the whole partition.
Result<Source> find_communities(ExecutionContext& context, Arguments arguments,
                                std::string_view name, FindCommunities* find) {
  CAIRN_ASSIGN(const auto options,
               GraphOptions::read(name, arguments, 0, {"weight", "resolution", "levels", "seed"}));
  engine::CommunityOptions how;
  CAIRN_ASSIGN(how.resolution, options.number("resolution", how.resolution, {0, 1e6}));
  CAIRN_ASSIGN(how.levels, options.count("levels", how.levels, 1));
  CAIRN_ASSIGN(how.seed, options.seed());
  CAIRN_ASSIGN(auto projection, project(context, options, Direction::both));
  CAIRN_ASSIGN(const Adjacency lists, projection.along(context.budget));
  CAIRN_ASSIGN(auto found, find(lists, how, context.budget));
  CAIRN_ASSIGN(const double modularity,
               engine::modularity(lists, found, how.resolution, context.budget));
  return rows_of(context, std::move(projection),
                 [found = std::move(found), modularity](std::size_t node, std::vector<Value>& row) {
                   row.emplace_back(static_cast<std::int64_t>(found[node]));
                   row.emplace_back(modularity);
                 });
}

// graph.louvain
Result<Source> find_by_louvain(ExecutionContext& context, Arguments arguments) {
  return find_communities(context, arguments, "graph.louvain", engine::louvain);
}

// graph.leiden
Result<Source> find_by_leiden(ExecutionContext& context, Arguments arguments) {
  return find_communities(context, arguments, "graph.leiden", engine::leiden);
}

// graph.labelPropagation
Result<Source> find_by_labels(ExecutionContext& context, Arguments arguments) {
  CAIRN_ASSIGN(const auto options, GraphOptions::read("graph.labelPropagation", arguments, 0,
                                                      {"weight", "iterations", "seed"}));
  engine::LabelOptions how;
  CAIRN_ASSIGN(how.iterations, options.count("iterations", how.iterations, 1));
  CAIRN_ASSIGN(how.seed, options.seed());
  CAIRN_ASSIGN(auto projection, project(context, options, Direction::both));
  CAIRN_ASSIGN(const Adjacency lists, projection.along(context.budget));
  CAIRN_ASSIGN(auto labels, propagate_labels(lists, how, context.budget));
  return rows_of(context, std::move(projection), std::move(labels));
}

/// Returns the factor for betweenness scores. Without directions, each pair of nodes was counted
/// from both ends.
double scale_of(std::size_t size, Direction direction, bool is_normalized) {
  const auto nodes = static_cast<double>(size);
  if (is_normalized && size > 2) return 1 / ((nodes - 1) * (nodes - 2));
  return direction == Direction::both ? 0.5 : 1;
}

// graph.betweenness. Exact computation takes O(nodes * relationships) time, so by default only
// samples are used.
Result<Source> find_betweenness(ExecutionContext& context, Arguments arguments) {
  CAIRN_ASSIGN(const auto options, GraphOptions::read("graph.betweenness", arguments, 0,
                                                      {"direction", "weight", "samples", "exact",
                                                       "seed", "normalized"}));
  engine::BetweennessOptions how;
  CAIRN_ASSIGN(how.samples, options.count("samples", how.samples, 1));
  CAIRN_ASSIGN(const bool is_exact, options.flag("exact"));
  if (is_exact && options.has("samples"))
    return options.wrong("samples", "left out if `exact` is true");
  if (is_exact) how.samples = std::numeric_limits<std::size_t>::max();
  CAIRN_ASSIGN(how.seed, options.seed());
  CAIRN_ASSIGN(const bool is_normalized, options.flag("normalized"));
  CAIRN_ASSIGN(auto projection, project(context, options, Direction::outgoing, Range::positive));
  CAIRN_ASSIGN(const Adjacency lists, simple_lists(context, projection));
  CAIRN_ASSIGN(auto scores, betweenness(lists, how, context.budget));
  const double scale = scale_of(projection.size(), projection.direction(), is_normalized);
  for (double& score : scores) score *= scale;
  return rows_of(context, std::move(projection), std::move(scores));
}

// graph.kCore
Result<Source> find_cores(ExecutionContext& context, Arguments arguments) {
  CAIRN_ASSIGN(const auto options, GraphOptions::read("graph.kCore", arguments, 0, {}));
  CAIRN_ASSIGN(auto projection, project(context, options, Direction::both));
  CAIRN_ASSIGN(const Adjacency lists, simple_lists(context, projection));
  CAIRN_ASSIGN(auto cores, core_numbers(lists, context.budget));
  return rows_of(context, std::move(projection), std::move(cores));
}

// graph.triangles. The coefficient is the share of pairs of neighbours that are connected.
Result<Source> count_triangles(ExecutionContext& context, Arguments arguments) {
  CAIRN_ASSIGN(const auto options, GraphOptions::read("graph.triangles", arguments, 0, {}));
  CAIRN_ASSIGN(auto projection, project(context, options, Direction::both));
  CAIRN_ASSIGN(Adjacency lists, simple_lists(context, projection));
  CAIRN_ASSIGN(auto counts, triangles(lists, context.budget));
  return rows_of(context, std::move(projection),
                 [lists = std::move(lists), counts = std::move(counts)](std::size_t node,
                                                                        std::vector<Value>& row) {
                   const auto degree = static_cast<double>(lists.list(node).size());
                   const auto count = static_cast<double>(counts[node]);
                   row.emplace_back(static_cast<std::int64_t>(counts[node]));
                   row.emplace_back(degree < 2 ? 0.0 : 2 * count / (degree * (degree - 1)));
                 });
}

// These procedures make their rows one by one, because a graph may have millions of nodes.
const Procedure procedures_of_graphs[] = {
    {"graph.pagerank", Role::read, {"node", "score"}, {"options?"}, nullptr, rank_all},
    {"graph.personalizedPagerank",
     Role::read,
     {"node", "score"},
     {"seeds", "options?"},
     nullptr,
     rank_around},
    {"graph.components", Role::read, {"node", "component"}, {"options?"}, nullptr, find_components},
    {"graph.stronglyConnected",
     Role::read,
     {"node", "component"},
     {"options?"},
     nullptr,
     find_strong_components},
    {"graph.louvain",
     Role::read,
     {"node", "community", "modularity"},
     {"options?"},
     nullptr,
     find_by_louvain},
    {"graph.leiden",
     Role::read,
     {"node", "community", "modularity"},
     {"options?"},
     nullptr,
     find_by_leiden},
    {"graph.labelPropagation",
     Role::read,
     {"node", "community"},
     {"options?"},
     nullptr,
     find_by_labels},
    {"graph.betweenness", Role::read, {"node", "score"}, {"options?"}, nullptr, find_betweenness},
    {"graph.kCore", Role::read, {"node", "core"}, {"options?"}, nullptr, find_cores},
    {"graph.triangles",
     Role::read,
     {"node", "triangles", "coefficient"},
     {"options?"},
     nullptr,
     count_triangles},
    {"graph.shortestPath",
     Role::read,
     {"path", "cost"},
     {"source", "target", "options?"},
     nullptr,
     find_shortest_path},
    {"graph.kShortest",
     Role::read,
     {"path", "cost"},
     {"source", "target", "k", "options?"},
     nullptr,
     find_shortest_paths},
    {"graph.similarity",
     Role::read,
     {"node", "other", "common", "jaccard", "adamicAdar"},
     {"nodes", "options?"},
     nullptr,
     compare_neighbours},
};

}  // namespace

std::span<const Procedure> graph_procedures() noexcept { return procedures_of_graphs; }

}  // namespace cairn::query
