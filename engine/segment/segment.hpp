#pragma once
// Segment: what one property or one direction of relationships holds as of a commit, packed in memory. Derived from the
// records, and left aside wherever it does not know.

#include <cstddef>
#include <functional>

namespace cairn::engine {

/// A chunk of a segment has so many consecutive ids. Where one in `dense_share` has something, it is dense.
inline constexpr std::size_t chunk_ids = std::size_t{1} << 16;
inline constexpr std::size_t dense_share = 4;

/// What building a segment may take.
struct SegmentBounds {
  std::size_t most_bytes = 0;
  const std::function<bool()>& goes_on;  ///< asked every thousand records; empty: nobody is asked

  /// Whether to go on after so many records and bytes.
  [[nodiscard]] bool allow(std::size_t records, std::size_t bytes) const {
    if (bytes > most_bytes) return false;
    return records % 1'024 != 0 || !goes_on || goes_on();
  }
};

/// Threads: all calls from any; it does not change.
class Segment {
 public:
  virtual ~Segment() = default;
  [[nodiscard]] virtual std::size_t memory_bytes() const noexcept = 0;
  /// Ids that it has something of.
  [[nodiscard]] virtual std::size_t ids() const noexcept = 0;
};

}  // namespace cairn::engine
