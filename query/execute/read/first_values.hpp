#pragma once
// Which nodes can be among the first by the value of a property.

#include "codec/id_set.hpp"
#include "query/execute/execution_context.hpp"
#include "query/plan/logical_plan.hpp"

#include <cairn/result.hpp>

#include <cstdint>
#include <string>

namespace cairn::query {

/// Those of `ids` that are among the first `wanted` in the order of ORDER BY, and at least all with the same
/// value as the last of them; more, up to all, where the order is not kept or would cost more than
/// reading the records. Cost: a bit test for each place of the order up to the last one wanted.
[[nodiscard]] Result<codec::IdSet> first_values(GraphReader& graph, const codec::IdSet& ids,
                                                const std::string& property, bool descending,
                                                std::uint64_t wanted);

/// One of `ids` with the least value and one with the greatest, as far as they are asked for: of those with an
/// equal value the first. None where no id has a value; all where the order is not kept or does not tell.
[[nodiscard]] Result<codec::IdSet> extreme_values(GraphReader& graph, const codec::IdSet& ids,
                                                  const ExtremeValues& wanted);

}  // namespace cairn::query
