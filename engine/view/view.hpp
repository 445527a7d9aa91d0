#pragma once
// View: everything a query reads, as of one snapshot, with one transaction's own changes laid over
// it where there is one. The only interface of the store that the query folder uses.
//
// Light, because most see it: what its calls give is declared here, and callers include that.

#include "codec/entity_kind.hpp"
#include "engine/vector/neighbors.hpp"

#include <cairn/result.hpp>
#include <cairn/snapshot.hpp>
#include <cairn/value.hpp>

#include <cstddef>
#include <cstdint>
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
class PostingReader;
struct LookupResult;
struct TextHits;
struct TextQuery;
struct SegmentNeed;
template <class Kind>
struct SegmentView;

enum class Direction : std::uint8_t { outgoing, incoming, both };

/// One step along a relationship.
struct Adjacent {
  std::uint64_t relationship = 0;
  std::uint32_t type = 0;
  std::uint64_t other = 0;
  bool outgoing = true;  ///< the relationship starts at the node that was expanded
};

/// Which records a statement may see.
struct Visibility {
  std::uint32_t name_space = 0;
  std::int64_t now = 0;  ///< microseconds; records that expire at or before it are not seen
  std::vector<std::uint32_t> also_read = {};  ///< the namespaces that are seen beside it
};

/// One question that a property index answers.
struct IndexPredicate {
  enum class Operation : std::uint8_t {
    present,      ///< the path holds any value, null included
    of_type,      ///< the path holds a value of the type of `low` (numbers: any number)
    equals,       ///< the value equals `low` (language equality; containers by hash)
    element,      ///< the value is a list with an element that equals `low`
    range,        ///< a scalar of the type of the bounds between them
    starts_with,  ///< a string that starts with the string `low`
    instant,      ///< an ISO date string between `low` and `high`, integers: microseconds UTC
  };
  codec::EntityKind kind = codec::EntityKind::node;
  std::uint32_t path = 0;
  Operation operation = Operation::present;
  Value low;  ///< null in a range: open at this end
  Value high;
  bool low_inclusive = true;
  bool high_inclusive = true;
};

/// Search options below the public ones.
struct VectorQuery {
  std::span<const float> query;
  std::size_t k = 10;
  bool exact = false;
  std::size_t ef_search = 0;
  const codec::Bitmap* allowed = nullptr;  ///< null: every entity of the index
  std::optional<Accuracy> recall = {};     ///< see neighbors.hpp; nothing: the standard one
  std::optional<double> min_score = {};    ///< hits with less are left out
  std::optional<double> within = {};  ///< and those farther away, as vector_distance() measures
};

/// Threads: a view of a snapshot is safe from any number of threads; one of a transaction is not.
class View {
 public:
  virtual ~View() = default;

  [[nodiscard]] virtual const Catalog& catalog() const = 0;
  [[nodiscard]] virtual std::uint64_t commit_number() const = 0;

  /// Records. Absent is not an error; corruption names the key.
  [[nodiscard]] virtual Result<std::optional<codec::NodeRecord>> find_node(
      std::uint64_t id) const = 0;
  [[nodiscard]] virtual Result<std::optional<codec::RelationshipRecord>> find_relationship(
      std::uint64_t id) const = 0;
  [[nodiscard]] virtual Result<std::optional<std::uint64_t>> find_external(
      std::uint32_t name_space, std::string_view text) const = 0;
  /// One property as a language value, null where absent; texts and vectors are fetched.
  [[nodiscard]] virtual Result<Value> property(codec::EntityKind kind, std::uint64_t id,
                                               std::uint32_t key) const = 0;
  /// The same property of many entities, in order. Cost: one batched read.
  [[nodiscard]] virtual Result<std::vector<Value>> properties(codec::EntityKind kind,
                                                              std::span<const std::uint64_t> ids,
                                                              std::uint32_t key) const = 0;
  /// Whole entities as public values; nullopt if absent.
  [[nodiscard]] virtual Result<std::optional<Node>> load_node(std::uint64_t id) const = 0;
  [[nodiscard]] virtual Result<std::optional<Relationship>> load_relationship(
      std::uint64_t id) const = 0;

  /// Bitmaps, all within what `visibility` lets through.
  [[nodiscard]] virtual Result<codec::Bitmap> visible(codec::EntityKind kind,
                                                      const Visibility& visibility) const = 0;
  /// Ids from the indexes, not yet reduced to the visible ones.
  [[nodiscard]] virtual Result<codec::Bitmap> labelled(std::uint32_t label) const = 0;
  [[nodiscard]] virtual Result<codec::Bitmap> typed(std::uint32_t type) const = 0;
  [[nodiscard]] virtual Result<LookupResult> lookup(const IndexPredicate& question) const = 0;
  /// About how many ids `lookup` would return, and what scanning for them costs in index keys.
  struct Estimate {
    double rows = 0;
    double keys = 0;
  };
  [[nodiscard]] virtual Result<Estimate> estimate(const IndexPredicate& question) const = 0;
  /// The reader of the property indexes, for what goes along a whole index (engine/index). Null for a view without one.
  [[nodiscard]] virtual const PostingReader* index_reader() const noexcept { return nullptr; }
  [[nodiscard]] virtual Result<std::uint64_t> count_labelled(std::uint32_t label) const = 0;
  [[nodiscard]] virtual Result<std::uint64_t> count_typed(std::uint32_t type) const = 0;
  /// True where nothing is hidden: every live entity of the kind is visible, so that intersecting
  /// with visible() may be left out.
  [[nodiscard]] virtual Result<bool> all_visible(codec::EntityKind kind,
                                                 const Visibility& visibility) const = 0;

  /// Append the relationships of `node` (of one of `types`, if any are given), ascending by
  /// (direction, type, other, relationship). A relationship from a node to itself comes once,
  /// as outgoing, also for Direction::both. Visibility is the caller's duty.
  [[nodiscard]] virtual Status expand(std::uint64_t node, Direction direction,
                                      std::span<const std::uint32_t> types,
                                      std::vector<Adjacent>& out) const = 0;
  /// Like expand(), between two known nodes.
  [[nodiscard]] virtual Status expand_into(std::uint64_t node, std::uint64_t other,
                                           Direction direction,
                                           std::span<const std::uint32_t> types,
                                           std::vector<Adjacent>& out) const = 0;

  /// The relationships of all nodes in one direction, or a property of all records of a kind, in memory (segment_view.hpp). What a
  /// segment does not know, and everything where there is none, is to be read as without it. It may be built
  /// by the call.
  [[nodiscard]] virtual SegmentView<AdjacencySegment> adjacency(bool outgoing,
                                                                const SegmentNeed& need) const = 0;
  [[nodiscard]] virtual SegmentView<ColumnSegment> column(codec::EntityKind kind, std::uint32_t key,
                                                          const SegmentNeed& need) const = 0;

  /// Nearest vectors of an index, best first: exactly min(k, allowed and indexed), less what is cut.
  [[nodiscard]] virtual Result<Neighbors> nearest(std::uint32_t index,
                                                  const VectorQuery& query) const = 0;
  /// What nearest() gives for each. All have one and the same `allowed`, which is looked at once.
  [[nodiscard]] virtual Result<std::vector<Neighbors>> nearest_all(
      std::uint32_t index, std::span<const VectorQuery> queries) const = 0;
  /// The entities that nearest() can give, all but those that the transaction itself touched.
  /// Cost: a pass over the ids of the index.
  [[nodiscard]] virtual Result<codec::Bitmap> with_vector(std::uint32_t index) const = 0;
  /// The best documents of a full-text index, best first: exactly min(k, allowed and matching).
  [[nodiscard]] virtual Result<TextHits> search_text(std::uint32_t index,
                                                     const TextQuery& query) const = 0;
  [[nodiscard]] virtual Result<std::vector<IndexDescription>> describe_indexes() const = 0;
  /// The newest backup in each directory, newest first, as the database remembers them.
  [[nodiscard]] virtual Result<std::vector<codec::BackupNote>> describe_backups() const = 0;
  /// load_node() of many, in order. Cost: one batched read of the records.
  [[nodiscard]] virtual Result<std::vector<std::optional<Node>>> load_nodes(
      std::span<const std::uint64_t> ids) const = 0;
};

}  // namespace cairn::engine
