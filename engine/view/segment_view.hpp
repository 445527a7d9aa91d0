#pragma once
// SegmentView: a segment as a reader of one commit sees it. A segment (engine/segment) holds properties or relationships
// packed in memory. Records that changed since it was built must be read from the store instead.

#include "codec/bitmap.hpp"

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>

namespace cairn::engine {

/// How much a reader would save with a segment. It decides whether a segment is built. Times are in microseconds.
struct SegmentNeed {
  double spent = 0;      ///< time lost without the segment since the reader last asked for it
  double all_spent = 0;  ///< time lost without the segment since the reader began
  /// The longest time that a build may take.
  double most = std::numeric_limits<double>::infinity();
  /// Called every thousand records during a build; the build stops if it returns false. May be empty.
  std::function<bool()> goes_on = {};
  /// The longest time that a build may take if another thread can do it. The reader then goes on without the segment.
  double most_at_once = std::numeric_limits<double>::infinity();
};

/// A segment for the readers of one commit. Converts to false without a segment.
template <class Kind>
struct SegmentView {
  std::shared_ptr<const Kind> segment;  // owners: the set of segments and readers
  /// Ids of which the segment does not have the data as of this commit; nullptr: none. Owners: those of `segment`.
  std::shared_ptr<const codec::Bitmap> changed;

  explicit operator bool() const noexcept { return segment != nullptr; }
  /// True if the segment has the current data of an id. Otherwise the record must be read.
  [[nodiscard]] bool knows(std::uint64_t id) const noexcept {
    return changed == nullptr || !changed->contains(id);
  }
};

class AdjacencySegment;
class ColumnSegment;
using AdjacencyView = SegmentView<AdjacencySegment>;
using ColumnView = SegmentView<ColumnSegment>;

}  // namespace cairn::engine
