#pragma once
// Segment: what one property or one direction of relationships holds as of a commit, packed in memory. Derived from the
// records, and left aside wherever it does not know.

#include <cstddef>

namespace cairn::engine {

/// A chunk of a segment has so many consecutive ids. Where one in `dense_share` has something, it is dense.
inline constexpr std::size_t chunk_ids = std::size_t{1} << 16;
inline constexpr std::size_t dense_share = 4;

/// Threads: all calls from any; it does not change.
class Segment {
 public:
  virtual ~Segment() = default;
  [[nodiscard]] virtual std::size_t memory_bytes() const noexcept = 0;
  /// Ids that it has something of.
  [[nodiscard]] virtual std::size_t ids() const noexcept = 0;
};

}  // namespace cairn::engine
