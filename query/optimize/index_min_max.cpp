// MATCH (n ...) RETURN min(n.p), max(n.p): of all that the scan would give, the first node with the least
// value and the first with the greatest one are enough.
//    ScanNodes (n)                      ScanNodes (n) least and greatest p
//    Aggregate min(n.p), max(n.p)   ->  Aggregate min(n.p), max(n.p)
//
// Of several properties the nodes of all of them.
//
// Sound, because neither depends on any other row: both leave nulls out, and of equal values (3 and
// 3.0, which the index does not distinguish) they keep the first. The values are read from the records.

#include "query/optimize/rules.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace cairn::query {
namespace {

/// Each property with those of its extremes that are asked for; none where a call is anything else.
std::vector<IndexMinMax> extremes_of(const ProjectClause& clause, Slot slot) {
  std::vector<IndexMinMax> extremes;
  for (const AggregateCall& call : clause.aggregates) {
    const bool is_min = call.function != nullptr && call.function->name == "min";
    const bool is_max = call.function != nullptr && call.function->name == "max";
    const std::string* property =
        is_min || is_max ? property_of_slot(*call.arguments[0], slot) : nullptr;
    if (property == nullptr) return {};
    auto known = std::ranges::find(extremes, *property, &IndexMinMax::property);
    if (known == extremes.end()) known = extremes.insert(known, {*property, false, false});
    (is_min ? known->least : known->greatest) = true;
  }
  return extremes;
}

}  // namespace

Status index_min_max(Pipeline& pipeline, const OptimizerInputs&) {
  auto& operators = pipeline.operators;
  if (operators.size() < 2) return {};
  auto* scan = std::get_if<ScanNodes>(&operators[0].content);
  const auto* aggregate = std::get_if<Aggregate>(&operators[1].content);
  if (scan == nullptr || aggregate == nullptr || !aggregate->clause->keys.empty()) return {};
  scan->extremes = extremes_of(*aggregate->clause, scan->filter.slot);
  return {};
}

}  // namespace cairn::query
