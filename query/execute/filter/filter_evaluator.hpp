#pragma once
// FilterEvaluator: evaluates a filter plan to ids, using only set operations. Cheap and selective
// parts go first. The work ends when no ids remain. An index scan is skipped if it would cost more
// than reading the few remaining records. Skipped and inexact conditions are reported, to be
// checked on the records.

#include "query/execute/expression/evaluator.hpp"
#include "query/execute/path_index.hpp"
#include "query/plan/filter_plan.hpp"

#include <cairn/result.hpp>

#include <optional>
#include <unordered_map>
#include <vector>

namespace cairn::query {

/// Caches the results of parts that are the same for all rows, until the graph changes. Threads:
/// one at a time.
class FilterEvaluator {
 public:
  /// The ids found, and the conditions that must still be checked on their records.
  struct Found {
    codec::Bitmap ids;
    std::vector<const Expression*> recheck;
  };
  /// The same result as sets whose intersection has the ids found. There is at least one set.
  struct FoundParts {
    std::vector<codec::Bitmap> sets;
    std::vector<const Expression*> recheck;
  };

  FilterEvaluator(Evaluator& evaluator, const FilterPlan& plan);

  /// Returns the visible entities that pass, with operands evaluated on `row`. Valid until the next
  /// call.
  [[nodiscard]] Result<const Found*> find(Row row);
  /// Does the same without computing the intersection, for callers that only count or need only a
  /// few ids. Valid until the next call.
  [[nodiscard]] Result<const FoundParts*> find_parts(Row row);
  /// Returns the last result of find_parts() in the form of find().
  [[nodiscard]] const Found& made();

 private:
  using Leaf = Result<Selection> (FilterEvaluator::*)(const FilterNode&, Row);
  static Leaf leaf_of(FilterKind kind);

  [[nodiscard]] bool is_outdated();
  /// A conjunct with its state. Conjuncts are ordered by `rows`.
  struct Part {
    const FilterConjunct* conjunct = nullptr;
    double rows = 0;                   ///< estimated size, or the real size after the lookup
    std::optional<Selection> passing;  ///< result, if it was looked up in advance
  };
  void order_parts();
  [[nodiscard]] Status ask_postings(Row row);
  [[nodiscard]] Status gather(Row row);
  [[nodiscard]] bool may_wait(const FilterNode& node) const;
  void meet_waiting();
  void take_passing(Selection passing, const FilterNode& node);
  [[nodiscard]] std::optional<std::uint64_t> most_left() const;
  [[nodiscard]] Status narrow(Part& part, Row row);
  [[nodiscard]] Status finish();
  [[nodiscard]] Result<Selection> select(const FilterNode& node, Row row, const Selection& within);
  [[nodiscard]] Result<Selection> select_kept(const FilterNode& node, Row row,
                                              const Selection& within);
  [[nodiscard]] Result<Selection> select_intersection(const FilterNode& node, Row row,
                                                      Selection current);
  [[nodiscard]] Result<Selection> select_union(const FilterNode& node, Row row,
                                               const Selection& within);
  [[nodiscard]] Result<Selection> select_at_least(const FilterNode& node, Row row,
                                                  const Selection& within);
  [[nodiscard]] Result<Selection> select_leaf(const FilterNode& node, Row row,
                                              const Selection& within);
  /// True if finding the ids costs more than checking the remaining records.
  [[nodiscard]] Result<bool> is_too_costly(const FilterNode& node, Row row, std::uint64_t left);
  /// Returns the cost of a node in microseconds. Reading the records instead would cost `records`
  /// microseconds.
  [[nodiscard]] Result<double> cost_here(const FilterNode& node, Row row, double records);

  [[nodiscard]] Result<Selection> label(const FilterNode& node, Row row);
  [[nodiscard]] Result<Selection> labels(const FilterNode& node, Row row);
  [[nodiscard]] Result<Selection> present(const FilterNode& node, Row row);
  [[nodiscard]] Result<Selection> equals(const FilterNode& node, Row row);
  [[nodiscard]] Result<Selection> one_of(const FilterNode& node, Row row);
  [[nodiscard]] Result<Selection> range(const FilterNode& node, Row row);
  [[nodiscard]] Result<Selection> starts_with(const FilterNode& node, Row row);
  [[nodiscard]] Result<Selection> text(const FilterNode& node, Row row);
  [[nodiscard]] Result<Selection> version(const FilterNode& node, const Value& bound);
  [[nodiscard]] Result<Selection> element(const FilterNode& node, Row row);
  [[nodiscard]] Result<Selection> element_of(const FilterNode& node, Row row);
  [[nodiscard]] Result<Selection> lacks_elements(const FilterNode& node, const List& values);
  [[nodiscard]] Result<Selection> lacks_element(const FilterNode& node, const Value& value);
  [[nodiscard]] Result<Selection> truth(const FilterNode& node, Row row);
  [[nodiscard]] Result<Selection> identity(const FilterNode& node, Row row);
  [[nodiscard]] Result<Selection> identities(const FilterNode& node, Row row);
  [[nodiscard]] Result<Selection> external_id(const FilterNode& node, Row row);
  [[nodiscard]] Result<Selection> external_ids(const FilterNode& node, Row row);
  [[nodiscard]] Result<Selection> among_external_ids(const List& values);
  [[nodiscard]] Result<Selection> test(const FilterNode& node, Row row);

  /// Returns nullopt if the evaluation fails. Then the check on records fails too, if there are any
  /// records.
  [[nodiscard]] std::optional<Value> operand(const Expression* expression, Row row);
  [[nodiscard]] Result<Selection> among_ids(const List& values, bool negated);

  Evaluator& evaluator_;
  GraphReader& graph_;
  const FilterPlan& plan_;
  std::vector<Part> order_;
  Selection current_;  ///< result of the conjuncts so far, without those in waiting_
  std::vector<codec::Bitmap> waiting_;  ///< exact results that are not yet intersected
  std::optional<FoundParts> parts_;
  std::optional<Found> found_;
  const codec::Bitmap* within_ = nullptr;  ///< candidates of the current leaf; nullptr: all
  /// Results of parts that are the same for all rows.
  std::unordered_map<const FilterNode*, Selection> kept_;
  std::uint64_t epoch_ = 0;
};

}  // namespace cairn::query
