#pragma once
// PatternGraph: the nodes and relationships of one clause's patterns, without regard to how they
// were written. PatternLayout: turns them into operators, one step at a time; who calls it chooses
// the order.

#include "query/bind/bound_query.hpp"
#include "query/plan/logical_plan.hpp"

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace cairn::query {

/// A node variable of the patterns, wherever and however often it stands.
struct PatternNode {
  std::string name;
  bool is_bound = false;  ///< before the clause
};

/// A relationship of the patterns between two of the nodes, as written from left to right.
struct PatternLink {
  const RelationshipPattern* pattern = nullptr;
  const PathPattern* path = nullptr;
  Slot left = 0;
  Slot right = 0;
};

struct PatternGraph {
  std::map<Slot, PatternNode> nodes;
  std::vector<PatternLink> links;
  std::vector<const PathPattern*> paths;
  const SearchClause* search = nullptr;
  std::map<const PathPattern*, std::vector<const Expression*>> tests;  ///< of shortest paths

  explicit PatternGraph(const PatternSource& source);
};

/// Keeps account of what is bound, so that each step knows where it may start and whether it meets
/// a bound node at its other end.
class PatternLayout {
 public:
  /// `clause` numbers the operators, `width` is the length of their rows.
  PatternLayout(const PatternGraph& graph, std::uint32_t clause, std::uint32_t width);

  [[nodiscard]] const PatternGraph& graph() const noexcept { return graph_; }
  [[nodiscard]] bool is_bound(Slot node) const { return bound_.contains(node); }
  [[nodiscard]] bool is_walked(std::size_t link) const { return walked_[link]; }
  /// Neither of its ends needs to be bound.
  [[nodiscard]] bool starts_anywhere(std::size_t link) const;
  /// Both of its ends must be bound.
  [[nodiscard]] bool needs_both_ends(std::size_t link) const;
  /// All that conditions of a shortest path read is bound.
  [[nodiscard]] bool has_inputs(std::size_t link) const;

  void scan(Slot node);
  void scan_relationship(std::size_t link);
  /// Follow a link from an end that is bound.
  void walk(std::size_t link);
  /// Follow a link, whatever is bound, scanning for its ends as needed.
  void reach(std::size_t link);
  /// What the search needs, then the search.
  void search();
  /// Whatever is left, in the order of the text; then the paths.
  void finish();
  [[nodiscard]] std::vector<Operator> take() { return std::move(operators_); }

 private:
  void add(OperatorContent content);
  /// Bound before the clause, or found by its search.
  [[nodiscard]] bool is_given(const RelationshipPattern& pattern) const;
  [[nodiscard]] Walk make_walk(std::size_t link) const;
  [[nodiscard]] std::vector<Slot> unlike(std::size_t link) const;
  [[nodiscard]] OperatorContent content_of(std::size_t link, Walk walk) const;
  void mark_walked(std::size_t link);
  void provide(Slot needed);
  [[nodiscard]] SlotSet inputs_of(std::size_t link) const;

  const PatternGraph& graph_;
  std::uint32_t clause_;
  std::uint32_t width_;
  SlotSet bound_;
  std::vector<bool> walked_;
  std::vector<Operator> operators_;
};

/// The conditions that a relationship's types make, as a filter.
[[nodiscard]] FilterPlan type_filter(const RelationshipPattern& pattern);

// How long the rows of a part must be. All operators of a part, up to the next WITH or RETURN, use
// rows of one length, so that a row is made once and never grows.

/// The rows that `clauses` begin with: slots that the binder gave out, and behind them those in
/// which MERGE keeps the values of its properties.
struct RowWidth {
  std::uint32_t visible = 0;
  std::uint32_t merge_slots = 0;
};
[[nodiscard]] RowWidth row_width(std::span<const Clause> clauses);

}  // namespace cairn::query
