#include "tests/model/graph_comparison.hpp"

#include "tests/model/filter.hpp"
#include "tests/model/search_comparison.hpp"

#include <algorithm>
#include <array>

namespace cairn::test {
namespace {

std::string id_text(std::uint64_t id) { return std::to_string(id); }

Difference compare_nodes(const Reader& reader, const ModelGraph& model, Random&) {
  Lines expected;
  for (const auto& [id, node] : model.nodes())
    expected.push_back(id_text(id.value) + " | " + describe(node));
  return expect_lines(reader, "MATCH (n) RETURN id(n), n", {}, expected);
}

Difference compare_relationships(const Reader& reader, const ModelGraph& model, Random&) {
  Lines expected;
  for (const auto& [id, relationship] : model.relationships())
    expected.push_back(id_text(relationship.source.value) + " | " + id_text(id.value) + " | " +
                       describe(relationship) + " | " + id_text(relationship.target.value));
  for (const char* pattern : {"(a)-[r]->(b)", "(b)<-[r]-(a)"})
    if (auto difference =
            expect_lines(reader, std::string("MATCH ") + pattern + " RETURN id(a), id(r), r, id(b)",
                         {}, expected))
      return difference;
  return {};
}

// Each step as start node, relationship and end node, in the allowed directions.
Lines steps(const ModelGraph& model, bool outgoing, bool incoming) {
  Lines lines;
  const auto add = [&](NodeId from, RelationshipId over, NodeId to) {
    lines.push_back(id_text(from.value) + " | " + id_text(over.value) + " | " + id_text(to.value));
  };
  for (const auto& [id, relationship] : model.relationships()) {
    const bool is_loop = relationship.source == relationship.target;
    if (outgoing) add(relationship.source, id, relationship.target);
    if (incoming && !(outgoing && is_loop)) add(relationship.target, id, relationship.source);
  }
  return lines;
}

// Ids on one side make the expansion start there.
Difference compare_adjacency(const Reader& reader, const ModelGraph& model, Random&) {
  List ids;
  for (const auto& [id, node] : model.nodes()) ids.push_back(static_cast<std::int64_t>(id.value));
  struct Case {
    const char* pattern;
    bool outgoing;
    bool incoming;
  };
  for (const Case& direction :
       {Case{"-[r]->", true, false}, Case{"<-[r]-", false, true}, Case{"-[r]-", true, true}}) {
    const std::string text = std::string("MATCH (a)") + direction.pattern +
                             "(b) WHERE id(a) IN $ids RETURN id(a), id(r), id(b)";
    if (auto difference = expect_lines(reader, text, {{"ids", ids}},
                                       steps(model, direction.outgoing, direction.incoming)))
      return difference;
  }
  return {};
}

Difference expect_count(const Reader& reader, const std::string& text, std::size_t expected) {
  return expect_lines(reader, text, {}, {std::to_string(expected)});
}

// Names that nothing carries any more are counted too.
std::map<std::string, std::size_t> label_counts(const ModelGraph& model) {
  std::map<std::string, std::size_t> counts = {{"A", 0}, {"B", 0}, {"C", 0}};
  for (const auto& [id, node] : model.nodes())
    for (const std::string& label : node.labels) ++counts[label];
  return counts;
}

std::map<std::string, std::size_t> type_counts(const ModelGraph& model) {
  std::map<std::string, std::size_t> counts = {{"R", 0}, {"S", 0}};
  for (const auto& [id, relationship] : model.relationships()) ++counts[relationship.type];
  return counts;
}

Difference compare_counts(const Reader& reader, const ModelGraph& model, Random&) {
  if (auto difference = expect_count(reader, "MATCH (n) RETURN count(*)", model.nodes().size()))
    return difference;
  if (auto difference =
          expect_count(reader, "MATCH ()-[r]->() RETURN count(r)", model.relationships().size()))
    return difference;
  for (const auto& [label, count] : label_counts(model))
    if (auto difference = expect_count(reader, "MATCH (n:" + label + ") RETURN count(n)", count))
      return difference;
  for (const auto& [type, count] : type_counts(model))
    if (auto difference =
            expect_count(reader, "MATCH ()-[r:" + type + "]->() RETURN count(*)", count))
      return difference;
  return {};
}

Difference compare_node_filter(const Reader& reader, const ModelGraph& model, Random& random) {
  const Filter filter = random_filter(random, 3, true);
  Lines expected;
  for (const auto& [id, node] : model.nodes())
    if (filter.evaluate({node.properties, node.labels}) == Truth(true))
      expected.push_back(id_text(id.value));
  Parameters parameters;
  const std::string condition = filter.text("n", parameters);
  return expect_lines(reader, "MATCH (n) WHERE " + condition + " RETURN id(n)", parameters,
                      expected);
}

Difference compare_relationship_filter(const Reader& reader, const ModelGraph& model,
                                       Random& random) {
  const Filter filter = random_filter(random, 3, false);
  Lines expected;
  for (const auto& [id, relationship] : model.relationships())
    if (filter.evaluate({relationship.properties, {}}) == Truth(true))
      expected.push_back(id_text(id.value));
  Parameters parameters;
  const std::string condition = filter.text("r", parameters);
  return expect_lines(reader, "MATCH ()-[r]->() WHERE " + condition + " RETURN id(r)", parameters,
                      expected);
}

// The property index has only a presence entry for a vector, and IS NOT NULL must still find it.
Difference compare_vector_presence(const Reader& reader, const ModelGraph& model, Random&) {
  for (const char* name : {"e", "f"}) {
    Lines expected;
    for (const auto& [id, node] : model.nodes())
      if (node.properties.contains(name)) expected.push_back(id_text(id.value));
    const std::string text = std::string("MATCH (n) WHERE n.") + name + " IS NOT NULL RETURN id(n)";
    if (auto difference = expect_lines(reader, text, {}, expected)) return difference;
  }
  return {};
}

Difference compare_found_nodes(const Snapshot& snapshot, const ModelGraph& model) {
  for (const auto& [id, expected] : model.nodes()) {
    const auto by_id = snapshot.find_node(id);
    const std::string about = "find_node(" + id_text(id.value) + ")";
    if (!by_id) return about + " failed: " + describe(by_id.error());
    if (!by_id->has_value()) return about + " found nothing";
    if (auto difference = compare_lines(about, {describe(expected)}, {describe(**by_id)}))
      return difference;
    if (expected.external_id.empty()) continue;
    const auto by_text = snapshot.find_node(expected.external_id);
    if (!by_text || !by_text->has_value() || (*by_text)->id() != id)
      return "find_node(\"" + expected.external_id + "\") did not find node " + id_text(id.value);
  }
  return {};
}

Difference compare_absent_external_ids(const Snapshot& snapshot, const ModelGraph& model) {
  for (const char* external_id : {"e0", "e1", "e2", "e3", "e4", "e5", "e6", "e7", "none"}) {
    if (model.has_external_id(external_id)) continue;
    const auto found = snapshot.find_node(external_id);
    if (!found) return describe(found.error());
    if (found->has_value()) return std::string(external_id) + " is found, but was erased";
  }
  return {};
}

Difference compare_found_relationships(const Snapshot& snapshot, const ModelGraph& model) {
  for (const auto& [id, expected] : model.relationships()) {
    const auto found = snapshot.find_relationship(id);
    const std::string about = "find_relationship(" + id_text(id.value) + ")";
    if (!found) return about + " failed: " + describe(found.error());
    if (!found->has_value()) return about + " found nothing";
    if (auto difference = compare_lines(about, {describe(expected)}, {describe(**found)}))
      return difference;
  }
  return {};
}

Difference compare_names(std::string_view about, const Result<std::vector<NameCount>>& found,
                         const std::map<std::string, std::size_t>& counts) {
  if (!found) return std::string(about) + " failed: " + describe(found.error());
  Lines found_lines;
  for (const NameCount& name : *found)
    if (name.count != 0) found_lines.push_back(name.name + " " + std::to_string(name.count));
  Lines expected;
  for (const auto& [name, count] : counts)
    if (count != 0) expected.push_back(name + " " + std::to_string(count));
  return compare_lines(about, expected, found_lines);
}

}  // namespace

Difference compare_graph(const Reader& reader, const ModelGraph& model, Random& random) {
  using Comparison = Difference (*)(const Reader&, const ModelGraph&, Random&);
  static constexpr std::array<Comparison, 10> comparisons = {
      compare_nodes,       compare_relationships,       compare_adjacency,
      compare_counts,      compare_node_filter,         compare_node_filter,
      compare_node_filter, compare_relationship_filter, compare_vector_presence,
      compare_searches};
  for (const Comparison comparison : comparisons)
    if (auto difference = comparison(reader, model, random)) return difference;
  return {};
}

Difference compare_snapshot(const Snapshot& snapshot, const ModelGraph& model, Random& random) {
  if (auto difference = compare_graph(reader_of(snapshot), model, random)) return difference;
  if (auto difference = compare_found_nodes(snapshot, model)) return difference;
  if (auto difference = compare_absent_external_ids(snapshot, model)) return difference;
  if (auto difference = compare_found_relationships(snapshot, model)) return difference;
  if (auto difference = compare_names("labels", snapshot.labels(), label_counts(model)))
    return difference;
  if (auto difference = compare_names("types", snapshot.relationship_types(), type_counts(model)))
    return difference;
  return compare_nearest(snapshot, model, random);
}

Difference compare_check(const Database& database) {
  const auto findings = database.check();
  if (!findings) return "check failed: " + describe(findings.error());
  if (findings->empty()) return {};
  return "check finds " + findings->front().place + ": " + findings->front().problem;
}

}  // namespace cairn::test
