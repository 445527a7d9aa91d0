#pragma once
// The exact scan: finds the nearest of all selected vectors of a segment. Lower bounds from 8-bit
// codes exclude most vectors before they are read, if there are such codes.

#include "engine/vector/distance.hpp"
#include "engine/vector/ordinal_selection.hpp"
#include "engine/vector/segment.hpp"
#include "engine/vector/top_k_heap.hpp"

#include <span>

namespace cairn::engine {

/// What an exact scan reads. `live` excludes vectors that are hidden in the searched state.
struct ExactScan {
  const DistanceMetric& measure;
  const Segment& segment;
  const OrdinalSelection& selection;
  const LiveIds& live;
};

/// Offers the selected and visible vectors to the heap of every probe. A heap holds the same
/// candidates afterwards, whether its probe is bounded or not.
void scan_exactly(const ExactScan& scan, std::span<const RowProbe> probes);

}  // namespace cairn::engine
