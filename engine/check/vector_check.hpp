#pragma once
// The check of the vector indexes that snapshots get against the vectors in the store.

#include "engine/graph/graph_view.hpp"

#include <cairn/result.hpp>

#include <functional>
#include <string>

namespace cairn::engine {

/// Report every index that is not loaded, lacks a member, or has more than its members.
[[nodiscard]] Status check_vectors(
    const GraphView& view,
    const std::function<void(std::string place, std::string problem)>& report);

}  // namespace cairn::engine
