#pragma once
// PathTests: which relationships and nodes a shortest path may take, and whether a whole path passes.

#include "query/execute/row_batch.hpp"
#include "query/plan/operator_content.hpp"

#include <cstdint>
#include <vector>

namespace cairn::engine {
struct Adjacent;
}

namespace cairn::query {

class Evaluator;
class GraphReader;

/// All are evaluated on the row of the two ends, with what is asked about put into its slots.
class PathTests {
 public:
  PathTests(Evaluator& evaluator, GraphReader& graph, const FindShortest& content);

  /// Whether there are conditions that only a whole path can answer, or none.
  [[nodiscard]] bool are_any() const noexcept { return !content_.conjuncts.empty(); }
  /// False where no path with this step can pass: of [r* WHERE ...], and of conditions on all relationships
  /// or nodes of the path.
  [[nodiscard]] Result<bool> admit(const engine::Adjacent& step, Row row);
  [[nodiscard]] Result<bool> admit_node(std::uint64_t node, Row row);
  /// `steps` in the order of the pattern.
  [[nodiscard]] Result<bool> hold(List steps, Row row);
  /// No path of more steps passes, as length(p) <= 3 and its like say; `most` where none does.
  [[nodiscard]] Result<std::uint64_t> most_steps(std::uint64_t most, Row row);

 private:
  /// all(slot IN nodes(p) WHERE condition), or none(...).
  struct ElementTest {
    const Expression* condition = nullptr;
    Slot slot = 0;
    bool wanted = true;
  };

  /// length(p) <= bound, or < bound.
  struct LengthTest {
    const Expression* bound = nullptr;
    bool is_strict = false;
  };

  void note_element_test(const Expression& condition);
  void note_length_test(const Expression& condition);
  [[nodiscard]] Result<bool> pass(const std::vector<ElementTest>& tests, const Value& element,
                                  Row row);

  Evaluator& evaluator_;
  GraphReader& graph_;
  const FindShortest& content_;
  std::vector<const Expression*> each_;
  std::vector<ElementTest> of_relationships_;
  std::vector<ElementTest> of_nodes_;
  std::vector<LengthTest> of_length_;
};

}  // namespace cairn::query
