#pragma once
// ModelGraph: the expected content of a database, as plain maps with simple operations. A copy is
// the expected content of a snapshot, and the expected content after a rollback.

#include <cairn/result.hpp>
#include <cairn/transaction.hpp>
#include <cairn/value.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::test {

struct ModelNode {
  std::set<std::string> labels;
  Properties properties;
  std::string external_id;
};

struct ModelRelationship {
  std::string type;
  NodeId source;
  NodeId target;
  Properties properties;
};

/// A vector index over the nodes of one label.
struct ModelVectorIndex {
  std::string label;
  std::string property;
  std::size_t dimension = 0;
  bool is_cosine = true;  ///< otherwise Euclidean
};

struct ModelHit {
  std::uint64_t id = 0;
  double score = 0;
};

class ModelGraph {
 public:
  /// What a call should fail with; nothing where it should succeed.
  using Failure = std::optional<ErrorCode>;

  /// Ids are the database's choice; one that is in use already is `corruption`.
  Failure create_node(NodeId id, const NewNode& node);
  Failure create_relationship(RelationshipId id, const NewRelationship& relationship);
  Failure set_property(NodeId node, const std::string& name, const Value& value);
  Failure set_property(RelationshipId relationship, const std::string& name, const Value& value);
  Failure replace_properties(NodeId node, const Properties& properties);
  Failure add_label(NodeId node, const std::string& label);
  Failure remove_label(NodeId node, const std::string& label);
  Failure erase_node(NodeId node);
  Failure erase_node_and_relationships(NodeId node);
  Failure erase_relationship(RelationshipId relationship);

  [[nodiscard]] const std::map<NodeId, ModelNode>& nodes() const { return nodes_; }
  [[nodiscard]] const std::map<RelationshipId, ModelRelationship>& relationships() const {
    return relationships_;
  }
  [[nodiscard]] bool has_external_id(std::string_view external_id) const;

  /// Vector indexes by name.
  std::map<std::string, ModelVectorIndex> vector_indexes;
  /// Every node that the index covers with its score, best first.
  [[nodiscard]] std::vector<ModelHit> nearest(const ModelVectorIndex& index,
                                              std::span<const float> query) const;

 private:
  [[nodiscard]] bool has_relationships(NodeId node) const;

  std::map<NodeId, ModelNode> nodes_;
  std::map<RelationshipId, ModelRelationship> relationships_;
};

}  // namespace cairn::test
