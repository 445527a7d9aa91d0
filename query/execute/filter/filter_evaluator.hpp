#pragma once
// FilterEvaluator: a filter plan to the ids that pass, by set operations alone. Cheap and selective
// parts go first; work ends as soon as nothing is left; a scan that would cost more than reading the
// few records that are left is not made. What was left out, or is not exact, is reported to be
// checked on the records.

#include "query/execute/expression/evaluator.hpp"
#include "query/execute/path_index.hpp"
#include "query/plan/filter_plan.hpp"

#include <cairn/result.hpp>

#include <optional>
#include <unordered_map>
#include <vector>

namespace cairn::query {

class FilterEvaluator {
 public:
  /// What passes and, of some of it, what is still to be checked on the records.
  struct Found {
    codec::Bitmap ids;
    std::vector<const Expression*> recheck;
  };
  /// The same as sets whose intersection passes; at least one.
  struct FoundParts {
    std::vector<codec::Bitmap> sets;
    std::vector<const Expression*> recheck;
  };

  FilterEvaluator(Evaluator& evaluator, const FilterPlan& plan);

  /// The visible entities that pass, with the operands' values on `row`. Valid until the next call.
  [[nodiscard]] Result<const Found*> find(Row row);
  /// Likewise, without the work of making the intersection: for what is only counted, or of which a few are
  /// wanted. Valid until the next call.
  [[nodiscard]] Result<const FoundParts*> find_parts(Row row);
  /// What find_parts() has found last, as find() gives it.
  [[nodiscard]] const Found& made();

 private:
  using Leaf = Result<Selection> (FilterEvaluator::*)(const FilterNode&, Row);
  static Leaf leaf_of(FilterKind kind);

  [[nodiscard]] bool is_outdated();
  /// One conjunct in the order of the work.
  struct Part {
    const FilterConjunct* conjunct = nullptr;
    double rows = 0;                   ///< by the plan's estimate or, once it was asked, in truth
    std::optional<Selection> passing;  ///< asked ahead
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
  /// Whether finding the ids costs more than checking the records that are left.
  [[nodiscard]] Result<bool> is_too_dear(const FilterNode& node, Row row, std::uint64_t left);
  /// The estimate of a node, where reading the records instead costs `records` microseconds.
  [[nodiscard]] Result<double> cost_here(const FilterNode& node, Row row, double records);

  [[nodiscard]] Result<Selection> label(const FilterNode& node, Row row);
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

  /// Null where evaluating fails: then the records' own check fails as well, if there are any.
  [[nodiscard]] std::optional<Value> operand(const Expression* expression, Row row);
  [[nodiscard]] Result<Selection> among_ids(const List& values, bool negated);

  Evaluator& evaluator_;
  GraphReader& graph_;
  const FilterPlan& plan_;
  std::vector<Part> order_;
  Selection current_;                   ///< of the conjuncts so far, but for those of waiting_
  std::vector<codec::Bitmap> waiting_;  ///< exact answers that were not intersected yet
  std::optional<FoundParts> parts_;
  std::optional<Found> found_;
  const codec::Bitmap* within_ = nullptr;  ///< of the leaf at hand: all that its answer is asked of
  std::unordered_map<const FilterNode*, Selection> kept_;  ///< parts that are the same for all rows
  std::uint64_t epoch_ = 0;
};

}  // namespace cairn::query
