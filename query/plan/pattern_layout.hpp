#pragma once
// PatternGraph: the nodes and relationships of one clause's patterns, independent of the order in which they were
// written. PatternLayout turns the graph into operators, one step at a time. The caller chooses the order of the
// steps.

#include "query/bind/bound_query.hpp"
#include "query/plan/logical_plan.hpp"

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace cairn::query {

/// A node variable, which may occur several times in the patterns.
struct PatternNode {
  std::string name;
  bool is_bound = false;  ///< bound before the clause
};

/// A relationship of the patterns, with its ends as written from left to right.
struct PatternLink {
  const RelationshipPattern* pattern = nullptr;
  const PathPattern* path = nullptr;
  Slot left = 0;
  Slot right = 0;
};

/// All patterns of one clause.
struct PatternGraph {
  std::map<Slot, PatternNode> nodes;
  std::vector<PatternLink> links;
  std::vector<const PathPattern*> paths;
  const SearchClause* search = nullptr;
  /// Conditions of shortest paths.
  std::map<const PathPattern*, std::vector<const Expression*>> tests;

  explicit PatternGraph(const PatternSource& source);
};

/// Tracks which nodes are bound, to decide where each step starts, and whether its other end is bound already.
class PatternLayout {
 public:
  /// `clause` is the number that the operators get, and `width` the number of slots in their rows.
  PatternLayout(const PatternGraph& graph, std::uint32_t clause, std::uint32_t width);

  [[nodiscard]] const PatternGraph& graph() const noexcept { return graph_; }
  [[nodiscard]] bool is_bound(Slot node) const { return bound_.contains(node); }
  [[nodiscard]] bool is_walked(std::size_t link) const { return walked_[link]; }
  /// True if neither end of the link needs to be bound.
  [[nodiscard]] bool starts_anywhere(std::size_t link) const;
  /// True if both ends of the link must be bound before the step.
  [[nodiscard]] bool needs_both_ends(std::size_t link) const;
  /// True if everything is bound that the conditions of a shortest path read.
  [[nodiscard]] bool has_inputs(std::size_t link) const;

  /// Adds a scan of all nodes for this variable.
  void scan(Slot node);
  /// Adds a scan of the relationships of this link, which binds both ends.
  void scan_relationship(std::size_t link);
  /// Adds a step along the link, from an end that is bound.
  void walk(std::size_t link);
  /// Adds a step along the link and any scans that its ends need.
  void reach(std::size_t link);
  /// Adds the steps that the search needs, and then the search. Does nothing if the clause has no SEARCH.
  void search();
  /// Adds all remaining steps in the order of the text, and then the path variables.
  void finish();
  [[nodiscard]] std::vector<Operator> take() { return std::move(operators_); }

 private:
  void add(OperatorContent content);
  /// True if the relationship was bound before the clause or is found by its search.
  [[nodiscard]] bool is_given(const RelationshipPattern& pattern) const;
  [[nodiscard]] Walk make_walk(std::size_t link) const;
  [[nodiscard]] std::vector<Slot> unlike(std::size_t link) const;
  [[nodiscard]] OperatorContent content_of(std::size_t link, Walk walk) const;
  void mark_walked(std::size_t link);
  /// Adds the steps that bind this slot.
  void provide(Slot needed);
  [[nodiscard]] SlotSet inputs_of(std::size_t link) const;

  const PatternGraph& graph_;
  std::uint32_t clause_;
  std::uint32_t width_;
  SlotSet bound_;
  std::vector<bool> walked_;
  std::vector<Operator> operators_;
};

/// Returns the types of a relationship pattern as a filter.
[[nodiscard]] FilterPlan type_filter(const RelationshipPattern& pattern);

// Row lengths. All operators of a part, up to the next WITH or RETURN, use rows of one length. So a row is allocated
// once and never grows.

/// The length of the rows with which `clauses` begin.
struct RowWidth {
  std::uint32_t visible = 0;      ///< slots that the binder assigned
  std::uint32_t merge_slots = 0;  ///< slots after them, for the values of MERGE properties
};
[[nodiscard]] RowWidth row_width(std::span<const Clause> clauses);

}  // namespace cairn::query
