#pragma once
// A filter straight to the ids of the nodes that pass, without rows.

#include "codec/id_set.hpp"
#include "query/execute/execution_context.hpp"

#include <cairn/filter.hpp>
#include <cairn/result.hpp>

namespace cairn::query {

/// The visible nodes that pass `filter`, which has been checked. Records are read only where no index
/// decides.
[[nodiscard]] Result<codec::IdSet> filter_ids(ExecutionContext& context, const Filter& filter);

}  // namespace cairn::query
