#pragma once
// Snapshot: everything committed up to one moment, unchanged however long it is held.

#include <cairn/export.hpp>
#include <cairn/graph.hpp>
#include <cairn/result.hpp>
#include <cairn/value.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cairn {

/// What an index covers and how it stands.
struct IndexDescription {
  std::string name;
  std::string kind;    ///< "RANGE" or "VECTOR"
  std::string entity;  ///< "NODE" or "RELATIONSHIP"
  std::vector<std::string> labels_or_types;
  std::vector<std::string> properties;
  std::string state;  ///< "ONLINE", "BUILDING" or "FAILED"
  Map options;        ///< dimension, metric and the like
  std::uint64_t entries = 0;
  std::uint64_t memory_bytes = 0;
};

/// A name in use with the number of records that carry it.
struct NameCount {
  std::string name;
  std::uint64_t count = 0;
};

/// How to search a vector index.
struct NearestOptions {
  std::size_t k = 10;
  bool exact = false;         ///< compare with every allowed vector
  std::size_t ef_search = 0;  ///< candidates the graph keeps; 0 chooses
  std::optional<std::vector<std::uint64_t>> allowed_ids = std::nullopt;  ///< only these, if given
};

/// One hit: the entity and its score, larger is nearer ((1 + cosine) / 2, or 1 / (1 + distance^2)).
struct Neighbor {
  std::uint64_t id = 0;
  double score = 0;
};

/// Hits, best first, and the way they were found ("exact", "graph").
struct Neighbors {
  std::vector<Neighbor> hits;
  std::string executor;
};

/// A stable view of the database. Keeps the store alive. Threads: any number at once.
class CAIRN_EXPORT Snapshot {
 public:
  Snapshot(Snapshot&&) noexcept;
  Snapshot& operator=(Snapshot&&) noexcept;
  ~Snapshot();

  /// The number of the newest commit that this view contains.
  [[nodiscard]] std::uint64_t commit_number() const noexcept;

  [[nodiscard]] Result<std::optional<Node>> find_node(NodeId node) const;
  [[nodiscard]] Result<std::optional<Node>> find_node(std::string_view external_id) const;
  [[nodiscard]] Result<std::optional<Relationship>> find_relationship(RelationshipId id) const;

  /// Find the entities whose vector in `index` is nearest to `query`, best first.
  ///
  /// Exactly min(options.k, matches) come back, whatever is allowed.
  /// Errors: not_found if there is no such index; invalid_argument if `query` has another
  /// dimension, is not finite, or is zero under the cosine metric.
  [[nodiscard]] Result<Neighbors> nearest(std::string_view index, std::span<const float> query,
                                          const NearestOptions& options) const;

  [[nodiscard]] Result<std::vector<IndexDescription>> indexes() const;
  [[nodiscard]] Result<std::vector<NameCount>> labels() const;
  [[nodiscard]] Result<std::vector<NameCount>> relationship_types() const;
  /// Property paths of nodes ("a", "a.b") with the number of nodes that have them.
  [[nodiscard]] Result<std::vector<NameCount>> properties() const;

  class Impl;

 private:
  friend struct Access;
  explicit Snapshot(std::shared_ptr<const Impl> impl);
  std::shared_ptr<const Impl> impl_;  // owners: this handle and the rows of running statements
};

}  // namespace cairn
