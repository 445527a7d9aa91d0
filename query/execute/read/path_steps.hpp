#pragma once
// The steps of paths: which of them pass, and the value that they make up.

#include "query/bind/bound_query.hpp"
#include "query/execute/graph_reader.hpp"
#include "query/execute/pipeline/physical_operator.hpp"
#include "query/plan/operator_content.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace cairn::query {

// StepFilter: which relationships a step of a pattern may take: of its types, visible at both ends,
// and different from those that the clause has taken already.

/// Looks things up once, and again after the graph has changed.
class StepFilter {
 public:
  StepFilter(GraphReader& graph, const Walk& walk) : graph_(graph), walk_(walk) {}

  /// Look up types and visible sets as of now.
  [[nodiscard]] Status refresh();

  /// False where no relationship can have one of the types, because none of them is in use.
  [[nodiscard]] bool can_match() const noexcept {
    return walk_.pattern->types.empty() || !types_.empty();
  }
  [[nodiscard]] std::span<const std::uint32_t> types() const noexcept { return types_; }
  [[nodiscard]] engine::Direction direction() const noexcept;

  [[nodiscard]] bool sees(const engine::Adjacent& step) const {
    return sees(step.relationship, step.other);
  }
  [[nodiscard]] bool sees(std::uint64_t relationship, std::uint64_t node) const {
    return sees_node(node) && (relationships_ == nullptr || relationships_->contains(relationship));
  }
  /// Whether nothing is hidden.
  [[nodiscard]] bool sees_all() const noexcept {
    return nodes_ == nullptr && relationships_ == nullptr;
  }
  [[nodiscard]] bool sees_node(std::uint64_t node) const {
    return nodes_ == nullptr || nodes_->contains(node);
  }
  /// No relationship of the clause so far is this one.
  [[nodiscard]] bool is_new(std::uint64_t relationship, std::span<const Value> row) const;

 private:
  GraphReader& graph_;
  const Walk& walk_;
  std::uint64_t epoch_ = 0;
  std::vector<std::uint32_t> types_;
  const codec::Bitmap* nodes_ = nullptr;          // null: all are visible
  const codec::Bitmap* relationships_ = nullptr;  // null: all are visible
};

/// Whether a value is a relationship, or a list with it.
[[nodiscard]] bool has_relationship(const Value& value, std::uint64_t id);

/// The node that a value is, or nothing where it is null. Errors: type_error.
[[nodiscard]] Result<std::optional<std::uint64_t>> node_of(const Value& value,
                                                           const std::string& name);
/// The same of a slot.
[[nodiscard]] Result<std::optional<std::uint64_t>> node_in(std::span<const Value> row, Slot slot,
                                                           const std::string& name);

/// Whether tests give what is wanted of an element of a path. One that fails passes here: a step that no path takes must
/// not end the statement, and whoever takes the path asks again.
/// Errors: those of limits, and of reading.
[[nodiscard]] Result<bool> pass(Evaluator& evaluator, std::span<const ElementTest> tests,
                                const Value& element, Row row);

// The value of a path variable, from the nodes and relationships of a row.

/// Nothing where a part of it is null, as OPTIONAL MATCH may have left it. Reads the records of
/// relationships of variable length, for the nodes between them.
[[nodiscard]] Result<std::optional<Path>> path_of(const PathPattern& pattern, Row row,
                                                  GraphReader& graph);

}  // namespace cairn::query
