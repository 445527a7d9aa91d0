#pragma once
// ExactCodes: lower bounds of distances, from the 8-bit codes of a graph. An exact search reads the
// whole vectors only where the bound permits a hit, so it reads little more than a quarter of the
// memory and finds the same.
//
// A code represents a vector x as centre + scale * bytes. What it loses is x - centre - scale *
// bytes, whose length is known for each vector. By the inequality of Cauchy and Schwarz, this length
// times that of the query bounds the error of a dot product; by the triangle inequality, it bounds
// the error of a distance itself. The .cpp derives the bounds.

#include "engine/vector/distance.hpp"
#include "engine/vector/segment_rows.hpp"
#include "engine/vector/sq8_codes.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

namespace cairn::engine {

/// Elements of Sq8Codes by slot, a fixed number of bytes apart.
struct ElementPlaces {
  const char* first = nullptr;
  std::size_t stride = 0;

  [[nodiscard]] const char* operator[](std::uint32_t slot) const noexcept {
    return first + slot * stride;
  }
};

/// A query in 8 bits a component, with the numbers of its bounds. They are explained in the .cpp.
struct BoundedQuery {
  std::vector<std::int8_t> bytes;
  double scale = 0;
  double base = 0;       ///< the part of a bound that is the same for all vectors
  double of_lost = 0;    ///< factor of what a vector's code loses
  double of_length = 0;  ///< factor of the length that a vector's code represents
  double squared = 0;    ///< euclidean: |scale * bytes|^2
  double lost = 0;       ///< euclidean: the length of what the query's own code loses
};

/// Immutable. Threads: any number at once.
class ExactCodes {
 public:
  /// `codes` and the elements must outlive this object. Cost: a pass over all vectors and elements.
  ExactCodes(const DistanceMetric& measure, const Sq8Codes& codes, ElementPlaces elements,
             const RowPlaces& rows, std::size_t slots);

  /// Prepares a query in stored form. Cost: proportional to the dimension.
  [[nodiscard]] BoundedQuery prepare(const float* query) const;
  /// Writes out[i] = a number that the float distance (distance.hpp) of slots[i] is not below, or
  /// NaN if there is none.
  void least_distances(const BoundedQuery& query, std::span<const std::uint32_t> slots,
                       double* out) const;
  [[nodiscard]] std::size_t memory_bytes() const noexcept {
    return losses_.size() * sizeof(CodeLoss);
  }

 private:
  /// How well the code of a vector represents it.
  struct CodeLoss {
    float lost = 0;    ///< upper bound of |x - centre - scale * bytes|
    float length = 0;  ///< |scale * bytes|, rounded to the nearest float
  };

  [[nodiscard]] CodeLoss loss_of(const float* row, const char* element,
                                 std::span<float> decoded) const;
  [[nodiscard]] double least_distance(const BoundedQuery& query, std::int32_t product, float scale,
                                      const CodeLoss& loss) const noexcept;

  DistanceMetric measure_;
  const Sq8Codes& codes_;
  ElementPlaces elements_;
  double centre_length_;
  std::vector<CodeLoss> losses_;  // by slot
};

/// Makes the ExactCodes of a graph once exact searches have compared as many vectors as it has. So
/// a graph that is hardly searched exactly spends neither the time, which is that of about four
/// such searches, nor the memory. Searches of less than a sixteenth of the vectors do not count: the
/// one that makes the codes would take far longer than the others.
///
/// Threads: any number at once. No thread waits for another.
class ExactCodesOnDemand {
 public:
  /// Returns the codes, or null if vectors should be compared without them. Counts `comparisons`
  /// vectors that would then be compared. `make` returns a std::unique_ptr<const ExactCodes>, or
  /// null if there is no memory for them; at most one thread calls it at a time.
  template <class Make>
  [[nodiscard]] const ExactCodes* get(std::size_t comparisons, std::size_t slots, Make&& make) {
    if (const ExactCodes* made = made_.load(std::memory_order_acquire)) return made;
    if (comparisons < slots / 16) return nullptr;
    const std::size_t before = compared_.fetch_add(comparisons, std::memory_order_relaxed);
    if (before < slots) return nullptr;
    const std::unique_lock turn(making_, std::try_to_lock);
    if (!turn.owns_lock()) return nullptr;
    if (!codes_) codes_ = make();
    if (!codes_) compared_ = 0;  // no memory: tries again after as many comparisons
    made_.store(codes_.get(), std::memory_order_release);
    return codes_.get();
  }
  [[nodiscard]] std::size_t memory_bytes() const noexcept {
    const ExactCodes* made = made_.load(std::memory_order_acquire);
    return made == nullptr ? 0 : made->memory_bytes();
  }

 private:
  std::mutex making_;  // guards codes_ until made_ is set
  std::unique_ptr<const ExactCodes> codes_;
  std::atomic<const ExactCodes*> made_ = nullptr;
  std::atomic<std::size_t> compared_ = 0;
};

}  // namespace cairn::engine
