// LIMIT works on the operators before it: a sort keeps no more rows than are wanted, and columns are
// computed for those rows alone.
// Sound, because Project gives one row for each and has no effect; what it would compute for rows
// that are cut off is not computed, so that an error in one of those may not come up (LANGUAGE.md
// says so).

#include "query/optimize/rules.hpp"

#include <algorithm>

namespace cairn::query {
namespace {

template <class Content>
bool is(const Pipeline& pipeline, std::size_t i) {
  return i < pipeline.operators.size() &&
         std::holds_alternative<Content>(pipeline.operators[i].content);
}

/// Only a LIMIT that follows at once, or behind a SKIP. The Limit itself stays.
void limit_sort(Pipeline& pipeline, std::size_t i) {
  const std::size_t next = is<Skip>(pipeline, i + 1) ? i + 2 : i + 1;
  if (is<Limit>(pipeline, next)) std::get<Sort>(pipeline.operators[i].content).is_limited = true;
}

// Project, Skip, Limit -> Skip, Limit, Project.
void project_late(Pipeline& pipeline, std::size_t i) {
  auto& operators = pipeline.operators;
  std::size_t end = i + 1;
  while (is<Skip>(pipeline, end) || is<Limit>(pipeline, end)) ++end;
  if (end == i + 1) return;
  const std::uint32_t width = i == 0 ? pipeline.width : operators[i - 1].width;
  const auto at = [&](std::size_t place) {
    return operators.begin() + static_cast<std::ptrdiff_t>(place);
  };
  std::rotate(at(i), at(i + 1), at(end));
  for (std::size_t moved = i; moved + 1 < end; ++moved) operators[moved].width = width;
}

}  // namespace

Status push_limits(Pipeline& pipeline, const OptimizerInputs&) {
  for (std::size_t i = 0; i < pipeline.operators.size(); ++i) {
    if (is<Sort>(pipeline, i)) limit_sort(pipeline, i);
    if (is<Project>(pipeline, i)) project_late(pipeline, i);
  }
  return {};
}

}  // namespace cairn::query
