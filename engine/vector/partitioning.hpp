#pragma once
// Partitioning: k-means over the vectors of a segment. IvfCodes: 1-bit residual codes of its
// partitions.

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

/// The means (centroids) one after the other, and the partition of each slot. Empty without
/// partitions.
struct Partitioning {
  std::vector<float> means;
  std::vector<std::uint32_t> partition_of;  ///< by slot

  [[nodiscard]] bool empty() const noexcept { return means.empty(); }
};

/// Vectors with fewer components have neither codes nor partitions.
inline constexpr std::uint32_t least_coded_dimension = 32;
/// A segment with fewer vectors has no partitions.
inline constexpr std::size_t least_partitioned = 8'192;

/// Number of means for `rows` vectors: the power of two nearest to 2 sqrt(rows).
[[nodiscard]] std::size_t count_means(std::size_t rows) noexcept;
/// True if `means` centroids, trained earlier, are still enough for `rows` vectors. They are enough
/// until new training would make more means, which happens at the latest at four times as many
/// rows.
[[nodiscard]] bool serves_on(std::size_t means, std::size_t rows) noexcept;

/// Trains count_means() means by k-means over a sample. The result is the same with any number of
/// threads. Returns an empty vector if `workers` was stopped. Cost: about a second for each 300,000
/// rows of 100 components.
[[nodiscard]] std::vector<float> train_means(std::uint32_t dimension,
                                             std::span<const float* const> rows,
                                             const BuildThreads& workers);

/// Appends the nearest mean of each row to `partition_of`. Returns false if `workers` was stopped.
[[nodiscard]] bool assign_partitions(std::uint32_t dimension, std::span<const float> means,
                                     std::span<const float* const> rows,
                                     const BuildThreads& workers,
                                     std::vector<std::uint32_t>& partition_of);

// 1-bit codes of the residuals x - mean, in blocks of 64 vectors that are scored together. They
// cheaply exclude vectors whose 4-bit codes need not be read. Reading is limited by memory
// bandwidth: codes of two bits excluded more and took twice the time.
//
// x - mean = factor * sign(x - mean) + error, as in binary_codes.hpp.

class IvfCodes {
 public:
  static constexpr std::size_t block = codec::kernels::lookup_block;

  IvfCodes() = default;
  /// Makes codes that are all zero. Memory: dimension / 8 + 2 bytes for each place, and 4 more
  /// under the Euclidean metric.
  IvfCodes(const DistanceMetric& measure, std::size_t blocks);

  /// Encodes the vector of a place. May be called once for each place.
  void set(std::size_t place, const float* row, const float* mean);
  [[nodiscard]] BinaryTables prepare(std::span<const float> query) const { return {query, lines_}; }

  /// The linear transformation of scores: (score + add) * times. `more` is the error allowed for
  /// the product of query and bits.
  struct Units {
    float add = 0;
    float times = 1;
    float more = 0;
  };
  /// Writes out[i] = the score of place 64 * first + i for `count` blocks, if the score of the
  /// partition's mean is `base`. A score is a dot product, under the Euclidean metric reduced by
  /// |x|^2 / 2.
  ///
  /// Meanwhile prefetches the same number of blocks from block `upcoming` on, unless it is 0.
  void score(const BinaryTables& query, std::size_t first, std::size_t count, float base,
             const Units& units, float* out, std::size_t upcoming = 0) const;
  /// By how much an error of the bits' product changes the score of a place.
  [[nodiscard]] float factor(std::size_t place) const noexcept {
    return from_half(factors_[place]);
  }
  [[nodiscard]] std::size_t memory_bytes() const noexcept;

  /// Like Sq4Codes::visit_arrays() and Sq4Codes::settle().
  template <class Self, class Visit>
  static void visit_arrays(Self& self, Visit&& visit) {
    visit(self.codes_);
    visit(self.factors_);
    visit(self.losses_);
  }
  [[nodiscard]] bool settle(const DistanceMetric& measure, std::size_t blocks);

 private:
  std::size_t dimension_ = 0;
  // Bytes of bits of each place.
  std::size_t lines_ = 0;
  bool is_euclidean_ = false;
  HugeVector<std::uint8_t> codes_;
  std::vector<std::uint16_t> factors_;  // by place
  std::vector<float> losses_;           // by place: |x|^2 / 2; only under the Euclidean metric
};

}  // namespace cairn::engine
