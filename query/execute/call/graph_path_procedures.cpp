// Graph algorithms about given nodes. These algorithms read only the adjacency lists along their
// walks. Procedures about the whole graph are in graph_procedures.cpp.
#include "engine/algorithm/centrality.hpp"
#include "engine/algorithm/shortest_path.hpp"
#include "engine/algorithm/similarity.hpp"
#include "query/algorithm/graph_lists.hpp"
#include "query/algorithm/graph_selection.hpp"
#include "query/execute/call/graph_options.hpp"
#include "query/execute/call/graph_procedures.hpp"
#include "query/execute/call/procedure_arguments.hpp"
#include "query/execute/holding.hpp"
#include "query/execute/pipeline/execution_context.hpp"
#include "query/functions/numbers.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace cairn::query {
namespace {

using Arguments = std::span<const Value>;
using Source = std::unique_ptr<RowSource>;
using engine::Direction;
using Range = WeightReader::Range;

/// Returns the id of a node, or nullopt for null.
Result<std::optional<std::uint64_t>> node_of(std::string_view what, const Value& value) {
  if (value.is_null()) return std::optional<std::uint64_t>();
  if (const Node* node = value.get_if<Node>()) return std::optional(node->id().value);
  return wrong_argument(std::string(what) + " must be a node", value);
}

/// Reads one node or a list of nodes.
Result<std::vector<std::uint64_t>> nodes_of(std::string_view what, const Value& value) {
  if (const Node* node = value.get_if<Node>()) return std::vector<std::uint64_t>{node->id().value};
  const std::string expected = std::string(what) + " must be a node or a list of nodes";
  if (value.list() == nullptr) return wrong_argument(expected, value);
  std::vector<std::uint64_t> nodes;
  for (const Value& one : value.as_list()) {
    const Node* node = one.get_if<Node>();
    if (node == nullptr) return wrong_argument(expected, one);
    nodes.push_back(node->id().value);
  }
  return nodes;
}

/// The part of the graph that a search reads. The object cannot be moved, because `steps` points to
/// `selection`.
struct Walked {
  Walked(ExecutionContext& context, GraphSelection found, Range range = Range::not_negative)
      : selection(std::move(found)), steps(context, selection, range) {}
  Walked(const Walked&) = delete;
  Walked& operator=(const Walked&) = delete;

  GraphSelection selection;
  GraphSteps steps;
};

// Reads the common options and selects the part of the graph.
Result<std::unique_ptr<Walked>> walked(ExecutionContext& context, const GraphOptions& options,
                                       Direction usual) {
  CAIRN_ASSIGN(const GraphRequest request, options.request(usual));
  CAIRN_ASSIGN(GraphSelection selection, GraphSelection::find(context, request));
  return std::make_unique<Walked>(context, std::move(selection));
}

/// Order for a heap with the lowest id on top.
struct LaterId {
  const GraphSteps& steps;

  bool operator()(std::uint32_t a, std::uint32_t b) const { return steps.id(a) > steps.id(b); }
};

/// Rows of nodes with scores, in the order of ids. A heap sorts on demand, so a later LIMIT saves
/// work.
class ScoreRows final : public RowSource {
 public:
  ScoreRows(std::unique_ptr<Walked> graph, engine::Array<double> scores,
            engine::Array<std::uint32_t> nodes)
      : graph_(std::move(graph)), scores_(std::move(scores)), nodes_(std::move(nodes)) {
    std::make_heap(nodes_.begin(), nodes_.end(), order());
  }

  Result<bool> next(std::vector<Value>& row) override {
    if (nodes_.empty()) return false;
    std::pop_heap(nodes_.begin(), nodes_.end(), order());
    const std::uint32_t node = nodes_.back();
    nodes_.pop_back();
    row.assign(1, entity_value(codec::EntityKind::node, graph_->steps.id(node)));
    row.emplace_back(scores_[node]);
    return true;
  }

 private:
  [[nodiscard]] LaterId order() const noexcept { return {graph_->steps}; }

  std::unique_ptr<Walked> graph_;
  engine::Array<double> scores_;
  engine::Array<std::uint32_t> nodes_;
};

// Rows of paths with their costs.
class PathRows final : public RowSource {
 public:
  PathRows(ExecutionContext& context, std::unique_ptr<Walked> graph)
      : graph_(std::move(graph)), held_(context.budget) {}

  // Charges the memory of the paths until all of them are returned.
  Status take(std::vector<engine::WeightedPath> paths) {
    constexpr std::size_t step_bytes = sizeof(std::uint64_t) + sizeof(double) + sizeof(Node);
    for (const engine::WeightedPath& path : paths)
      CAIRN_TRY(held_.add_bytes(sizeof(path) + path.nodes.size() * step_bytes));
    paths_ = std::move(paths);
    return {};
  }

  Result<bool> next(std::vector<Value>& row) override {
    if (next_ == paths_.size()) return false;
    const engine::WeightedPath& path = paths_[next_++];
    Path value;
    for (const std::uint32_t node : path.nodes)
      value.nodes.emplace_back(NodeId{graph_->steps.id(node)});
    for (const std::uint64_t relationship : path.relationships)
      value.relationships.emplace_back(RelationshipId{relationship});
    row = {Value(std::move(value)), Value(path.cost)};
    return true;
  }

 private:
  std::unique_ptr<Walked> graph_;
  Holding held_;
  std::vector<engine::WeightedPath> paths_;
  std::size_t next_ = 0;
};

// Makes a row source of complete paths.
Result<Source> path_rows(ExecutionContext& context, std::unique_ptr<Walked> graph,
                         std::vector<engine::WeightedPath> paths) {
  auto rows = std::make_unique<PathRows>(context, std::move(graph));
  CAIRN_TRY(rows->take(std::move(paths)));
  return Source(std::move(rows));
}

/// The two ends of a path. find_ends() returns nullopt if one of them is null or not selected.
struct Ends {
  std::uint32_t source = 0;
  std::uint32_t target = 0;
};

// The first two arguments are the source and the target.
Result<std::optional<Ends>> find_ends(GraphSteps& steps, std::string_view name,
                                      Arguments arguments) {
  const std::string of = " of " + std::string(name) + "()";
  CAIRN_ASSIGN(const auto source_id, node_of("the source" + of, arguments[0]));
  CAIRN_ASSIGN(const auto target_id, node_of("the target" + of, arguments[1]));
  if (!source_id || !target_id) return std::optional<Ends>();
  CAIRN_ASSIGN(const auto source, steps.find(*source_id));
  CAIRN_ASSIGN(const auto target, steps.find(*target_id));
  if (!source || !target) return std::optional<Ends>();
  return std::optional(Ends{*source, *target});
}

/// Estimates the remaining distance for A*. The position of a node is a property: a number or a
/// list of numbers. The estimate is the Euclidean distance to the target.
class PlaceDistance {
 public:
  PlaceDistance(GraphReader& graph, const GraphSteps& steps, std::string property)
      : graph_(graph), steps_(steps), property_(std::move(property)) {}

  Status set_target(std::uint32_t target) {
    CAIRN_ASSIGN(target_, place_of(target));
    if (!target_.empty()) return {};
    return wrong(target, Value());
  }
  /// Returns 0, the weakest estimate, for a node without a position.
  Result<double> operator()(std::uint32_t node) const {
    CAIRN_ASSIGN(const auto place, place_of(node));
    if (place.empty()) return 0.0;
    double sum = 0;
    for (std::size_t i = 0; i < place.size(); ++i)
      sum += (place[i] - target_[i]) * (place[i] - target_[i]);
    return std::sqrt(sum);
  }

 private:
  // Returns an empty list if the node does not have the property.
  Result<std::vector<double>> place_of(std::uint32_t node) const {
    CAIRN_ASSIGN(const Value value,
                 graph_.property(codec::EntityKind::node, steps_.id(node), property_));
    std::vector<double> place;
    if (value.is_null()) return place;
    const List single{value};
    for (const Value& one : value.list() != nullptr ? value.as_list() : single) {
      const bool is_number = one.type() == ValueType::integer || one.type() == ValueType::floating;
      if (!is_number || !std::isfinite(float_of(one))) return wrong(node, value);
      place.push_back(float_of(one));
    }
    if (place.empty() || (!target_.empty() && place.size() != target_.size()))
      return wrong(node, value);
    return place;
  }
  [[nodiscard]] Error wrong(std::uint32_t node, const Value& value) const {
    return wrong_argument(
        "the option `estimate` of graph.shortestPath() needs a property that is a number, or a "
        "list as long as the target node's list; node " +
            std::to_string(steps_.id(node)) + " has another value in `" + property_ + "`",
        value);
  }

  GraphReader& graph_;
  const GraphSteps& steps_;
  std::string property_;
  std::vector<double> target_;
};

// Without an estimate searches from both ends (Dijkstra), otherwise from the source (A*).
Result<engine::FoundPath> search_path(ExecutionContext& context, GraphSteps& steps, Ends ends,
                                      const std::string& estimate) {
  if (estimate.empty())
    return engine::shortest_path(steps, ends.source, ends.target, {}, context.budget);
  PlaceDistance distance(context.graph, steps, estimate);
  CAIRN_TRY(distance.set_target(ends.target));
  return engine::guided_path(steps, ends.source, ends.target, distance, context.budget);
}

}  // namespace

// graph.personalizedPagerank
Result<Source> rank_around(ExecutionContext& context, Arguments arguments) {
  CAIRN_ASSIGN(const auto options,
               GraphOptions::read("graph.personalizedPagerank", arguments, 1,
                                  {"direction", "weight", "damping", "tolerance"}));
  CAIRN_ASSIGN(const auto ids, nodes_of("the seeds of graph.personalizedPagerank()", arguments[0]));
  engine::PersonalizedOptions how;
  CAIRN_ASSIGN(how.damping, options.number("damping", how.damping, {0, 0.999}));
  CAIRN_ASSIGN(how.tolerance, options.number("tolerance", how.tolerance, {1e-15, 1}));
  CAIRN_ASSIGN(auto graph, walked(context, options, Direction::outgoing));
  std::vector<std::uint32_t> seeds;
  for (const std::uint64_t id : ids) {
    CAIRN_ASSIGN(const auto seed, graph->steps.find(id));
    if (seed) seeds.push_back(*seed);
  }
  CAIRN_ASSIGN(auto scores,
               engine::personalized_pagerank(graph->steps, seeds, how, context.budget));
  engine::Array<std::uint32_t> met(context.budget);
  for (std::uint32_t node = 0; node < scores.size(); ++node)
    if (scores[node] > 0) CAIRN_TRY(met.push_back(node));
  return Source(std::make_unique<ScoreRows>(std::move(graph), std::move(scores), std::move(met)));
}

// graph.shortestPath
Result<Source> find_shortest_path(ExecutionContext& context, Arguments arguments) {
  CAIRN_ASSIGN(const auto options, GraphOptions::read("graph.shortestPath", arguments, 2,
                                                      {"direction", "weight", "estimate"}));
  CAIRN_ASSIGN(const std::string estimate, options.text("estimate"));
  CAIRN_ASSIGN(auto graph, walked(context, options, Direction::outgoing));
  CAIRN_ASSIGN(const auto ends, find_ends(graph->steps, "graph.shortestPath", arguments));
  std::vector<engine::WeightedPath> paths;
  if (ends) {
    CAIRN_ASSIGN(auto path, search_path(context, graph->steps, *ends, estimate));
    if (path) paths.push_back(*std::move(path));
  }
  return path_rows(context, std::move(graph), std::move(paths));
}

// graph.kShortest
Result<Source> find_shortest_paths(ExecutionContext& context, Arguments arguments) {
  CAIRN_ASSIGN(const auto options,
               GraphOptions::read("graph.kShortest", arguments, 3, {"direction", "weight"}));
  CAIRN_ASSIGN(const std::size_t count, count_of("`k` of graph.kShortest()", arguments[2]));
  CAIRN_ASSIGN(auto graph, walked(context, options, Direction::outgoing));
  CAIRN_ASSIGN(const auto ends, find_ends(graph->steps, "graph.kShortest", arguments));
  std::vector<engine::WeightedPath> paths;
  if (ends) {
    CAIRN_ASSIGN(paths, engine::shortest_paths(graph->steps, ends->source, ends->target, count,
                                               context.budget));
  }
  return path_rows(context, std::move(graph), std::move(paths));
}

namespace {

// How graph.similarity orders its rows.
enum class Measure : std::uint8_t { common, jaccard, adamic_adar };

// The option `by` selects the measure that orders the rows. The default is 'jaccard'.
Result<Measure> measure_of(const GraphOptions& options) {
  CAIRN_ASSIGN(const std::string name, options.text("by"));
  if (name.empty() || name == "jaccard") return Measure::jaccard;
  if (name == "common") return Measure::common;
  if (name == "adamicAdar") return Measure::adamic_adar;
  return options.wrong("by", "'common', 'jaccard' or 'adamicAdar'");
}

double score_of(const engine::Similarity& one, Measure measure) {
  if (measure == Measure::common) return one.common;
  return measure == Measure::jaccard ? one.jaccard : one.adamic_adar;
}

/// Order for a heap with the most similar node on top. Among equals, the lowest id is on top.
struct LessSimilar {
  const GraphSteps& steps;
  Measure measure;

  bool operator()(const engine::Similarity& a, const engine::Similarity& b) const {
    const double score_a = score_of(a, measure);
    const double score_b = score_of(b, measure);
    if (score_a != score_b) return score_a < score_b;
    return steps.id(a.node) > steps.id(b.node);
  }
};

/// Rows of nodes that are similar to each given node. A heap sorts on demand, so a limit saves
/// work.
class SimilarityRows final : public RowSource {
 public:
  struct Wanted {
    std::vector<std::uint64_t> nodes;
    /// Candidates for comparison; nullopt: all nodes.
    std::optional<std::set<std::uint64_t>> others;
    Measure measure = Measure::jaccard;
    std::size_t limit = 0;
  };

  SimilarityRows(ExecutionContext& context, std::unique_ptr<Walked> graph, Wanted wanted)
      : budget_(context.budget),
        graph_(std::move(graph)),
        search_(graph_->steps, context.budget),
        found_(context.budget),
        wanted_(std::move(wanted)) {}

  Result<bool> next(std::vector<Value>& row) override {
    while (found_.empty() || given_ == wanted_.limit) {
      if (next_ == wanted_.nodes.size()) return false;
      CAIRN_TRY(begin(wanted_.nodes[next_++]));
    }
    CAIRN_TRY(budget_.step());
    std::pop_heap(found_.begin(), found_.end(), order());
    const engine::Similarity one = found_.back();
    found_.pop_back();
    ++given_;
    constexpr auto kind = codec::EntityKind::node;
    row = {entity_value(kind, wanted_.nodes[next_ - 1]),
           entity_value(kind, graph_->steps.id(one.node)),
           Value(static_cast<std::int64_t>(one.common)), Value(one.jaccard),
           Value(one.adamic_adar)};
    return true;
  }

 private:
  [[nodiscard]] LessSimilar order() const noexcept { return {graph_->steps, wanted_.measure}; }

  // Finds the nodes similar to this one and makes a heap of them.
  Status begin(std::uint64_t id) {
    given_ = 0;
    found_.clear();
    CAIRN_TRY(budget_.step());
    CAIRN_ASSIGN(const auto node, graph_->steps.find(id));
    if (!node) return {};
    CAIRN_ASSIGN(found_, search_.similar_to(*node));
    if (wanted_.others) {
      const auto is_other = [this](const engine::Similarity& one) {
        return wanted_.others->contains(graph_->steps.id(one.node));
      };
      const auto end = std::partition(found_.begin(), found_.end(), is_other);
      found_.truncate(static_cast<std::size_t>(end - found_.begin()));
    }
    std::make_heap(found_.begin(), found_.end(), order());
    return {};
  }

  Budget& budget_;
  std::unique_ptr<Walked> graph_;
  engine::SimilaritySearch search_;
  engine::Array<engine::Similarity> found_;  // heap of nodes similar to the node before next_
  Wanted wanted_;
  std::size_t next_ = 0;
  std::size_t given_ = 0;
};

}  // namespace

// graph.similarity
Result<Source> compare_neighbours(ExecutionContext& context, Arguments arguments) {
  CAIRN_ASSIGN(const auto options, GraphOptions::read("graph.similarity", arguments, 1,
                                                      {"direction", "with", "by", "limit"}));
  SimilarityRows::Wanted wanted;
  CAIRN_ASSIGN(wanted.nodes, nodes_of("the nodes of graph.similarity()", arguments[0]));
  if (options.has("with")) {
    CAIRN_ASSIGN(const auto others,
                 nodes_of("the option `with` of graph.similarity()", options.value("with")));
    wanted.others.emplace(others.begin(), others.end());
  }
  CAIRN_ASSIGN(wanted.measure, measure_of(options));
  CAIRN_ASSIGN(wanted.limit, options.count("limit", std::numeric_limits<std::size_t>::max(), 1));
  CAIRN_ASSIGN(auto graph, walked(context, options, Direction::both));
  return Source(std::make_unique<SimilarityRows>(context, std::move(graph), std::move(wanted)));
}

}  // namespace cairn::query
