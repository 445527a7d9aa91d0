#pragma once
// Segment: one property, or one direction of relationships, as of one commit, packed in memory. A segment is derived
// from the records. A reader that finds no answer in a segment reads the record.

#include "codec/bitmap.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

namespace cairn::engine {

/// A chunk of a segment covers this many consecutive ids. If at least one in `dense_share` of them has a list of
/// relationships, the chunk is dense.
inline constexpr std::size_t chunk_ids = std::size_t{1} << 16;
inline constexpr std::size_t dense_share = 4;

/// Limits of the work of building a segment.
struct SegmentBounds {
  std::size_t most_bytes = 0;  ///< the largest size of the segment
  /// Called every 1,024 records; false ends the build; may be empty.
  const std::function<bool()>& goes_on;

  /// True if the build may go on after `records` records, which take `bytes` bytes.
  [[nodiscard]] bool allow(std::size_t records, std::size_t bytes) const {
    if (bytes > most_bytes) return false;
    return records % 1'024 != 0 || !goes_on || goes_on();
  }
};

/// The base class of segments. Threads: all calls from any thread, because a segment is immutable.
class Segment {
 public:
  virtual ~Segment() = default;
  [[nodiscard]] virtual std::size_t memory_bytes() const noexcept = 0;
  /// The cost in microseconds of making a newer segment of this one, in which some ids have changed.
  [[nodiscard]] double cost_of_update(const codec::Bitmap& changed) const;
  /// The number of ids that have content in this segment.
  [[nodiscard]] virtual std::size_t ids() const noexcept = 0;
  /// Appends the content in the form of a segment file (codec/FORMAT.md, section 14). The subclasses read it back.
  virtual void append_to(std::string& out) const = 0;

 private:
  /// The cost in microseconds of packing a chunk again for a newer segment.
  [[nodiscard]] virtual double microseconds_of(std::uint64_t chunk) const noexcept = 0;
};

// The record or list of each changed id is read, the chunks with these ids are packed again, and all others are copied.
inline double Segment::cost_of_update(const codec::Bitmap& changed) const {
  constexpr double microseconds_an_id = 3;
  constexpr double microseconds_a_byte = 0.0005;
  double sum = microseconds_an_id * static_cast<double>(changed.cardinality()) +
               microseconds_a_byte * static_cast<double>(memory_bytes());
  for (const codec::Bitmap::Chunk& part : changed.chunks()) sum += microseconds_of(part.key);
  return sum;
}

}  // namespace cairn::engine
