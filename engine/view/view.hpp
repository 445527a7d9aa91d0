#pragma once
// View: everything that a query reads, as of one snapshot. In a transaction it includes the changes of the transaction. The
// query folder reads the store only through this interface.
//
// Most of the query folder includes this header, so it only forward-declares the types of results. Callers include what they
// use.

#include "codec/entity_kind.hpp"
#include "engine/vector/neighbors.hpp"

#include <cairn/result.hpp>
#include <cairn/snapshot.hpp>
#include <cairn/value.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace cairn::codec {
struct BackupNote;
class Bitmap;
struct NodeRecord;
struct RelationshipRecord;
}  // namespace cairn::codec

namespace cairn::engine {

class AdjacencySegment;
class Catalog;
class ColumnSegment;
class ListReader;
class PostingReader;
struct LookupResult;
struct TextHits;
struct TextQuery;
struct SegmentNeed;
template <class Kind>
struct SegmentView;

/// Which relationships of a node are expanded: those that start there, those that end there, or
/// all.
enum class Direction : std::uint8_t { outgoing, incoming, both };

/// One relationship of a node that was expanded.
struct Adjacent {
  std::uint64_t relationship = 0;
  std::uint32_t type = 0;
  std::uint64_t other = 0;  ///< the node at the other end
  bool outgoing = true;     ///< the relationship starts at the node that was expanded
};

/// Which records a statement may see.
struct Visibility {
  std::uint32_t name_space = 0;  ///< the namespace of the statement
  std::int64_t now = 0;          ///< microseconds; records that expire at or before it are hidden
  std::vector<std::uint32_t> also_read = {};  ///< more namespaces whose records are visible
};

/// A predicate that a property index can answer.
struct IndexPredicate {
  enum class Operation : std::uint8_t {
    present,      ///< the path has any value, null included
    of_type,      ///< the path has a value of the type of `low` (numbers: any number)
    equals,       ///< the value equals `low` (language equality; containers by hash)
    element,      ///< the value is a list with an element that equals `low`
    range,        ///< a scalar between the bounds and of their type
    starts_with,  ///< a string that starts with the string `low`
    instant,  ///< an ISO date string between `low` and `high`, which are integers: microseconds UTC
  };
  codec::EntityKind kind = codec::EntityKind::node;
  std::uint32_t path = 0;
  Operation operation = Operation::present;
  Value low;  ///< in a range, null means no bound at this end
  Value high;
  bool low_inclusive = true;
  bool high_inclusive = true;
};

/// The parameters of View::nearest().
struct VectorQuery {
  std::span<const float> query;
  std::size_t k = 10;
  bool exact = false;
  std::size_t ef_search = 0;
  const codec::Bitmap* allowed = nullptr;  ///< null: every entity of the index
  std::optional<Accuracy> recall = {};     ///< see neighbors.hpp; nullopt: Accuracy::standard
  std::optional<double> min_score = {};    ///< hits with a lower score are left out
  std::optional<double> within = {};       ///< hits at a larger vector_distance() are left out
};

/// Threads: any for a view of a snapshot; one at a time for the view of a transaction.
class View {
 public:
  virtual ~View() = default;

  [[nodiscard]] virtual const Catalog& catalog() const = 0;
  [[nodiscard]] virtual std::uint64_t commit_number() const = 0;

  // Records. An absent record is not an error. Errors: corruption, naming the record.

  [[nodiscard]] virtual Result<std::optional<codec::NodeRecord>> find_node(
      std::uint64_t id) const = 0;
  [[nodiscard]] virtual Result<std::optional<codec::RelationshipRecord>> find_relationship(
      std::uint64_t id) const = 0;
  [[nodiscard]] virtual Result<std::optional<std::uint64_t>> find_external(
      std::uint32_t name_space, std::string_view text) const = 0;
  /// Returns a property as a language value, or null if it is absent. Large texts and vectors are read too.
  [[nodiscard]] virtual Result<Value> property(codec::EntityKind kind, std::uint64_t id,
                                               std::uint32_t key) const = 0;
  /// Returns the same property of many entities, in the order of `ids`. Cost: one batched read.
  [[nodiscard]] virtual Result<std::vector<Value>> properties(codec::EntityKind kind,
                                                              std::span<const std::uint64_t> ids,
                                                              std::uint32_t key) const = 0;
  /// Return a whole node or relationship as a public value; nullopt if it does not exist.
  [[nodiscard]] virtual Result<std::optional<Node>> load_node(std::uint64_t id) const = 0;
  [[nodiscard]] virtual Result<std::optional<Relationship>> load_relationship(
      std::uint64_t id) const = 0;

  /// Returns the ids of all records of a kind that `visibility` allows to see.
  [[nodiscard]] virtual Result<codec::Bitmap> visible(codec::EntityKind kind,
                                                      const Visibility& visibility) const = 0;
  /// Returns the ids of all other records of a kind.
  [[nodiscard]] virtual Result<codec::Bitmap> invisible(codec::EntityKind kind,
                                                        const Visibility& visibility) const = 0;

  // Ids from indexes. They may include hidden records: intersect them with visible().

  [[nodiscard]] virtual Result<codec::Bitmap> labelled(std::uint32_t label) const = 0;
  [[nodiscard]] virtual Result<codec::Bitmap> typed(std::uint32_t type) const = 0;
  [[nodiscard]] virtual Result<LookupResult> lookup(const IndexPredicate& question) const = 0;
  /// The estimated cost of lookup().
  struct Estimate {
    double rows = 0;  ///< ids that it would return
    double keys = 0;  ///< index keys that it would read
  };
  [[nodiscard]] virtual Result<Estimate> estimate(const IndexPredicate& question) const = 0;
  /// Returns the reader of the property indexes, for operations that scan a whole index (engine/index). nullptr for a view
  /// without such indexes.
  [[nodiscard]] virtual const PostingReader* index_reader() const noexcept { return nullptr; }
  [[nodiscard]] virtual Result<std::uint64_t> count_labelled(std::uint32_t label) const = 0;
  [[nodiscard]] virtual Result<std::uint64_t> count_typed(std::uint32_t type) const = 0;
  /// True if every record of the kind is visible, so that the caller need not intersect with visible().
  [[nodiscard]] virtual Result<bool> all_visible(codec::EntityKind kind,
                                                 const Visibility& visibility) const = 0;

  /// Appends the relationships of `node`, ascending by (direction, type, other, relationship). If `types` is not empty,
  /// appends only those of these types. A loop is appended once, as outgoing, also for Direction::both. Hidden relationships
  /// are included: the caller checks visibility.
  [[nodiscard]] virtual Status expand(std::uint64_t node, Direction direction,
                                      std::span<const std::uint32_t> types,
                                      std::vector<Adjacent>& out) const = 0;
  /// Like expand(), for the relationships between two given nodes.
  [[nodiscard]] virtual Status expand_into(std::uint64_t node, std::uint64_t other,
                                           Direction direction,
                                           std::span<const std::uint32_t> types,
                                           std::vector<Adjacent>& out) const = 0;
  /// Returns a reader for callers that expand many nodes.
  [[nodiscard]] virtual std::unique_ptr<ListReader> lists() const = 0;

  // Segments: all relationships in one direction, or one property of all records of a kind, packed in memory
  // (segment_view.hpp). The call may build the segment. Without a segment, or if it does not know an id, the caller
  // reads the records as usual.

  [[nodiscard]] virtual SegmentView<AdjacencySegment> adjacency(bool outgoing,
                                                                const SegmentNeed& need) const = 0;
  [[nodiscard]] virtual SegmentView<ColumnSegment> column(codec::EntityKind kind, std::uint32_t key,
                                                          const SegmentNeed& need) const = 0;

  /// Returns the nearest vectors of an index, best first. The result has exactly min(k, number of entities that are indexed
  /// and allowed) hits, less those that `min_score` or `within` exclude.
  [[nodiscard]] virtual Result<Neighbors> nearest(std::uint32_t index,
                                                  const VectorQuery& query) const = 0;
  /// Calls nearest() for several queries at once. All must have the same `allowed`, which is processed only once.
  [[nodiscard]] virtual Result<std::vector<Neighbors>> nearest_all(
      std::uint32_t index, std::span<const VectorQuery> queries) const = 0;
  /// Returns the entities that nearest() can return, without those that the transaction changed. Cost: a pass over the ids
  /// of the index.
  [[nodiscard]] virtual Result<codec::Bitmap> with_vector(std::uint32_t index) const = 0;
  /// Returns the best documents of a full-text index, best first: exactly min(k, number of allowed and matching documents).
  [[nodiscard]] virtual Result<TextHits> search_text(std::uint32_t index,
                                                     const TextQuery& query) const = 0;
  [[nodiscard]] virtual Result<std::vector<IndexDescription>> describe_indexes() const = 0;
  /// Returns the last backup that this database wrote into each directory, newest first.
  [[nodiscard]] virtual Result<std::vector<codec::BackupNote>> describe_backups() const = 0;
  /// Calls load_node() for several ids, in order. Cost: one batched read of the records.
  [[nodiscard]] virtual Result<std::vector<std::optional<Node>>> load_nodes(
      std::span<const std::uint64_t> ids) const = 0;
};

}  // namespace cairn::engine
