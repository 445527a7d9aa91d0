#pragma once
// SegmentView: a segment (engine/segment) as a reader of some commit sees it.

#include "codec/bitmap.hpp"

#include <cstdint>
#include <memory>

namespace cairn::engine {

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
