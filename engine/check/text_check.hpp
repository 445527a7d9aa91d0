#pragma once
// The check of one full-text index against its records, both ways.

#include "engine/graph/graph_view.hpp"

#include <cairn/result.hpp>

#include <cstddef>
#include <functional>
#include <string>

namespace cairn::engine {

/// Report every entity whose postings are not those of its texts, damaged chunks, chunks of no index,
/// and statistics that are wrong. Cost: analyses every text.
[[nodiscard]] Status check_texts(
    const GraphView& view, const RocksStore& store, std::size_t limit,
    const std::function<void(std::string place, std::string problem)>& report);

}  // namespace cairn::engine
