#pragma once
// Statistics: the expected number of records of conditions and steps, from counters and from the indexes. All figures
// are approximate by design.

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

/// Returns the expected number of paths with this range of hops that begin at one node, if each node has `degree`
/// relationships to follow.
[[nodiscard]] double count_paths(const HopRange& hops, double degree);

/// A step of a pattern, seen from one of its ends.
struct StepQuestion {
  const RelationshipPattern* pattern = nullptr;
  bool from_left = true;        ///< whether the step starts at the left end of the pattern
  std::string_view from_label;  ///< label of the end where the step starts; must not be empty
  std::string_view to_label;    ///< label of the other end; may be empty
  bool may_read = false;  ///< whether to read adjacency lists from the store if none are in memory
};
/// The relationships of the step per node, on average.
struct StepFan {
  double degree = 0;       ///< number of relationships
  double labelled = 0;     ///< number of those relationships that lead to a node with `to_label`
  bool is_listed = false;  ///< whether the adjacency lists are in memory
};

/// Asks the view for figures and caches those that a plan needs more than once. An instance lives for one planning
/// run.
class Statistics {
 public:
  /// Returns the value of an expression that reads no variable, or nullopt if its evaluation fails.
  using Constants = std::function<std::optional<Value>(const Expression&)>;

  /// With `own_only`, no estimate depends on records that the reader may not see. Set for plans that are shown to a
  /// reader who must not learn of such records.
  Statistics(const engine::View& view, engine::Visibility visibility, Constants constants,
             bool own_only)
      : view_(view),
        visibility_(std::move(visibility)),
        constants_(std::move(constants)),
        own_only_(own_only) {}

  [[nodiscard]] const engine::Catalog& catalog() const { return view_.catalog(); }
  [[nodiscard]] Result<double> total(codec::EntityKind kind);
  /// True if the reader may see every record of the kind.
  [[nodiscard]] Result<bool> all_visible(codec::EntityKind kind);
  /// The number of nodes with a label, or of relationships with a type. 0 if the name is unknown.
  [[nodiscard]] Result<double> labelled(codec::EntityKind kind, std::string_view name);

  /// False for an index that calls have made with the records of others, if the reader of the plan must not learn of
  /// them and sees no record of its labels. Then the plan must not show that the index exists.
  [[nodiscard]] Result<bool> may_show(std::string_view index);

  /// Fills `rows` and `microseconds` of every part of the filter, and `rows` of the filter.
  [[nodiscard]] Status estimate(FilterPlan& plan);
  /// Fills the same fields of the parts, but not `rows` of the filter, for filters that are already chosen for
  /// evaluation. Skips posting lists that the evaluation will look up anyway.
  [[nodiscard]] Status estimate_parts(FilterPlan& plan);
  /// Returns the average number of relationships of the pattern per node, in the direction of the step.
  [[nodiscard]] Result<double> degree(const RelationshipPattern& pattern);
  /// Measures the step on a sample of nodes with `from_label`. Returns nullopt if no sample was taken.
  /// Cost: a few microseconds; about 100 if the sample is read from the store.
  [[nodiscard]] Result<std::optional<StepFan>> sample(const StepQuestion& question);
  /// Fills `rows` of every operator. `rows` is the number of rows that enter the pipeline.
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
  /// Does the same as ask(), but counts only records that the reader may see.
  [[nodiscard]] Result<engine::View::Estimate> ask_own(const engine::IndexPredicate& question);
  /// Returns the ids that the reader may see if `own_only_` is set, otherwise nullptr.
  [[nodiscard]] Result<const codec::Bitmap*> own(codec::EntityKind kind);
  [[nodiscard]] Result<engine::View::Estimate> labels(const FilterNode& node,
                                                      codec::EntityKind kind);
  /// Sums the estimates of `operation` for the values of a list.
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
  /// Returns the number of a LIMIT if it is known before the run.
  [[nodiscard]] std::optional<double> constant_count(const Expression* count) const;
  /// Returns the number of output rows for `rows` input rows.
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

// Costs of operations in microseconds, measured on a warm store. Only the rough ratios matter: they decide whether to
// scan an index or to read the remaining records.

inline constexpr double record_read = 4.0;      ///< reading one property of one record
inline constexpr double index_key = 0.6;        ///< reading one key of an index range, with its ids
inline constexpr double index_predicate = 3.0;  ///< starting to read a posting list or a range
inline constexpr double set_chunk = 0.3;  ///< processing one chunk of 65,536 ids in a set operation
/// Testing whether one id of a cached sorted column is in a set
inline constexpr double order_place = 0.003;
inline constexpr double value_count = 1.0;  ///< counting the ids of one value within a set
inline constexpr double expand_node = 4.0;  ///< opening the adjacency list of one node
/// Following one relationship of an open adjacency list
inline constexpr double expand_step = 0.5;

}  // namespace cairn::query::cost
