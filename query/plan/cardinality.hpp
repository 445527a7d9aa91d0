#pragma once
// Statistics: how many records conditions and steps are expected to give, from counters and from
// the index itself. Approximate by design.

#include "codec/bitmap.hpp"
#include "engine/view/view.hpp"
#include "query/plan/logical_plan.hpp"

#include <cairn/result.hpp>
#include <cairn/value.hpp>

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace cairn::query {

/// Paths of so many hops that begin at one node, if each node has `degree` relationships to follow.
[[nodiscard]] double count_paths(const HopRange& hops, double degree);

/// A step of a pattern as seen from one of its ends.
struct StepQuestion {
  const RelationshipPattern* pattern = nullptr;
  bool from_left = true;
  std::string_view from_label;  ///< of the end that it begins at; must not be empty
  std::string_view to_label;    ///< of the other one; may be empty
  bool may_read = false;        ///< lists of the store, where none are in memory
};
/// What a node has of the relationships, on average.
struct StepFan {
  double degree = 0;
  double labelled = 0;  ///< of these, that lead to a node with the label
};

/// Asks the view, and keeps what a plan needs more than once. Lives as long as one planning.
class Statistics {
 public:
  /// The value of an expression that reads no variable, or nothing where it fails.
  using Constants = std::function<std::optional<Value>(const Expression&)>;

  /// With `own_only`, nothing that is estimated depends on records that are not seen: a plan is shown to who may not
  /// know of them.
  Statistics(const engine::View& view, engine::Visibility visibility, Constants constants,
             bool own_only)
      : view_(view),
        visibility_(std::move(visibility)),
        constants_(std::move(constants)),
        own_only_(own_only) {}

  [[nodiscard]] const engine::Catalog& catalog() const { return view_.catalog(); }
  [[nodiscard]] Result<double> total(codec::EntityKind kind);
  [[nodiscard]] Result<bool> all_visible(codec::EntityKind kind);
  [[nodiscard]] Result<double> labelled(codec::EntityKind kind, std::string_view name);

  /// Fill `rows` and `microseconds` of every part of the filter.
  [[nodiscard]] Status estimate(FilterPlan& plan);
  /// The same without the filter's own number and without what its evaluation asks for anyway, for who
  /// knows already that it will be evaluated.
  [[nodiscard]] Status estimate_parts(FilterPlan& plan);
  /// Relationships of the pattern that a node has on average, in the direction of the walk.
  [[nodiscard]] Result<double> degree(const RelationshipPattern& pattern);
  /// The same of some nodes with a label. Nothing where there is no sample of them.
  /// Cost: some microseconds, 100 where it reads.
  [[nodiscard]] Result<std::optional<StepFan>> sample(const StepQuestion& question);
  /// Fill `rows` of every operator.
  [[nodiscard]] Status estimate(Pipeline& pipeline, double rows = 1);

 private:
  [[nodiscard]] Status estimate(FilterNode& node, codec::EntityKind kind);
  [[nodiscard]] Status estimate_branch(FilterNode& node, codec::EntityKind kind);
  [[nodiscard]] Result<engine::View::Estimate> test(const FilterNode& node, codec::EntityKind kind);
  [[nodiscard]] Status estimate_leaf(FilterNode& node, codec::EntityKind kind);
  [[nodiscard]] Result<engine::View::Estimate> positive(const FilterNode& node,
                                                        codec::EntityKind kind);
  [[nodiscard]] Result<engine::View::Estimate> ask(const FilterNode& node, codec::EntityKind kind,
                                                   engine::IndexPredicate question);
  /// The same of seen records alone.
  [[nodiscard]] Result<engine::View::Estimate> ask_own(const engine::IndexPredicate& question);
  /// The records that are seen, where they are all that counts; else null.
  [[nodiscard]] Result<const codec::Bitmap*> own(codec::EntityKind kind);
  /// `operation` is asked for each value of a list.
  [[nodiscard]] Result<engine::View::Estimate> one_of(const FilterNode& node,
                                                      codec::EntityKind kind,
                                                      engine::IndexPredicate::Operation operation);
  [[nodiscard]] Result<engine::View::Estimate> range(const FilterNode& node,
                                                     codec::EntityKind kind);
  [[nodiscard]] Result<engine::View::Estimate> instants(const FilterNode& node,
                                                        codec::EntityKind kind, const Value& bound);
  [[nodiscard]] Result<engine::View::Estimate> texts(const FilterNode& node, codec::EntityKind kind,
                                                     engine::IndexPredicate::Operation operation,
                                                     const Value& operand);
  [[nodiscard]] Result<engine::View::Estimate> unknown_operand(const FilterNode& node,
                                                               codec::EntityKind kind);
  [[nodiscard]] std::optional<Value> constant(const Expression* expression) const;
  [[nodiscard]] Result<double> rows_of(FilterPlan& filter);
  /// A LIMIT's number, where it is known before the run.
  [[nodiscard]] std::optional<double> constant_count(const Expression* count) const;
  [[nodiscard]] Result<double> factor(Operator& one, double rows);
  [[nodiscard]] Result<double> factor(const Walk& walk);
  [[nodiscard]] std::optional<std::vector<std::uint32_t>> known_types(
      const RelationshipPattern& pattern) const;

  const engine::View& view_;
  engine::Visibility visibility_;
  Constants constants_;
  bool own_only_;
  std::optional<double> totals_[2];
  std::optional<codec::Bitmap> own_[2];
};

}  // namespace cairn::query

namespace cairn::query::cost {

// What work costs, in microseconds, measured on a warm store. Only the ratios matter, and only
// roughly: they decide whether to scan an index or to read the records that are left.

inline constexpr double record_read = 4.0;      ///< one property of one record
inline constexpr double index_key = 0.6;        ///< one key of an index range, with its ids
inline constexpr double index_predicate = 3.0;  ///< starting on a posting or a range
inline constexpr double set_chunk = 0.3;        ///< one chunk of 65,536 ids in a set operation
inline constexpr double order_place = 0.003;    ///< whether one id of a cached order is in a set
inline constexpr double value_count = 1.0;      ///< one value's ids counted within a set
inline constexpr double expand_node = 4.0;      ///< opening the adjacency of one node
inline constexpr double expand_step = 0.5;      ///< one relationship of it

}  // namespace cairn::query::cost
