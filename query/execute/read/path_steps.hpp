#pragma once
// The steps of paths: tests of steps, and the values of path variables.

#include "query/bind/bound_query.hpp"
#include "query/execute/graph_reader.hpp"
#include "query/execute/pipeline/physical_operator.hpp"
#include "query/plan/operator_content.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace cairn::query {

// StepFilter decides which relationships a step of a pattern may use: they have one of the pattern's types, they and
// their ends are visible, and the clause has not used them yet.

/// Looks up types and visible sets once, and again after the graph has changed.
class StepFilter {
 public:
  StepFilter(GraphReader& graph, const Walk& walk) : graph_(graph), walk_(walk) {}

  /// Looks up the types and the visible sets unless they are still valid.
  [[nodiscard]] Status refresh();

  /// False if no relationship can match, because none of the types exists.
  [[nodiscard]] bool can_match() const noexcept {
    return walk_.pattern->types.empty() || !types_.empty();
  }
  [[nodiscard]] std::span<const std::uint32_t> types() const noexcept { return types_; }
  [[nodiscard]] engine::Direction direction() const noexcept;

  /// True if the relationship and the node at its other end are visible.
  [[nodiscard]] bool sees(const engine::Adjacent& step) const {
    return sees(step.relationship, step.other);
  }
  [[nodiscard]] bool sees(std::uint64_t relationship, std::uint64_t node) const {
    return sees_node(node) && (relationships_ == nullptr || relationships_->contains(relationship));
  }
  /// True if all nodes and relationships are visible.
  [[nodiscard]] bool sees_all() const noexcept {
    return nodes_ == nullptr && relationships_ == nullptr;
  }
  [[nodiscard]] bool sees_node(std::uint64_t node) const {
    return nodes_ == nullptr || nodes_->contains(node);
  }
  /// False for a bound node that the statement deleted or hid: paths and scans do not return such a node.
  [[nodiscard]] bool may_start_at(std::uint64_t node) const {
    return sees_node(node) && !graph_.is_deleted(codec::EntityKind::node, node);
  }
  /// True if no earlier pattern of the clause has matched this relationship.
  [[nodiscard]] bool is_new(std::uint64_t relationship, std::span<const Value> row) const;

 private:
  GraphReader& graph_;
  const Walk& walk_;
  std::uint64_t epoch_ = 0;
  std::vector<std::uint32_t> types_;
  const codec::Bitmap* nodes_ = nullptr;          // nullptr: all are visible
  const codec::Bitmap* relationships_ = nullptr;  // nullptr: all are visible
};

/// True if the value is the relationship or a list that contains it.
[[nodiscard]] bool has_relationship(const Value& value, std::uint64_t id);

/// Returns node_of() of the value in a slot.
[[nodiscard]] Result<std::optional<std::uint64_t>> node_in(std::span<const Value> row, Slot slot,
                                                           const std::string& name);

/// True for an error that the values in a condition cause. The statement fails with such an error only if a complete
/// path has these values.
[[nodiscard]] bool is_of_values(const Error& error);

/// Returns whether all tests have the wanted result for an element of a path. A test that fails
/// with an error passes here: the error of a step that is on no complete path must not end the
/// statement. The condition is evaluated again on complete paths.
/// Errors: those of limits and of reading.
[[nodiscard]] Result<bool> pass(Evaluator& evaluator, std::span<const ElementTest> tests,
                                const Value& element, Row row);

// The value of a path variable.

/// Returns the path of a pattern, or nullopt if a part of it is null, as after OPTIONAL MATCH.
/// Reads the records of relationships in variable-length steps, to find the nodes between them.
[[nodiscard]] Result<std::optional<Path>> path_of(const PathPattern& pattern, Row row,
                                                  GraphReader& graph);

}  // namespace cairn::query
