#include "tests/model/search_comparison.hpp"

#include "tests/model/filter.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace cairn::test {
namespace {

// Scores are made of floats in an order of the index's choice.
constexpr double tolerance = 1e-5;

// The k best scores must be there, each with an id that has it. An approximate search may miss
// nodes, but must not find fewer.
Difference compare_hits(const std::string& about, std::size_t k, bool is_exact,
                        const std::vector<ModelHit>& matches, const std::vector<Hit>& found) {
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
    if (i > 0 && found[i].score > found[i - 1].score + tolerance) return hit + " is out of order";
    if (is_exact && std::abs(matches[i].score - found[i].score) > tolerance)
      return hit + " stands where the score is " + std::to_string(matches[i].score);
  }
  return {};
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
  std::vector<Hit> hits;
  for (const auto& row : *rows)
    hits.push_back({static_cast<std::uint64_t>(row[0].as_integer()), row[1].as_float()});
  return compare_hits(about, k, true, matches, hits);
}

}  // namespace

NearestCase random_nearest(const ModelGraph& model, const std::string& index, Random& random) {
  NearestCase search;
  search.index = index;
  search.query = random_components(random, model.vector_indexes.at(index).dimension);
  search.options.k = 1 + random.below(12);
  search.options.accuracy = VectorAccuracy::exact;
  if (random.one_in(2)) return search;
  auto& allowed = search.options.allowed_ids.emplace();
  const std::size_t share = 1 + random.below(10);
  for (const auto& [id, node] : model.nodes())
    if (random.one_in(share)) allowed.push_back(id.value);
  allowed.push_back(1'000'000'000);  // An id that nothing has.
  return search;
}

Difference nearest_agrees(const Snapshot& snapshot, const ModelGraph& model,
                          const NearestCase& search) {
  std::vector<ModelHit> matches =
      model.nearest(model.vector_indexes.at(search.index), search.query);
  if (const auto& allowed = search.options.allowed_ids) {
    const std::set<std::uint64_t> set(allowed->begin(), allowed->end());
    std::erase_if(matches, [&](const ModelHit& hit) { return !set.contains(hit.id); });
  }
  const auto found = search_vectors(snapshot, search.index, search.query, search.options);
  const std::string about = "nearest in " + search.index;
  if (!found) return about + " failed: " + describe(found.error());
  return compare_hits(about + ", " + std::string(to_string(found->executor)), search.options.k,
                      search.options.accuracy == VectorAccuracy::exact, matches, found->hits);
}

Difference compare_nearest(const Snapshot& snapshot, const ModelGraph& model, Random& random) {
  for (const auto& [name, index] : model.vector_indexes)
    for (int i = 0; i < 2; ++i)
      if (auto difference = nearest_agrees(snapshot, model, random_nearest(model, name, random)))
        return difference;
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
