#pragma once
// Snapshot: everything committed up to one moment, unchanged however long it is held.
//
//     CAIRN_ASSIGN(const Snapshot snapshot, database.snapshot());
//     CAIRN_ASSIGN(const auto ada, snapshot.find_node("urn:ada"));          // nullopt: not there
//     CAIRN_ASSIGN(const auto near, snapshot.nearest("memories", query, {.k = 5}));
//
// Readers never wait for the writer, nor the writer for them. What a snapshot can see is not freed
// while it is held: hold one for a statement or a report, not for the life of the program.

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

/// What an index covers and how it stands: one row of SHOW INDEXES.
///
/// Every property is indexed by default and needs no entry here; those that CREATE INDEX named, and the
/// vector and full-text indexes, have one.
struct IndexDescription {
  std::string name;
  std::string kind;    ///< "RANGE", "VECTOR" or "FULLTEXT"
  std::string entity;  ///< "NODE" or "RELATIONSHIP"
  std::vector<std::string> labels_or_types;
  std::vector<std::string> properties;
  std::string state;               ///< "ONLINE", "BUILDING" or "FAILED"
  Map options;                     ///< dimension, metric, language and the like
  std::uint64_t entries = 0;       ///< records in it
  std::uint64_t memory_bytes = 0;  ///< what it holds in memory now, the store left out
};

/// A name in use with the number of records that carry it.
struct NameCount {
  std::string name;
  std::uint64_t count = 0;
};

/// How to search a vector index.
///
/// The defaults ask for the ten nearest of all. A search never returns fewer than it could: with
/// allowed_ids given, exactly min(k, allowed ones with a vector).
struct NearestOptions {
  std::size_t k = 10;         ///< how many at most
  bool exact = false;         ///< compare with every allowed vector
  std::size_t ef_search = 0;  ///< candidates the graph keeps; 0 chooses
  std::optional<std::vector<std::uint64_t>> allowed_ids = std::nullopt;  ///< only these, if given
};

/// One hit: the entity and its score, larger is nearer ((1 + cosine) / 2, or 1 / (1 + distance^2)).
struct Neighbor {
  std::uint64_t id = 0;
  double score = 0;
};

/// Hits, best first, and the way they were found ("exact", "graph"). Equal scores: the smaller id first.
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

  /// The number of the newest commit that this view contains. Commits count from 1, and by one.
  [[nodiscard]] std::uint64_t commit_number() const noexcept;

  /// Find a node by its internal or its external id; nullopt where there is none.
  ///
  /// Errors: corruption, naming the record. Cost: one read of the store, two by an external id.
  [[nodiscard]] Result<std::optional<Node>> find_node(NodeId node) const;
  [[nodiscard]] Result<std::optional<Node>> find_node(std::string_view external_id) const;
  /// The same for a relationship.
  [[nodiscard]] Result<std::optional<Relationship>> find_relationship(RelationshipId id) const;

  /// Find the entities whose vector in `index` is nearest to `query`, best first.
  ///
  /// Exactly min(options.k, matches) come back, whatever is allowed.
  /// Errors: not_found if there is no such index; invalid_argument if `query` has another
  /// dimension, is not finite, or is zero under the cosine metric.
  [[nodiscard]] Result<Neighbors> nearest(std::string_view index, std::span<const float> query,
                                          const NearestOptions& options) const;

  /// The indexes that CREATE INDEX, CREATE VECTOR INDEX and the like made, by name.
  [[nodiscard]] Result<std::vector<IndexDescription>> indexes() const;
  /// Labels of the nodes that the default namespace shows, and how many carry each.
  /// Cost: one index read a label.
  [[nodiscard]] Result<std::vector<NameCount>> labels() const;
  /// The same for types of relationships.
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
