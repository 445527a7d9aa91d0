#pragma once
// Which slots of a row are read by the operators behind one.

#include "query/plan/logical_plan.hpp"

#include <cstddef>
#include <functional>
#include <vector>

namespace cairn::query {

/// By slot, whether it is read.
using ReadSlots = std::vector<bool>;

/// Call `visit` for each operator, from the last one to the first, with what the operators behind it read of its rows;
/// null where one of them may read any slot, or the rows leave the pipeline as they are.
void for_each_read_behind(const Pipeline& pipeline,
                          const std::function<void(std::size_t, const ReadSlots*)>& visit);

}  // namespace cairn::query
