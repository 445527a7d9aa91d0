#pragma once
// Snapshot: everything committed up to one moment. It never changes, however long it is held.
//
//     CAIRN_ASSIGN(const Snapshot snapshot, database.snapshot());
//     CAIRN_ASSIGN(const auto ada, snapshot.find_node("urn:ada"));          // nullopt: not there
//
// Readers never wait for the writer, and the writer never waits for them. Data that a snapshot can
// see is not freed while it is held, so hold one for a statement or a report, not for the life of
// the program.

#include <cairn/graph.hpp>
#include <cairn/result.hpp>
#include <cairn/value.hpp>
#include <cairn/visibility.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cairn {

/// Definition and state of an index: one row of SHOW INDEXES.
///
/// Named indexes come first: those of CREATE INDEX, vector and full-text indexes. Every other
/// property path with an automatic index has a row too: its name is "node.PATH" or
/// "relationship.PATH", labels_or_types is empty and options is {automatic: true}.
struct IndexDescription {
  std::string name;
  std::string kind;    ///< "RANGE", "VECTOR" or "FULLTEXT"
  std::string entity;  ///< "NODE" or "RELATIONSHIP"
  /// Covers entities with one of them; empty: all entities.
  std::vector<std::string> labels_or_types;
  /// One property; a full-text index may have several.
  std::vector<std::string> properties;
  std::string state;  ///< "ONLINE", "POPULATING", "BUILDING" or "FAILED"
  /// With the names of CREATE VECTOR INDEX and CREATE FULLTEXT INDEX: `vector.dimensions`,
  /// `fulltext.k1`.
  Map options;  ///< dimension, metric, language and others
  /// Hidden records included. For a vector index, as of the snapshot's commit.
  std::uint64_t entries = 0;       ///< number of records in it
  std::uint64_t memory_bytes = 0;  ///< current memory, without caches of the store
  /// For a vector index, memory_bytes by part: "rows" and "halves" (vectors), "graph", "codes",
  /// "partitions", "ids", "delta" (changes that are not in a segment yet).
  Map memory;
  std::uint64_t mapped_bytes = 0;  ///< vectors that are read from its mapped file
};

/// A name in use, and the number of records that have it.
struct NameCount {
  std::string name;
  std::uint64_t count = 0;
};

/// A stable view of the database. Keeps the store alive. Threads: any number at once.
///
/// Calls without a namespace parameter (labels(), properties() and others) use the default
/// namespace. They exclude soft-deleted records and records that have expired by the system clock.
/// For statements, StatementOptions selects the namespace.
class CAIRN_EXPORT Snapshot {
 public:
  Snapshot(Snapshot&&) noexcept;
  Snapshot& operator=(Snapshot&&) noexcept;
  ~Snapshot();

  /// Returns the same view including soft-deleted records, for statements and searches. Cost:
  /// microseconds. It keeps the store alive too.
  [[nodiscard]] Snapshot with_deleted() const;

  /// The number of the newest commit in this view. Commits are numbered from 1 without gaps.
  [[nodiscard]] std::uint64_t commit_number() const noexcept;

  /// Finds a node by its internal or external id; nullopt if it does not exist.
  ///
  /// An internal id finds records of every namespace, hidden ones included. An external id finds
  /// records of the default namespace; external ids are compared byte by byte. Errors: corruption,
  /// naming the record. Cost: one read of the store, two by an external id.
  [[nodiscard]] Result<std::optional<Node>> find_node(NodeId node) const;
  [[nodiscard]] Result<std::optional<Node>> find_node(std::string_view external_id) const;
  /// Finds a relationship by its id. Errors and cost: like finding a node by its internal id.
  [[nodiscard]] Result<std::optional<Relationship>> find_relationship(RelationshipId id) const;

  /// Returns the indexes made by CREATE INDEX, CREATE VECTOR INDEX and others, in the order of
  /// creation, then the automatic indexes of property paths. Cost: one index read per path.
  [[nodiscard]] Result<std::vector<IndexDescription>> indexes() const;
  /// Returns the labels of visible nodes in the default namespace, with the number of nodes of
  /// each. Labels without nodes are omitted. Cost: one index read per label.
  [[nodiscard]] Result<std::vector<NameCount>> labels() const;
  /// Returns the types of visible relationships, likewise.
  [[nodiscard]] Result<std::vector<NameCount>> relationship_types() const;
  /// Returns the property paths of nodes ("a", "a.b") with the number of nodes that have them,
  /// likewise. Paths over Options::max_paths are omitted. Cost: one index read per path.
  [[nodiscard]] Result<std::vector<NameCount>> properties() const;

  class Impl;

 private:
  friend struct Access;
  explicit Snapshot(std::shared_ptr<const Impl> impl);
  std::shared_ptr<const Impl> impl_;  // owners: this handle and the rows of running statements
};

}  // namespace cairn
