#pragma once
// PropertyLookup: the ids for which a predicate of one property is true, or false, asked of the
// property index. Each function takes the operand's value and answers for any of its types.

#include "query/execute/filter/id_selection.hpp"
#include "query/execute/graph_reader.hpp"
#include "query/plan/filter_plan.hpp"

#include <cairn/result.hpp>
#include <cairn/value.hpp>

#include <string>
#include <vector>

namespace cairn::query {

class PropertyLookup {
 public:
  PropertyLookup(GraphReader& graph, codec::EntityKind kind, const std::vector<std::string>& keys)
      : graph_(graph), kind_(kind), keys_(keys) {}

  [[nodiscard]] Result<Selection> present();
  [[nodiscard]] Result<Selection> equals(const Value& value);
  [[nodiscard]] Result<Selection> differs(const Value& value);
  [[nodiscard]] Result<Selection> one_of(const List& values);
  [[nodiscard]] Result<Selection> none_of(const List& values);
  /// Bounds that are not there are null pointers.
  [[nodiscard]] Result<Selection> between(const Value* low, bool low_inclusive, const Value* high,
                                          bool high_inclusive);
  /// The comparison with the one bound that is there is false.
  [[nodiscard]] Result<Selection> beyond(const Value* low, bool low_inclusive, const Value* high,
                                         bool high_inclusive);
  [[nodiscard]] Result<Selection> starts_with(const Value& prefix);
  [[nodiscard]] Result<Selection> starts_otherwise(const Value& prefix);
  /// What may be true or false of a test of texts.
  [[nodiscard]] Result<Selection> text(const Value& operand);
  [[nodiscard]] Result<Selection> has_element(const Value& value);
  [[nodiscard]] Result<Selection> lacks_element(const Value& value);

 private:
  using Operation = engine::IndexLookup::Operation;

  [[nodiscard]] Result<Selection> ask(engine::IndexLookup question,
                                      const std::vector<std::string>& keys);
  [[nodiscard]] Result<Selection> ask(engine::IndexLookup question);
  [[nodiscard]] Result<Selection> ask(Operation operation, Value operand = {});
  [[nodiscard]] Result<Selection> of_type(Value example) {
    return ask(Operation::of_type, std::move(example));
  }
  [[nodiscard]] Result<Selection> unindexed(const std::vector<std::string>& keys) const;
  [[nodiscard]] Result<Selection> not_by_path();
  [[nodiscard]] Result<Selection> lists();

  GraphReader& graph_;
  codec::EntityKind kind_;
  const std::vector<std::string>& keys_;
};

}  // namespace cairn::query
