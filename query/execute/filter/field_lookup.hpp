#pragma once
// FieldLookup: the ids whose field passes an operator of a filter, asked of the property index. What
// no index entry decides (elements of lists compared by order, texts searched) is a superset.

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

class FieldLookup {
 public:
  /// Where `within` is given, only what is found among its ids means anything: their dates are then
  /// looked up one by one, if they are cached, instead of searched for in the whole index. Without a
  /// `budget` no texts are tested.
  FieldLookup(GraphReader& graph, codec::EntityKind kind, const std::vector<std::string>& keys,
              const codec::Bitmap* within = nullptr, Budget* budget = nullptr)
      : graph_(graph), kind_(kind), keys_(keys), within_(within), budget_(budget) {}

  /// Whether `find` would compare dates, of which it is worth keeping a column.
  [[nodiscard]] static bool compares_dates(FilterOperator op, const Value& operand);
  /// `test` has a checked operand.
  [[nodiscard]] Result<Selection> find(const FilterTest& test);
  /// The dates of the ids `within`, if they are cached or now worth caching, and if all of them are
  /// dated by texts; else null.
  [[nodiscard]] Result<engine::InstantColumn::Ptr> dates(double spent);
  /// The ids with an instant at `time` or later, or nothing where records would have to say.
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
  /// Texts within that name no instant, or nothing where no dates are cached.
  [[nodiscard]] Result<std::optional<codec::Bitmap>> undated_texts();
  [[nodiscard]] Result<Selection> temporals(FilterOperator op, std::int64_t bound);
  [[nodiscard]] static std::int64_t among_texts(FilterOperator op, const Value& bound,
                                                std::int64_t microseconds);

  [[nodiscard]] Result<Selection> all_lists();
  /// All lists and vectors, to be looked at one by one.
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
