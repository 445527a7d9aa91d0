// Checks the constant operands of filter tests before the plan is optimized, wherever statements contain them. An
// operand that a test cannot use, such as an invalid regular expression or `between` without two bounds, is an error
// even if no record is read. So a mistake shows on an empty database as well as on a full one.
#include "query/filter/filter_operators.hpp"
#include "query/plan/expression_traits.hpp"
#include "query/plan/name_warnings.hpp"

namespace cairn::query {
namespace {

// Visits the conditions and projections of a query, and stores the first error.
class FilterCheck {
 public:
  explicit FilterCheck(const ConstantValue& constant) : constant_(constant) {}

  Status check(const Query& query) {
    visit(query);
    return std::move(status_);
  }

 private:
  void visit(const Query& query) {
    for (const SingleQuery& part : query.parts)
      for (const Clause& clause : part.clauses)
        std::visit([&](const auto& content) { visit(content); }, clause);
  }
  void visit(const CallSubqueryClause& call) { visit(*call.subquery->subquery); }
  void visit(const MatchClause& match) {
    visit(match.conjuncts);
    if (match.search) visit(match.search->conjuncts);
  }
  // ORDER BY and WHERE may contain tests too.
  void visit(const ProjectClause& project) {
    visit(project.keys);
    for (const ProjectionItem& item : project.items) visit(item.expression);
    for (const SortKey& key : project.order) visit(key.expression);
    visit(project.where);
  }
  template <class Other>
  void visit(const Other&) {}

  void visit(const std::vector<ExpressionPtr>& expressions) {
    for (const ExpressionPtr& expression : expressions) visit(expression);
  }
  void visit(const ExpressionPtr& expression) {
    if (!expression) return;
    walk(*expression, [&](const Expression& part) {
      if (part.kind == ExpressionKind::filter_test && takes_value(part.test)) check(part);
    });
  }

  // Skips operands that depend on rows, because each evaluation checks such an operand.
  void check(const Expression& test) {
    const Expression& operand = *test.children[1];
    if (!status_ || !free_slots(operand).empty() || !is_deterministic(operand)) return;
    const auto value = constant_(operand);
    if (!value) return;
    Status status = check_operand(test.test, *value);
    if (status) return;
    Error problem = std::move(status).error();
    problem.where = test.where;
    status_ = std::move(problem);
  }

  const ConstantValue& constant_;
  Status status_;
};

}  // namespace

Status check_filter_values(const Query& query, const ConstantValue& constant) {
  return FilterCheck(constant).check(query);
}

}  // namespace cairn::query
