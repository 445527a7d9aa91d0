#include "tests/model/search_comparison.hpp"

#include "tests/model/filter.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace cairn::test {
namespace {

// Scores are made of floats in an order of the index's choice.
constexpr double tolerance = 1e-5;

// The k best scores must be there, each with an id that has it.
Difference compare_hits(const std::string& about, std::size_t k,
                        const std::vector<ModelHit>& matches, const std::vector<Neighbor>& found) {
  if (found.size() != std::min(k, matches.size()))
    return about + ": " + std::to_string(found.size()) + " hits for k = " + std::to_string(k) +
           " of " + std::to_string(matches.size()) + " matches";
  std::set<std::uint64_t> seen;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const auto match = std::ranges::find(matches, found[i].id, &ModelHit::id);
    const std::string hit = about + ": hit " + std::to_string(i) + ", node " +
                            std::to_string(found[i].id) + " of score " +
                            std::to_string(found[i].score);
    if (match == matches.end()) return hit + " does not match";
    if (!seen.insert(found[i].id).second) return hit + " comes twice";
    if (std::abs(match->score - found[i].score) > tolerance)
      return hit + " has the score " + std::to_string(match->score);
    if (std::abs(matches[i].score - found[i].score) > tolerance)
      return hit + " stands where the score is " + std::to_string(matches[i].score);
  }
  return {};
}

Difference nearest_agrees(const Snapshot& snapshot, const ModelGraph& model,
                          const std::string& name, Random& random) {
  const ModelVectorIndex& index = model.vector_indexes.at(name);
  const auto query = random_components(random, index.dimension);
  std::vector<ModelHit> matches = model.nearest(index, query);
  NearestOptions options;
  options.k = 1 + random.below(12);
  options.exact = true;
  if (random.one_in(2)) {
    options.allowed_ids.emplace();
    for (const auto& [id, node] : model.nodes())
      if (random.one_in(2)) options.allowed_ids->push_back(id.value);
    options.allowed_ids->push_back(1'000'000'000);
    std::erase_if(matches, [&](const ModelHit& hit) {
      return std::ranges::find(*options.allowed_ids, hit.id) == options.allowed_ids->end();
    });
  }
  const auto found = snapshot.nearest(name, query, options);
  if (!found) return "nearest in " + name + " failed: " + describe(found.error());
  return compare_hits("nearest in " + name, options.k, matches, found->hits);
}

Difference search_agrees(const Reader& reader, const ModelGraph& model, const std::string& name,
                         Random& random) {
  const ModelVectorIndex& index = model.vector_indexes.at(name);
  const auto query = random_components(random, index.dimension);
  const Filter filter = random_filter(random, 2, true);
  std::vector<ModelHit> matches = model.nearest(index, query);
  std::erase_if(matches, [&](const ModelHit& hit) {
    const ModelNode& node = model.nodes().at(NodeId{hit.id});
    return filter.evaluate({node.properties, node.labels}) != Truth(true);
  });
  const std::size_t k = 1 + random.below(12);
  Parameters parameters = {{"query", Vector(query)}};
  const std::string text = "MATCH (n:" + index.label + ") SEARCH n IN (VECTOR INDEX " + name +
                           " FOR $query WHERE " + filter.text("n", parameters) + " LIMIT " +
                           std::to_string(k) + ") SCORE AS score RETURN id(n), score " +
                           "ORDER BY score DESC";
  const auto rows = read_rows(reader, text, parameters);
  const std::string about = text + "\n  with " + describe(parameters);
  if (!rows) return about + "\n  failed: " + describe(rows.error());
  std::vector<Neighbor> hits;
  for (const auto& row : *rows)
    hits.push_back({static_cast<std::uint64_t>(row[0].as_integer()), row[1].as_float()});
  return compare_hits(about, k, matches, hits);
}

}  // namespace

Difference compare_nearest(const Snapshot& snapshot, const ModelGraph& model, Random& random) {
  for (const auto& [name, index] : model.vector_indexes)
    for (int i = 0; i < 2; ++i)
      if (auto difference = nearest_agrees(snapshot, model, name, random)) return difference;
  return {};
}

Difference compare_searches(const Reader& reader, const ModelGraph& model, Random& random) {
  for (const auto& [name, index] : model.vector_indexes)
    if (auto difference = search_agrees(reader, model, name, random)) return difference;
  return {};
}

std::vector<float> random_components(Random& random, std::size_t dimension) {
  std::vector<float> components(dimension);
  for (float& component : components) component = static_cast<float>(random.below(5)) - 2;
  if (std::ranges::all_of(components, [](float component) { return component == 0; }))
    components.front() = 1;
  return components;
}

}  // namespace cairn::test
