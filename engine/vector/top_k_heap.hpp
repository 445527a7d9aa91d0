#pragma once
// TopKHeap: the nearest of all candidates offered. RowScanner: compares rows with queries in
// blocks, which the kernels need, and each block with every query while it is cached.

#include "codec/code_kernels.hpp"
#include "codec/lookup_kernels.hpp"
#include "engine/vector/distance.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace cairn::engine {

/// A vector that may become a hit. `row` is valid as long as the searched state.
struct Candidate {
  float distance = 0;
  std::uint64_t entity = 0;
  const float* row = nullptr;
};

/// A strict order: equal distances are ordered by id, so that results do not depend on the
/// strategy.
[[nodiscard]] inline bool is_nearer(const Candidate& a, const Candidate& b) noexcept {
  return a.distance != b.distance ? a.distance < b.distance : a.entity < b.entity;
}

/// Holds the nearest candidates up to its capacity, and only candidates within `farthest`.
class TopKHeap {
 public:
  explicit TopKHeap(std::size_t capacity, float farthest = std::numeric_limits<float>::infinity())
      : capacity_(capacity), farthest_(farthest) {}

  void offer(const Candidate& candidate) {
    if (heap_.size() == capacity_) {
      if (capacity_ != 0 && is_nearer(candidate, heap_.front())) replace_farthest(candidate);
    } else if (candidate.distance <= farthest_) {
      heap_.push_back(candidate);
      std::ranges::push_heap(heap_, is_nearer);
    }
  }

  [[nodiscard]] std::size_t capacity() const noexcept { return capacity_; }
  /// All candidates, unordered.
  [[nodiscard]] const std::vector<Candidate>& all() const noexcept { return heap_; }
  /// Candidates farther than this need not be offered.
  [[nodiscard]] float worst() const noexcept {
    return heap_.size() < capacity_ || heap_.empty() ? farthest_ : heap_.front().distance;
  }

 private:
  // Sifts down once, while a pop and a push would sift twice.
  void replace_farthest(const Candidate& candidate) {
    std::size_t at = 0;
    for (std::size_t next = 1; next < heap_.size(); next = 2 * at + 1) {
      if (next + 1 < heap_.size() && is_nearer(heap_[next], heap_[next + 1])) ++next;
      if (!is_nearer(candidate, heap_[next])) break;
      heap_[at] = heap_[next];
      at = next;
    }
    heap_[at] = candidate;
  }

  std::size_t capacity_;
  float farthest_;
  std::vector<Candidate> heap_;  // a max-heap: the farthest candidate in front
};

/// A query in stored form, and the heap for its nearest rows.
struct RowProbe {
  const float* query = nullptr;
  TopKHeap* top = nullptr;
  /// True if bounds may exclude rows before they are read (exact_scan.hpp).
  bool is_bounded = false;
};

/// Compares rows with queries in blocks and offers them to the heaps. The last block is offered by
/// the destructor. Each query gets the same results as if it were alone.
class RowScanner {
 public:
  RowScanner(const DistanceMetric& measure, const float* query, TopKHeap& top)
      : measure_(measure), own_{query, &top, false}, probes_(&own_, 1) {}
  /// `probes` must outlive the scanner.
  RowScanner(const DistanceMetric& measure, std::span<const RowProbe> probes)
      : measure_(measure), probes_(probes) {}
  RowScanner(const RowScanner&) = delete;
  RowScanner& operator=(const RowScanner&) = delete;
  ~RowScanner() { flush(); }

  void add(std::uint64_t entity, const float* row) {
    entities_[size_] = entity;
    rows_[size_] = row;
    if (++size_ == block) flush();
  }

 private:
  static constexpr std::size_t block = 128;
  static_assert(block <= codec::kernels::most_floats);

  void flush() {
    std::array<float, block> distances;
    for (const RowProbe& probe : probes_) {
      measure_.kernels.rows(probe.query, rows_.data(), size_, measure_.dimension, distances.data());
      offer(distances, *probe.top);
    }
    size_ = 0;
  }

  // Most rows are excluded before the heap. While the heap fills, a block contributes at most its
  // nearest `capacity` rows; later the heap's farthest candidate excludes nearly all.
  void offer(const std::array<float, block>& distances, TopKHeap& top) const {
    std::array<float, block> nearness;
    for (std::size_t i = 0; i < size_; ++i) nearness[i] = -distances[i];
    float least = -top.worst();
    const bool is_filling = top.all().size() < top.capacity();
    if (is_filling && top.capacity() < size_)
      least = std::max(least, codec::kernels::nth_greatest(nearness.data(), size_, top.capacity()));
    const float below = std::nextafter(least, -std::numeric_limits<float>::infinity());
    std::array<std::uint32_t, block + 16> places;
    const std::size_t passing =
        codec::kernels::places_above(nearness.data(), size_, below, places.data());
    for (const std::uint32_t i : std::span(places).first(passing))
      if (distances[i] <= top.worst()) top.offer({distances[i], entities_[i], rows_[i]});
  }

  const DistanceMetric& measure_;
  RowProbe own_;
  std::span<const RowProbe> probes_;
  std::size_t size_ = 0;
  std::array<std::uint64_t, block> entities_;
  std::array<const float*, block> rows_;
};

}  // namespace cairn::engine
