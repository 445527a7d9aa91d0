#include "tests/metamorphic/small_graph.hpp"

#include "tests/model/samples.hpp"

#include <array>
#include <iterator>
#include <utility>

namespace cairn::test {
namespace {

constexpr std::int64_t leap_day = 18'321;  // 2020-02-29

Value small_integer(Random& random) { return static_cast<std::int64_t>(random.below(7)) - 3; }

Value quarter(Random& random) { return static_cast<double>(random.below(25)) / 4.0 - 3.0; }

Value any_of(Random& random, const std::vector<Value>& values) { return random.pick(values); }

// Properties like those of the rows that are compared with SQLite; see random_statement_pair().
Properties typed_properties(Random& random, std::size_t id) {
  static const std::vector<Value> ascii = {"", "a", "b", "ab", "ba", "Abc"};
  static const std::vector<Value> texts = {"", "a", "é", "aé", "日本", "'", "\xF0\x9F\x97\xBB"};
  Properties properties = {{"id", static_cast<std::int64_t>(id)}};
  const auto put = [&](const char* name, Value value) {
    if (!random.one_in(5)) properties.emplace(name, std::move(value));
  };
  put("i", small_integer(random));
  put("j", small_integer(random));
  put("r", quarter(random));
  put("s", any_of(random, ascii));
  put("w", any_of(random, texts));
  put("b", random.one_in(2));
  return properties;
}

void put_common(Random& random, Properties& properties) {
  const auto put = [&](const char* name, Value value) {
    if (!random.one_in(4)) properties.emplace(name, std::move(value));
  };
  const auto day = leap_day + static_cast<std::int64_t>(random.below(4));
  put("v", static_cast<std::int64_t>(random.below(3)));
  put("k", small_integer(random));
  put("q", quarter(random));
  put("d", Date{day});
  put("t", LocalDateTime{day * 86'400 + static_cast<std::int64_t>(random.below(2)), 0});
}

void put_searched(Random& random, Properties& properties) {
  static constexpr std::array<const char*, 5> words = {"green", "tea", "cup", "milk", "coffee"};
  if (!random.one_in(4)) properties.emplace("vec", List{quarter(random), quarter(random)});
  if (random.one_in(4)) return;
  std::string text = random.pick(words);
  for (std::size_t more = random.below(4); more > 0; --more)
    text.append(" ").append(random.pick(words));
  properties.emplace("words", std::move(text));
}

Properties random_entity(Random& random, Flavour flavour, std::size_t id) {
  Properties properties =
      flavour == Flavour::mixed ? random_properties(random) : typed_properties(random, id);
  put_common(random, properties);
  return properties;
}

std::string properties_text(const Properties& properties) {
  return properties.empty() ? "" : " " + Value(properties).to_text();
}

SmallGraph without_node(const SmallGraph& graph, std::size_t node) {
  SmallGraph smaller = graph;
  smaller.nodes.erase(std::next(smaller.nodes.begin(), static_cast<std::ptrdiff_t>(node)));
  std::erase_if(smaller.edges, [&](const SmallGraph::Edge& edge) {
    return edge.source == node || edge.target == node;
  });
  for (SmallGraph::Edge& edge : smaller.edges) {
    if (edge.source > node) --edge.source;
    if (edge.target > node) --edge.target;
  }
  return smaller;
}

std::vector<Properties> with_one_less(const Properties& properties) {
  std::vector<Properties> all;
  for (const auto& [name, value] : properties) {
    all.push_back(properties);
    all.back().erase(name);
  }
  return all;
}

// The empty graph, then all graphs without one node, relationship, label or property, the largest
// reductions first.
std::vector<SmallGraph> smaller_ones(const SmallGraph& graph) {
  std::vector<SmallGraph> all;
  if (!graph.nodes.empty()) all.emplace_back();
  for (std::size_t i = graph.nodes.size(); i > 0; --i) all.push_back(without_node(graph, i - 1));
  for (std::size_t i = 0; i < graph.edges.size(); ++i) {
    all.push_back(graph);
    all.back().edges.erase(std::next(all.back().edges.begin(), static_cast<std::ptrdiff_t>(i)));
  }
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    for (std::size_t label = 0; label < graph.nodes[i].labels.size(); ++label) {
      all.push_back(graph);
      auto& labels = all.back().nodes[i].labels;
      labels.erase(std::next(labels.begin(), static_cast<std::ptrdiff_t>(label)));
    }
    for (const Properties& less : with_one_less(graph.nodes[i].properties)) {
      all.push_back(graph);
      all.back().nodes[i].properties = less;
    }
  }
  for (std::size_t i = 0; i < graph.edges.size(); ++i)
    for (const Properties& less : with_one_less(graph.edges[i].properties)) {
      all.push_back(graph);
      all.back().edges[i].properties = less;
    }
  return all;
}

}  // namespace

Status SmallGraph::write(Transaction& transaction) const {
  std::vector<NodeId> ids;
  for (const NewNode& node : nodes) {
    CAIRN_ASSIGN(const NodeId id, transaction.create_node(node));
    ids.push_back(id);
  }
  for (const Edge& edge : edges)
    CAIRN_TRY(transaction.create_relationship(
        {ids[edge.source], edge.type, ids[edge.target], edge.properties}));
  return {};
}

std::string SmallGraph::text() const {
  std::string text;
  const auto begin_part = [&] { text.append(text.empty() ? "CREATE " : ",\n       "); };
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    begin_part();
    text.append("(n").append(std::to_string(i));
    for (const std::string& label : nodes[i].labels) text.append(":").append(label);
    text.append(properties_text(nodes[i].properties)).append(")");
  }
  for (const Edge& edge : edges) {
    begin_part();
    text.append("(n").append(std::to_string(edge.source)).append(")-[:").append(edge.type);
    text.append(properties_text(edge.properties)).append("]->(n");
    text.append(std::to_string(edge.target)).append(")");
  }
  return text;
}

SmallGraph random_small_graph(Random& random, Flavour flavour) {
  SmallGraph graph;
  const std::size_t nodes = random.one_in(20) ? 0 : 1 + random.below(24);
  for (std::size_t i = 0; i < nodes; ++i) {
    NewNode node{{}, random_entity(random, flavour, i), {}};
    put_searched(random, node.properties);
    for (const char* label : {"A", "B", "C", "U"})
      if (random.one_in(2)) node.labels.emplace_back(label);
    graph.nodes.push_back(std::move(node));
  }
  const std::size_t edges = nodes == 0 ? 0 : random.below(nodes * 3 / 2);
  for (std::size_t i = 0; i < edges; ++i)
    graph.edges.push_back({random.below(nodes), random.one_in(2) ? "R" : "S", random.below(nodes),
                           random_entity(random, flavour, i)});
  return graph;
}

SmallGraph smallest_failing(SmallGraph graph, const std::function<bool(const SmallGraph&)>& fails) {
  for (bool is_smaller = true; is_smaller;) {
    is_smaller = false;
    for (SmallGraph& candidate : smaller_ones(graph))
      if (fails(candidate)) {
        graph = std::move(candidate);
        is_smaller = true;
        break;
      }
  }
  return graph;
}

}  // namespace cairn::test
