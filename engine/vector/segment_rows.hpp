#pragma once
// Where the vectors of a segment lie in full, and halves of them, which are compared first where the
// vectors themselves are not held in memory.

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

/// Rows by slot, a fixed number of bytes apart.
struct RowPlaces {
  const char* first = nullptr;
  std::size_t stride = 0;

  [[nodiscard]] const float* operator[](std::uint32_t slot) const noexcept {
    return reinterpret_cast<const float*>(first + slot * stride);
  }
};

/// Beside a graph of bytes: one row behind the other, in memory or in the segment's file. Both are the
/// same to those who read them, but for the time of the first touch. Never changed.
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

/// Half of the bytes of each vector: 16 bits a component, times a power of two of the vector's own, so
/// that the largest component lies below 1. They leave out only what cannot be among the nearest, so
/// that who looks at them first finds what he would find without.
class HalfRows {
 public:
  HalfRows(const DistanceMetric& measure, std::size_t slots);
  /// Each slot once, before anything is asked.
  void put(std::uint32_t slot, const float* row);

  /// Of `slots`, those that may be among the `wanted` nearest of them.
  [[nodiscard]] std::vector<std::uint32_t> nearest(const float* query, std::size_t wanted,
                                                   std::span<const std::uint32_t> slots) const;
  [[nodiscard]] std::size_t memory_bytes() const noexcept {
    return halves_.size() * sizeof(std::uint16_t) + sizes_.size() * sizeof(Size);
  }

 private:
  struct Size {
    float scale = 1;   ///< what the halves are times of, a power of two
    float length = 1;  ///< of the vector
  };
  /// No distance of the vector is outside.
  struct Bounds {
    double low = 0, high = 0;
  };

  [[nodiscard]] Size size_of(std::uint32_t slot) const noexcept {
    return sizes_.empty() ? Size() : sizes_[slot];
  }
  [[nodiscard]] Bounds bounds(float distance, double query_length, const Size& size) const noexcept;

  DistanceMetric measure_;
  std::vector<std::uint16_t> halves_;
  std::vector<Size> sizes_;  // none under cosine, where every vector has the length 1
};

}  // namespace cairn::engine
