#pragma once
// One page of a set of nodes by date, newest first.

#include "codec/id_set.hpp"
#include "query/execute/execution_context.hpp"

#include <cairn/result.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace cairn::query {

/// The ids from `offset` on, at most `limit`, by the newest instant at `keys`, then by id, both
/// descending; records without an instant come last. Reads the dates of few records more than those
/// up to the page's end: the index of instants says which can stand there.
[[nodiscard]] Result<std::vector<std::uint64_t>> newest_first(ExecutionContext& context,
                                                              const codec::IdSet& ids,
                                                              const std::vector<std::string>& keys,
                                                              std::uint64_t offset,
                                                              std::uint64_t limit);

}  // namespace cairn::query
