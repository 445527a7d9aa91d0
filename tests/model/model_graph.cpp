#include "tests/model/model_graph.hpp"

#include <algorithm>
#include <cmath>

namespace cairn::test {
namespace {

using Failure = ModelGraph::Failure;

void put(Properties& properties, const std::string& name, const Value& value) {
  properties.erase(name);
  if (!value.is_null()) properties.emplace(name, value);
}

Properties without_nulls(const Properties& properties) {
  Properties kept;
  for (const auto& [name, value] : properties) put(kept, name, value);
  return kept;
}

double score(std::span<const float> a, std::span<const float> b, bool is_cosine) {
  double dot = 0;
  double size_a = 0;
  double size_b = 0;
  double squared_distance = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double x = a[i];
    const double y = b[i];
    dot += x * y;
    size_a += x * x;
    size_b += y * y;
    squared_distance += (x - y) * (x - y);
  }
  if (!is_cosine) return 1 / (1 + squared_distance);
  return (1 + dot / std::sqrt(size_a * size_b)) / 2;
}

}  // namespace

Failure ModelGraph::create_node(NodeId id, const NewNode& node) {
  if (!node.external_id.empty() && has_external_id(node.external_id))
    return ErrorCode::already_exists;
  if (nodes_.contains(id)) return ErrorCode::corruption;
  nodes_[id] = {
      {node.labels.begin(), node.labels.end()}, without_nulls(node.properties), node.external_id};
  return {};
}

Failure ModelGraph::create_relationship(RelationshipId id, const NewRelationship& made) {
  if (!nodes_.contains(made.source) || !nodes_.contains(made.target)) return ErrorCode::not_found;
  if (relationships_.contains(id)) return ErrorCode::corruption;
  relationships_[id] = {made.type, made.source, made.target, without_nulls(made.properties)};
  return {};
}

Failure ModelGraph::set_property(NodeId node, const std::string& name, const Value& value) {
  if (!nodes_.contains(node)) return ErrorCode::not_found;
  put(nodes_[node].properties, name, value);
  return {};
}

Failure ModelGraph::set_property(RelationshipId relationship, const std::string& name,
                                 const Value& value) {
  if (!relationships_.contains(relationship)) return ErrorCode::not_found;
  put(relationships_[relationship].properties, name, value);
  return {};
}

Failure ModelGraph::replace_properties(NodeId node, const Properties& properties) {
  if (!nodes_.contains(node)) return ErrorCode::not_found;
  nodes_[node].properties = without_nulls(properties);
  return {};
}

Failure ModelGraph::add_label(NodeId node, const std::string& label) {
  if (!nodes_.contains(node)) return ErrorCode::not_found;
  nodes_[node].labels.insert(label);
  return {};
}

Failure ModelGraph::remove_label(NodeId node, const std::string& label) {
  if (!nodes_.contains(node)) return ErrorCode::not_found;
  nodes_[node].labels.erase(label);
  return {};
}

Failure ModelGraph::erase_node(NodeId node) {
  if (!nodes_.contains(node)) return ErrorCode::not_found;
  if (has_relationships(node)) return ErrorCode::conflict;
  nodes_.erase(node);
  return {};
}

Failure ModelGraph::erase_node_and_relationships(NodeId node) {
  if (!nodes_.contains(node)) return ErrorCode::not_found;
  std::erase_if(relationships_, [&](const auto& entry) {
    return entry.second.source == node || entry.second.target == node;
  });
  nodes_.erase(node);
  return {};
}

Failure ModelGraph::erase_relationship(RelationshipId relationship) {
  if (relationships_.erase(relationship) == 0) return ErrorCode::not_found;
  return {};
}

bool ModelGraph::has_external_id(std::string_view external_id) const {
  return std::ranges::any_of(
      nodes_, [&](const auto& entry) { return entry.second.external_id == external_id; });
}

bool ModelGraph::has_relationships(NodeId node) const {
  return std::ranges::any_of(relationships_, [&](const auto& entry) {
    return entry.second.source == node || entry.second.target == node;
  });
}

std::vector<ModelHit> ModelGraph::nearest(const ModelVectorIndex& index,
                                          std::span<const float> query) const {
  std::vector<ModelHit> hits;
  for (const auto& [id, node] : nodes_) {
    const auto property = node.properties.find(index.property);
    if (!node.labels.contains(index.label) || property == node.properties.end()) continue;
    const auto* vector = property->second.get_if<Vector>();
    if (vector == nullptr || vector->dimension() != index.dimension) continue;
    hits.push_back({id.value, score(vector->components(), query, index.is_cosine)});
  }
  std::ranges::sort(hits, std::greater{}, &ModelHit::score);
  return hits;
}

}  // namespace cairn::test
