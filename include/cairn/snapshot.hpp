#pragma once
// Snapshot: everything committed up to one moment, unchanged however long it is held.
//
//     CAIRN_ASSIGN(const Snapshot snapshot, database.snapshot());
//     CAIRN_ASSIGN(const auto ada, snapshot.find_node("urn:ada"));          // nullopt: not there
//
// Readers never wait for the writer, nor the writer for them. What a snapshot can see is not freed
// while it is held: hold one for a statement or a report, not for the life of the program.

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

/// What an index covers and how it stands: one row of SHOW INDEXES.
///
/// Those that CREATE INDEX named, vector and full-text indexes come first. Every other property
/// path with an index of its own has a row too: its name is "node.PATH" or "relationship.PATH",
/// its labels_or_types are empty and its options {automatic: true}.
struct IndexDescription {
  std::string name;
  std::string kind;    ///< "RANGE", "VECTOR" or "FULLTEXT"
  std::string entity;  ///< "NODE" or "RELATIONSHIP"
  /// An entity with one of them is covered; empty: all.
  std::vector<std::string> labels_or_types;
  /// One, but for full-text indexes, which have several.
  std::vector<std::string> properties;
  std::string state;  ///< "ONLINE", "BUILDING" or "FAILED"
  /// In the words of CREATE VECTOR INDEX and CREATE FULLTEXT INDEX: `vector.dimensions`,
  /// `fulltext.k1`.
  Map options;  ///< dimension, metric, language and the like
  /// Hidden ones included. Of a vector index as of the snapshot's commit.
  std::uint64_t entries = 0;       ///< records in it
  std::uint64_t memory_bytes = 0;  ///< what it holds in memory now, the store left out
  /// Of a vector index memory_bytes by part: "rows" and "halves" (its vectors), "graph", "codes",
  /// "partitions", "ids", "delta" (what is not sealed yet).
  Map memory;
  std::uint64_t mapped_bytes = 0;  ///< vectors that are read from its file
};

/// A name in use with the number of records that carry it.
struct NameCount {
  std::string name;
  std::uint64_t count = 0;
};

/// A stable view of the database. Keeps the store alive. Threads: any number at once.
///
/// Calls without a namespace (labels(), properties() and the like) show the default one, without
/// records that are softly deleted or have expired by the system clock; statements take theirs from
/// StatementOptions.
class CAIRN_EXPORT Snapshot {
 public:
  Snapshot(Snapshot&&) noexcept;
  Snapshot& operator=(Snapshot&&) noexcept;
  ~Snapshot();

  /// The same view with the records in it that are softly deleted, for statements and searches on it.
  /// Cost: microseconds. It keeps the store alive as this one does.
  [[nodiscard]] Snapshot with_deleted() const;

  /// The number of the newest commit that this view contains. Commits count from 1, and by one.
  [[nodiscard]] std::uint64_t commit_number() const noexcept;

  /// Find a node by its internal or its external id; nullopt if it does not exist.
  ///
  /// Errors: corruption, naming the record. Cost: one read of the store, two by an external id.
  /// By an internal id records of every namespace are found, and hidden ones too; by an external id
  /// those of the default namespace. External ids are compared byte by byte.
  [[nodiscard]] Result<std::optional<Node>> find_node(NodeId node) const;
  [[nodiscard]] Result<std::optional<Node>> find_node(std::string_view external_id) const;
  /// The same for a relationship.
  /// Errors and cost: as by an internal id above.
  [[nodiscard]] Result<std::optional<Relationship>> find_relationship(RelationshipId id) const;

  /// The indexes that CREATE INDEX, CREATE VECTOR INDEX and the like made, in the order in which
  /// they were made, then those of property paths that nobody asked for.
  /// Cost: one index read a path.
  [[nodiscard]] Result<std::vector<IndexDescription>> indexes() const;
  /// Labels of the nodes that the default namespace shows, and how many carry each.
  /// Cost: one index read a label.
  /// A label that no node has any more is left out. So it is with the two calls below.
  [[nodiscard]] Result<std::vector<NameCount>> labels() const;
  /// The same for types of relationships.
  [[nodiscard]] Result<std::vector<NameCount>> relationship_types() const;
  /// Property paths of nodes ("a", "a.b") with the number of nodes that have them.
  /// Paths over Options::max_paths are not among them.
  /// Cost: one index read a path.
  [[nodiscard]] Result<std::vector<NameCount>> properties() const;

  class Impl;

 private:
  friend struct Access;
  explicit Snapshot(std::shared_ptr<const Impl> impl);
  std::shared_ptr<const Impl> impl_;  // owners: this handle and the rows of running statements
};

}  // namespace cairn
