#pragma once
// FieldLookup: finds the ids whose field passes an operator of a filter, from the property index.
// If index entries cannot decide (order of list elements, text searches), the result is an inexact
// superset.

#include "engine/index/instant_column.hpp"
#include "query/execute/filter/property_lookup.hpp"
#include "query/execute/filter/text_scan.hpp"
#include "query/execute/graph_reader.hpp"
#include "query/execute/path_index.hpp"
#include "query/functions/filter_test.hpp"

#include <cairn/result.hpp>
#include <cairn/value.hpp>

#include <optional>
#include <string>
#include <vector>

namespace cairn::query {

/// Threads: one at a time.
class FieldLookup {
 public:
  /// If `within` is given, results outside of `within` are meaningless. With `within` and cached
  /// dates, the dates of these ids are looked up one by one instead of scanning the index. Without
  /// a `budget`, no texts are tested.
  FieldLookup(GraphReader& graph, codec::EntityKind kind, const std::vector<std::string>& keys,
              const codec::Bitmap* within = nullptr, Budget* budget = nullptr)
      : graph_(graph), kind_(kind), keys_(keys), within_(within), budget_(budget) {}

  /// True if find() would compare dates, so that caching a column of dates may be worth its cost.
  [[nodiscard]] static bool compares_dates(FilterOperator op, const Value& operand);
  /// The operand of `test` must have been checked.
  [[nodiscard]] Result<Selection> find(const FilterTest& test);
  /// Returns the cached dates of the path, if they exist or are now worth caching. Returns nullptr
  /// otherwise, and if some value is not a text.
  [[nodiscard]] Result<engine::InstantColumn::Ptr> dates(double spent);
  /// Returns the ids with an instant at `time` or later, or nullopt if records would have to be
  /// read.
  [[nodiscard]] Result<std::optional<Selection>> since(std::int64_t time);

 private:
  using Operation = engine::IndexPredicate::Operation;

  [[nodiscard]] Result<Selection> positive(const FilterTest& test);
  [[nodiscard]] Result<Selection> ask(engine::IndexPredicate question);
  [[nodiscard]] Result<Selection> ask(Operation operation, Value operand = {});
  [[nodiscard]] Result<Selection> of_type(Value example);

  [[nodiscard]] Result<Selection> equals(const Value& value);
  [[nodiscard]] Result<Selection> element(const Value& value);
  [[nodiscard]] Result<Selection> member(const Value& value);
  [[nodiscard]] Result<Selection> any_member(const List& values);
  [[nodiscard]] Result<Selection> all_members(const List& values);
  [[nodiscard]] Result<Selection> contains(const Value& part);
  [[nodiscard]] Result<Selection> contained_by(const Value& whole);

  [[nodiscard]] Result<Selection> ordered(FilterOperator op, const Value& bound);
  [[nodiscard]] Result<Selection> same_type(FilterOperator op, const Value& bound);
  [[nodiscard]] Result<Selection> texts(FilterOperator op, const Value& bound);
  [[nodiscard]] Result<Selection> tested_texts(const FilterTest& test);
  [[nodiscard]] Result<Selection> between(const List& bounds);
  [[nodiscard]] Result<Selection> on_side(const FilterTest& test);
  [[nodiscard]] Result<Selection> instants(FilterOperator op, std::int64_t bound);
  [[nodiscard]] Result<Selection> instant_blocks_of(const InstantBlock& interval);
  /// Returns the texts in `within` that name no instant, or nullopt if dates are not cached.
  [[nodiscard]] Result<std::optional<codec::Bitmap>> undated_texts();
  [[nodiscard]] Result<Selection> temporals(FilterOperator op, std::int64_t bound);
  [[nodiscard]] static std::int64_t among_texts(FilterOperator op, const Value& bound,
                                                std::int64_t microseconds);

  [[nodiscard]] Result<Selection> all_lists();
  /// Returns all lists and vectors as candidates.
  [[nodiscard]] Result<Selection> lists();
  [[nodiscard]] Result<Selection> maps();
  [[nodiscard]] Result<Selection> with_lists(Selection scalars);
  [[nodiscard]] Result<Selection> in_nfc(const FilterTest& test);

  GraphReader& graph_;
  codec::EntityKind kind_;
  const std::vector<std::string>& keys_;
  const codec::Bitmap* within_;
  Budget* budget_;
};

}  // namespace cairn::query
