#pragma once
// The full vectors of a segment, and float16 copies of them that exclude most candidates if the
// full vectors are not in memory.

#include "engine/vector/beam_search.hpp"
#include "engine/vector/distance.hpp"
#include "engine/vector/durable_file.hpp"
#include "engine/vector/serialized_segment.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace cairn::engine {

/// Vectors by slot, a fixed number of bytes apart.
struct RowPlaces {
  const char* first = nullptr;
  std::size_t stride = 0;

  [[nodiscard]] const float* operator[](std::uint32_t slot) const noexcept {
    return reinterpret_cast<const float*>(first + slot * stride);
  }
};

/// The full vectors of a segment whose graph holds 8-bit codes, contiguous by slot, in memory or mapped from the
/// segment's file. Callers see no difference, except that the first access to a mapped page is slow. Immutable.
class SegmentRows {
 public:
  SegmentRows(Memory held, std::size_t bytes) : held_(std::move(held)), bytes_(bytes) {}
  explicit SegmentRows(FileMap mapped) : mapped_(std::move(mapped)), bytes_(mapped_.size()) {}

  [[nodiscard]] const char* data() const noexcept { return held_ ? held_.get() : mapped_.data(); }
  [[nodiscard]] std::size_t bytes() const noexcept { return bytes_; }
  [[nodiscard]] bool is_mapped() const noexcept { return held_ == nullptr; }
  [[nodiscard]] std::span<const float> components() const noexcept {
    return {reinterpret_cast<const float*>(data()), bytes_ / sizeof(float)};
  }

 private:
  Memory held_;
  FileMap mapped_;
  std::size_t bytes_;
};

/// Float16 copies of vectors. Under other metrics than cosine, each vector is scaled by a power of
/// two so that its largest component is below 1. Only vectors that cannot be among the nearest are
/// excluded, so results are the same as without the copies.
class HalfRows {
 public:
  /// Makes copies for `slots` vectors, which put() fills.
  HalfRows(const DistanceMetric& measure, std::size_t slots);
  /// Stores the copy of one vector. Once for each slot, before the first call of nearest().
  void put(std::uint32_t slot, const float* row);

  /// Of `slots`, returns all that may be among the `wanted` nearest, by bounds of their
  /// distances.
  [[nodiscard]] std::vector<std::uint32_t> nearest(const float* query, std::size_t wanted,
                                                   std::span<const std::uint32_t> slots) const;
  [[nodiscard]] std::size_t memory_bytes() const noexcept {
    return halves_.size() * sizeof(std::uint16_t) + sizes_.size() * sizeof(Size);
  }

 private:
  struct Size {
    float scale = 1;   ///< the power of two by which the copy is multiplied
    float length = 1;  ///< length of the vector
  };
  /// The distance of the vector is between these.
  struct Bounds {
    double low = 0, high = 0;
  };

  [[nodiscard]] Size size_of(std::uint32_t slot) const noexcept {
    return sizes_.empty() ? Size() : sizes_[slot];
  }
  [[nodiscard]] Bounds bounds(float distance, double query_length, const Size& size) const noexcept;

  DistanceMetric measure_;
  std::vector<std::uint16_t> halves_;
  std::vector<Size> sizes_;  // empty under cosine, where every vector has length 1
};

}  // namespace cairn::engine
