#pragma once
// Which nodes can be among the first by the value of a property.

#include "codec/id_set.hpp"
#include "query/execute/execution_context.hpp"

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

}  // namespace cairn::query
