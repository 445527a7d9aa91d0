#pragma once
// Lookups of one property, and of an interval of time as few blocks that many queries share.

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

// PropertyLookup: the ids for which a predicate of one property is true, or false, asked of the
// property index. Each function takes the operand's value and answers for any of its types.

/// What passes is in `found` or in `doubtful`; which of `doubtful` do, the index does not tell. The two
/// have no id in common, and `doubtful` is empty where `found` is all but some ids, or inexact.
struct PartlyKnown {
  Selection found;
  codec::Bitmap doubtful;
};

class PropertyLookup {
 public:
  PropertyLookup(GraphReader& graph, codec::EntityKind kind, const std::vector<std::string>& keys)
      : graph_(graph), kind_(kind), keys_(keys) {}

  [[nodiscard]] Result<Selection> present();
  [[nodiscard]] Result<Selection> equals(const Value& value);
  [[nodiscard]] Result<Selection> differs(const Value& value);
  [[nodiscard]] Result<Selection> one_of(const List& values);
  [[nodiscard]] Result<Selection> none_of(const List& values);
  /// Absent bounds are null pointers.
  [[nodiscard]] Result<Selection> between(const Value* low, bool low_inclusive, const Value* high,
                                          bool high_inclusive);
  /// The records for which the comparison with the single given bound is false.
  [[nodiscard]] Result<Selection> beyond(const Value* low, bool low_inclusive, const Value* high,
                                         bool high_inclusive);
  [[nodiscard]] Result<Selection> starts_with(const Value& prefix);
  [[nodiscard]] Result<Selection> starts_otherwise(const Value& prefix);
  /// What may be true or false of a test of texts.
  [[nodiscard]] Result<Selection> text(const Value& operand);
  [[nodiscard]] Result<Selection> has_element(const Value& value);
  /// Lists that have one of the values at least.
  [[nodiscard]] Result<Selection> has_any(const List& values);
  /// All lists, vectors among them.
  [[nodiscard]] Result<Selection> lists();
  /// Lists of which `value IN list` is false, which with a null in the list it never is.
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

// An interval of time as few blocks with fixed borders, so that intervals that end now, and all that
// overlap, are put together of the same cached parts. A commit outdates only the blocks it falls in.

/// From `first` up to but not including `last`, microseconds UTC; absent is open.
struct InstantBlock {
  std::optional<std::int64_t> first;
  std::optional<std::int64_t> last;

  friend bool operator==(const InstantBlock&, const InstantBlock&) = default;
};

/// Blocks of 1 hour times a power of 8, aligned to their length, and two ends of less than an hour.
/// About 7 a power: some 50 for years.
[[nodiscard]] std::vector<InstantBlock> instant_blocks(const InstantBlock& interval);

}  // namespace cairn::query
