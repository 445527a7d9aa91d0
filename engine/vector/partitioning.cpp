// k-means (Lloyd) over a sample of 40 rows a mean, five rounds, from a fixed seed: the same rows
// give the same means on any number of threads, as pieces of the assignment do not depend on each
// other. Better means (more rounds, all rows) would be read a little less and cost the seal more.
// The number of means, a power of two near 2 sqrt(n), balances scoring all means with scanning the
// members of those that are read.
#include "engine/vector/partitioning.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <random>

namespace cairn::engine {
namespace {

constexpr std::size_t sample_of_mean = 40;
constexpr int iterations = 5;
constexpr unsigned seed = 7;
constexpr std::size_t rows_at_once = 1'024;

/// Nearest means by |x - mean|^2, of which |x|^2 is left out.
class Nearest {
 public:
  Nearest(std::uint32_t dimension, std::span<const float> means)
      : dimension_(dimension), distances_(means.size() / dimension) {
    for (std::size_t at = 0; at < means.size(); at += dimension) {
      means_.push_back(means.data() + at);
      half_lengths_.push_back(-kernels_.pair(means_.back(), means_.back(), dimension) / 2);
    }
  }

  std::uint32_t of(const float* row) {
    kernels_.rows(row, means_.data(), means_.size(), dimension_, distances_.data());
    // |x - m|^2 = |x|^2 - 2 (x m - |m|^2 / 2); kernels give -x m, and half_lengths_ hold +|m|^2 / 2.
    for (std::size_t i = 0; i < distances_.size(); ++i) distances_[i] += half_lengths_[i];
    return static_cast<std::uint32_t>(std::ranges::min_element(distances_) - distances_.begin());
  }

 private:
  codec::kernels::DistanceKernels kernels_ = codec::kernels::negated_dot_kernels();
  std::size_t dimension_;
  std::vector<const float*> means_;
  std::vector<float> half_lengths_;
  std::vector<float> distances_;
};

// A mean that nobody is near to starts again at a row of the sample.
void move_means(std::uint32_t dimension, std::span<const float* const> sample,
                std::span<const std::uint32_t> partition_of, std::mt19937& random,
                std::vector<float>& means) {
  const std::size_t count = means.size() / dimension;
  std::vector<double> sums(means.size());
  std::vector<double> members(count);
  for (std::size_t i = 0; i < sample.size(); ++i) {
    double* sum = sums.data() + std::size_t{partition_of[i]} * dimension;
    for (std::size_t j = 0; j < dimension; ++j) sum[j] += double{sample[i][j]};
    ++members[partition_of[i]];
  }
  for (std::size_t c = 0; c < count; ++c) {
    const float* fresh = sample[random() % sample.size()];
    for (std::size_t j = 0; j < dimension; ++j)
      means[c * dimension + j] =
          members[c] == 0 ? fresh[j] : static_cast<float>(sums[c * dimension + j] / members[c]);
  }
}

}  // namespace

// The nearest by the logarithm: sqrt(2) times of it, rounded down.
std::size_t count_means(std::size_t rows) noexcept {
  const double root = 2 * std::sqrt(static_cast<double>(rows));
  return std::bit_floor(static_cast<std::size_t>(root * std::sqrt(2.0)));
}

bool serves_on(std::size_t means, std::size_t rows) noexcept { return means >= count_means(rows); }

std::vector<float> train_means(std::uint32_t dimension, std::span<const float* const> rows,
                               const BuildThreads& workers) {
  const std::size_t count = count_means(rows.size());
  std::mt19937 random(seed);
  std::vector<const float*> sample;
  std::ranges::sample(rows, std::back_inserter(sample),
                      static_cast<std::ptrdiff_t>(count * sample_of_mean), random);
  std::ranges::shuffle(sample, random);
  std::vector<float> means;
  for (std::size_t c = 0; c < count; ++c) {
    const float* row = sample[c % sample.size()];
    means.insert(means.end(), row, row + dimension);
  }
  for (int i = 0; i < iterations; ++i) {
    std::vector<std::uint32_t> partition_of;
    if (!assign_partitions(dimension, means, sample, workers, partition_of)) return {};
    move_means(dimension, sample, partition_of, random, means);
  }
  return means;
}

bool assign_partitions(std::uint32_t dimension, std::span<const float> means,
                       std::span<const float* const> rows, const BuildThreads& workers,
                       std::vector<std::uint32_t>& partition_of) {
  const std::size_t before = partition_of.size();
  partition_of.resize(before + rows.size());
  const auto assign = [&](std::size_t first, std::size_t last) -> Status {
    Nearest nearest(dimension, means);
    for (; first < last; ++first) partition_of[before + first] = nearest.of(rows[first]);
    return {};
  };
  return share_out(workers, rows.size(), rows_at_once, assign).has_value();
}

}  // namespace cairn::engine
