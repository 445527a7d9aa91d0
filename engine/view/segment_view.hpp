#pragma once
// SegmentView: a segment (engine/segment) as a reader of some commit sees it.

#include "codec/bitmap.hpp"

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>

namespace cairn::engine {

/// What a reader wants a segment for.
struct SegmentNeed {
  double spent = 0;  ///< microseconds that it has spent for want of the segment since it asked last
  double all_spent = 0;  ///< and since it began
  double most =
      std::numeric_limits<double>::infinity();  ///< microseconds that building it may take
  /// Asked every thousand records while the segment is built; false ends that. Empty: nobody is asked.
  std::function<bool()> goes_on = {};
};

/// False where there is none.
template <class Kind>
struct SegmentView {
  std::shared_ptr<const Kind> segment;  // owners: the set of segments and readers
  std::shared_ptr<const codec::Bitmap>
      changed;  // likewise; ids that were changed since; null: none

  explicit operator bool() const noexcept { return segment != nullptr; }
  /// False for an id that the records alone know.
  [[nodiscard]] bool knows(std::uint64_t id) const noexcept {
    return changed == nullptr || !changed->contains(id);
  }
};

class AdjacencySegment;
class ColumnSegment;
using AdjacencyView = SegmentView<AdjacencySegment>;
using ColumnView = SegmentView<ColumnSegment>;

}  // namespace cairn::engine
