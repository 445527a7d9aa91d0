#pragma once
// Partitioning: k-means over the vectors of a segment.

#include "engine/vector/build_threads.hpp"
#include "engine/vector/distance.hpp"

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

/// As many means as count_means() says, by k-means over a sample. The same rows give the same means, whoever
/// works. Empty where they were stopped. Cost: about a second for each 300,000 rows of 100 components.
[[nodiscard]] std::vector<float> train_means(std::uint32_t dimension,
                                             std::span<const float* const> rows,
                                             const BuildThreads& workers);

/// Append the nearest mean of each row to `partition_of`; false where they were stopped.
[[nodiscard]] bool assign_partitions(std::uint32_t dimension, std::span<const float> means,
                                     std::span<const float* const> rows,
                                     const BuildThreads& workers,
                                     std::vector<std::uint32_t>& partition_of);

}  // namespace cairn::engine
