#pragma once
// Partitioning: k-means over the vectors of a segment.

#include "codec/lookup_kernels.hpp"
#include "engine/vector/binary_codes.hpp"
#include "engine/vector/build_threads.hpp"
#include "engine/vector/distance.hpp"
#include "engine/vector/huge_memory.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace cairn::engine {

/// Means one after the other, and the partition of each slot. Empty: there are no partitions.
struct Partitioning {
  std::vector<float> means;
  std::vector<std::uint32_t> partition_of;  ///< by slot

  [[nodiscard]] bool empty() const noexcept { return means.empty(); }
};

/// Shorter vectors have neither codes nor partitions.
inline constexpr std::uint32_t least_coded_dimension = 32;
/// Fewer vectors are scanned flat.
inline constexpr std::size_t least_partitioned = 8'192;

/// How many means rows are parted by: the power of two nearest to 2 sqrt(rows).
[[nodiscard]] std::size_t count_means(std::size_t rows) noexcept;
/// Whether so many means serve on for so many rows: as long as no more would be made, which is up to four
/// times as many as they were made for.
[[nodiscard]] bool serves_on(std::size_t means, std::size_t rows) noexcept;

/// As many means as count_means() says, by k-means over a sample. The same rows give the same means, whichever thread
/// works. Empty where they were stopped. Cost: about a second for each 300,000 rows of 100 components.
[[nodiscard]] std::vector<float> train_means(std::uint32_t dimension,
                                             std::span<const float* const> rows,
                                             const BuildThreads& workers);

/// Append the nearest mean of each row to `partition_of`; false where they were stopped.
[[nodiscard]] bool assign_partitions(std::uint32_t dimension, std::span<const float> means,
                                     std::span<const float* const> rows,
                                     const BuildThreads& workers,
                                     std::vector<std::uint32_t>& partition_of);

// IvfCodes: of each vector one bit a component of what it differs by from the mean of its
// partition, in blocks of 64 vectors that are scored at once. They tell cheaply which vectors are
// worth a look at better codes. Reading them is bound by memory: with two bits a component they showed
// more and took twice the time.
//
// x - mean = factor * sign(x - mean) + error, as in binary_codes.hpp.

class IvfCodes {
 public:
  static constexpr std::size_t block = codec::kernels::lookup_block;

  IvfCodes() = default;
  /// All zero. Memory: dimension / 8 and 2 bytes a place, and 4 more under the Euclidean metric.
  IvfCodes(const DistanceMetric& measure, std::size_t blocks);

  void set(std::size_t place, const float* row, const float* mean);
  [[nodiscard]] BinaryTables prepare(std::span<const float> query) const { return {query, lines_}; }

  /// How scores are returned: as (score + add) * times, `more` being added to the product of the query
  /// and the bits.
  struct Units {
    float add = 0;
    float times = 1;
    float more = 0;
  };
  /// out[i] = the score of place 64 * first + i under a mean that has the score `base`, for `count`
  /// blocks. A score is the dot product, less half of |x|^2 under the Euclidean metric. Meanwhile as
  /// many blocks from `upcoming` on are fetched, unless it is 0.
  void score(const BinaryTables& query, std::size_t first, std::size_t count, float base,
             const Units& units, float* out, std::size_t upcoming = 0) const;
  /// What an error of the bits' product counts in the score of a place.
  [[nodiscard]] float factor(std::size_t place) const noexcept {
    return from_half(factors_[place]);
  }
  [[nodiscard]] std::size_t memory_bytes() const noexcept;

  /// Like visit_arrays() of Sq4Codes.
  template <class Self, class Visit>
  static void visit_arrays(Self& self, Visit&& visit) {
    visit(self.codes_);
    visit(self.factors_);
    visit(self.losses_);
  }
  [[nodiscard]] bool settle(const DistanceMetric& measure, std::size_t blocks);

 private:
  std::size_t dimension_ = 0;
  std::size_t lines_ = 0;
  bool is_euclidean_ = false;
  HugeVector<std::uint8_t> codes_;
  std::vector<std::uint16_t> factors_;  // by place
  std::vector<float> losses_;           // by place: |x|^2 / 2, where the metric needs it
};

}  // namespace cairn::engine
