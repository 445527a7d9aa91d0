#pragma once
// Which slots of a row are read by the operators behind one.

#include "query/plan/logical_plan.hpp"

#include <cstddef>
#include <optional>

namespace cairn::query {

/// What the operators behind the one at `at` read of its rows. Nothing where one of them may read any slot, or the
/// rows leave the pipeline as they are.
[[nodiscard]] std::optional<SlotSet> live_behind(const Pipeline& pipeline, std::size_t at);

}  // namespace cairn::query
