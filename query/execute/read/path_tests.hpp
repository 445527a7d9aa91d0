#pragma once
// PathTests: the conditions that decide which paths a search for shortest paths may find.

#include "query/execute/expression/evaluator.hpp"
#include "query/execute/graph_reader.hpp"
#include "query/plan/operator_content.hpp"

#include <cairn/result.hpp>
#include <cairn/value.hpp>

#include <cstdint>
#include <vector>

namespace cairn::query {

// PathTests decides which relationships and nodes a shortest path may use, and whether a whole path
// passes. Conditions on every element are checked during the search, which therefore finds the
// shortest passing path without trying longer ones:
//
//   all(r IN relationships(p) WHERE r.w > 1)     each step
//   none(n IN nodes(p) WHERE n:Closed)           each node, both ends included
//
// hold() checks these conditions again on the whole path.

/// Evaluates all conditions on the row of the two ends, with the tested elements in their slots.
class PathTests {
 public:
  PathTests(Evaluator& evaluator, GraphReader& graph, const FindShortest& content);

  /// True if there are conditions that must be checked on whole paths.
  [[nodiscard]] bool are_any() const noexcept { return !content_.conjuncts.empty(); }
  /// False if neither admit() nor admit_node() has conditions to check. May be true without such conditions.
  [[nodiscard]] bool has_step_tests() const noexcept { return are_any() || !each_.empty(); }
  /// Returns false if no path with this step can pass, because the relationship or the node at its
  /// end fails [r* WHERE ...] or a condition on all relationships or nodes.
  [[nodiscard]] Result<bool> admit(const engine::Adjacent& step, Row row);
  [[nodiscard]] Result<bool> admit_node(std::uint64_t node, Row row);
  /// Checks all conditions on a whole path. `steps` must be in the order of the pattern.
  [[nodiscard]] Result<bool> hold(List steps, Row row);
  /// Returns an upper bound for the number of steps, from conditions such as length(p) <= 3.
  /// Returns `most` if there is none.
  [[nodiscard]] Result<std::uint64_t> most_steps(std::uint64_t most, Row row);

 private:
  /// A condition such as length(p) <= bound or length(p) < bound.
  struct LengthTest {
    const Expression* bound = nullptr;
    bool is_strict = false;
  };

  void note_element_test(const Expression& condition);
  void note_length_test(const Expression& condition);
  Evaluator& evaluator_;
  GraphReader& graph_;
  const FindShortest& content_;
  std::vector<const Expression*> each_;
  std::vector<ElementTest> of_relationships_;
  std::vector<ElementTest> of_nodes_;
  std::vector<LengthTest> of_length_;
};

}  // namespace cairn::query
