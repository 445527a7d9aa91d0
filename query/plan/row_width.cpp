// How long the rows of one part are: up to and with its first projection, whose input they are. The
// binder has counted the visible slots; MERGE's values come behind all of them.
#include "query/plan/row_width.hpp"

#include "query/bind/bound_query.hpp"
#include "query/plan/logical_plan.hpp"

#include <algorithm>

namespace cairn::query {
namespace {

std::uint32_t width_of(const Clause& clause) {
  return std::visit(Overload{
                        [](const ProjectClause& project) { return project.input_width; },
                        [](const std::unique_ptr<ForeachClause>& each) { return each->width; },
                        [](const auto& other) { return other.width; },
                    },
                    clause);
}

std::size_t property_count(const ExpressionPtr& made) {
  const Expression* properties = properties_of(made);
  const Expression* system = system_of(made);
  return (properties != nullptr ? properties->children.size() : 0) +
         (system != nullptr ? system->children.size() : 0);
}

std::uint32_t merge_slots(const Clause& clause) {
  const auto* merge = std::get_if<MergeClause>(&clause);
  if (merge == nullptr) return 0;
  std::size_t count = 0;
  for (const NodePattern& node : merge->path.nodes) count += property_count(node.properties);
  for (const RelationshipPattern& step : merge->path.relationships)
    count += property_count(step.properties);
  return static_cast<std::uint32_t>(count);
}

}  // namespace

// Up to the projection, which begins rows of a new layout.
RowWidth row_width(std::span<const Clause> clauses) {
  RowWidth width;
  for (const Clause& clause : clauses) {
    width.visible = std::max(width.visible, width_of(clause));
    width.merge_slots += merge_slots(clause);
    if (std::holds_alternative<ProjectClause>(clause)) break;
  }
  return width;
}

}  // namespace cairn::query
