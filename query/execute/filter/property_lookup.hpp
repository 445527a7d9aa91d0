#pragma once
// Looks up one property in its index, and splits time intervals into blocks that many queries
// share.

#include "query/execute/graph_reader.hpp"
#include "query/execute/path_index.hpp"
#include "query/plan/filter_plan.hpp"

#include <cairn/result.hpp>
#include <cairn/value.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace cairn::query {

// PropertyLookup finds the ids for which a predicate of one property is true, or false, from the
// property index. Each function accepts operands of any type.

/// Ids that pass are in `found` or in `doubtful`. The index does not show which of `doubtful` pass.
/// The two sets are disjoint. `doubtful` is empty if `found` is a complement or inexact.
struct PartlyKnown {
  Selection found;
  codec::Bitmap doubtful;
};

/// Each function returns the ids for which its predicate is true.
class PropertyLookup {
 public:
  PropertyLookup(GraphReader& graph, codec::EntityKind kind, const std::vector<std::string>& keys)
      : graph_(graph), kind_(kind), keys_(keys) {}

  [[nodiscard]] Result<Selection> present();
  [[nodiscard]] Result<Selection> equals(const Value& value);
  [[nodiscard]] Result<Selection> differs(const Value& value);
  [[nodiscard]] Result<Selection> one_of(const List& values);
  [[nodiscard]] Result<Selection> none_of(const List& values);
  /// Absent bounds are nullptr.
  [[nodiscard]] Result<Selection> between(const Value* low, bool low_inclusive, const Value* high,
                                          bool high_inclusive);
  /// Returns the records for which the comparison with a single bound is false.
  [[nodiscard]] Result<Selection> beyond(const Value* low, bool low_inclusive, const Value* high,
                                         bool high_inclusive);
  [[nodiscard]] Result<Selection> starts_with(const Value& prefix);
  [[nodiscard]] Result<Selection> starts_otherwise(const Value& prefix);
  /// Returns the records for which a text test may be true or false.
  [[nodiscard]] Result<Selection> text(const Value& operand);
  [[nodiscard]] Result<Selection> has_element(const Value& value);
  /// Returns lists that contain at least one of the values.
  [[nodiscard]] Result<Selection> has_any(const List& values);
  /// Returns all lists, including vectors.
  [[nodiscard]] Result<Selection> lists();
  /// Returns lists for which `value IN list` is false. If the list contains null, the predicate is
  /// never false.
  [[nodiscard]] Result<PartlyKnown> lacks_element(const Value& value);

 private:
  using Operation = engine::IndexPredicate::Operation;

  [[nodiscard]] Result<Selection> ask(engine::IndexPredicate question,
                                      const std::vector<std::string>& keys);
  [[nodiscard]] Result<Selection> ask(engine::IndexPredicate question);
  [[nodiscard]] Result<Selection> ask(Operation operation, Value operand = {});
  [[nodiscard]] Result<Selection> of_type(Value example) {
    return ask(Operation::of_type, std::move(example));
  }
  [[nodiscard]] Result<Selection> unindexed(const std::vector<std::string>& keys) const;
  [[nodiscard]] Result<Selection> not_by_path();
  [[nodiscard]] Result<Selection> unindexed_lists();
  [[nodiscard]] Result<Selection> may_hold(const Value& value);

  GraphReader& graph_;
  codec::EntityKind kind_;
  const std::vector<std::string>& keys_;
};

// Splits a time interval into a few blocks with fixed borders, so that similar intervals share the
// same cached blocks. A commit invalidates only the blocks that contain its values.

/// From `first` up to but not including `last`, in microseconds UTC. An absent end is open.
struct InstantBlock {
  std::optional<std::int64_t> first;
  std::optional<std::int64_t> last;

  friend bool operator==(const InstantBlock&, const InstantBlock&) = default;
};

/// Returns blocks of 1 hour times a power of 8, aligned to their length, and a shorter block at
/// each end. A period of years has about 50 blocks.
[[nodiscard]] std::vector<InstantBlock> instant_blocks(const InstantBlock& interval);

}  // namespace cairn::query
