// k-means (Lloyd's algorithm): five iterations over a sample of 40 rows for each mean, from a fixed
// seed. Rows are assigned independently of each other, so the means do not depend on the number of
// threads. Better means (more iterations, all rows) would save searches a little and cost the seal
// more. The number of means, a power of two near 2 sqrt(n), balances the cost of scoring all means
// with the cost of reading partitions.
#include "engine/vector/partitioning.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <random>

namespace cairn::engine {
namespace {

constexpr std::size_t sample_of_mean = 40;
constexpr int iterations = 5;
constexpr unsigned seed = 7;
constexpr std::size_t rows_at_once = 1'024;

/// Finds the nearest mean of a row by |x - mean|^2. |x|^2 is left out, as it is the same for all
/// means.
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
    // |x - m|^2 = |x|^2 - 2 (x m - |m|^2 / 2). The kernel computes -x m, and half_lengths_ contains |m|^2 / 2.
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

// Moves each mean to the average of its members. A mean without members restarts at a random row of
// the sample.
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

// sqrt(2) times the root, rounded down to a power of two, is the power of two nearest to the root
// by logarithm.
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

// Residual bits by place, in blocks of 64 that the lookup kernel scores together. The method is
// RaBitQ (Gao and Long, SIGMOD 2024) without its random rotation: the bits times one factor for
// each vector. Scores come in the integer units of the 4-bit codes, so that one bound serves both.

namespace {

namespace kernels = codec::kernels;

constexpr std::size_t components_of_line = BinaryTables::components_of_byte;

}  // namespace

IvfCodes::IvfCodes(const DistanceMetric& measure, std::size_t blocks)
    : dimension_(measure.dimension),
      lines_((measure.dimension + components_of_line - 1) / components_of_line),
      is_euclidean_(measure.metric == codec::Metric::euclidean),
      codes_(blocks * lines_ * block),
      factors_(blocks * block),
      losses_(is_euclidean_ ? blocks * block : 0) {}

// Sets the members that are not in a file, and checks sizes and ranges of the arrays.
bool IvfCodes::settle(const DistanceMetric& measure, std::size_t blocks) {
  const IvfCodes made(measure, 0);
  dimension_ = made.dimension_;
  lines_ = made.lines_;
  is_euclidean_ = made.is_euclidean_;
  // Greater than any factor or loss of a stored vector.
  constexpr float most = 4e37F;
  const auto is_number = [](float x) { return x >= 0 && x <= most; };
  const auto is_half = [&](std::uint16_t x) { return is_number(from_half(x)); };
  return codes_.size() == blocks * lines_ * block && factors_.size() == blocks * block &&
         losses_.size() == (is_euclidean_ ? factors_.size() : 0) &&
         std::ranges::all_of(factors_, is_half) && std::ranges::all_of(losses_, is_number);
}

void IvfCodes::set(std::size_t place, const float* row, const float* mean) {
  std::vector<float> rest(dimension_);
  std::transform(row, row + dimension_, mean, rest.begin(), std::minus<>());
  std::uint8_t* bytes =
      &codes_[place / block * lines_ * block + kernels::lookup_byte(place % block)];
  for (std::size_t j = 0; j < dimension_; ++j) {
    std::uint8_t& byte = bytes[j / components_of_line * block];
    // A place is encoded once, so all bits are still zero.
    byte = static_cast<std::uint8_t>(byte | (rest[j] > 0 ? 1 : 0) << j % components_of_line);
  }
  factors_[place] = to_half(sign_factor(rest));
  if (is_euclidean_)
    losses_[place] = static_cast<float>(kernels::precise_sums(row, row, dimension_).squared_b / 2);
}

// Folds the linear transformation of `units` into the kernel's scale, so that it costs nothing.
void IvfCodes::score(const BinaryTables& query, std::size_t first, std::size_t count, float base,
                     const Units& units, float* out, std::size_t upcoming) const {
  kernels::LookupScale scale;
  // The error allowance is added to the product, because the vector's factor multiplies both.
  scale.base = (base + units.add) * units.times;
  scale.unit = query.unit * units.times;
  scale.offset = (query.offset + units.more) * units.times;
  scale.factors = factors_.data() + first * block;
  if (is_euclidean_) {
    scale.loss_unit = units.times;
    scale.losses = losses_.data() + first * block;
  }
  const std::uint8_t* next = upcoming > 0 ? codes_.data() + upcoming * lines_ * block : nullptr;
  kernels::score_blocks({codes_.data(), lines_, query.bytes.data(), next}, first, count, scale,
                        out);
}

std::size_t IvfCodes::memory_bytes() const noexcept {
  return codes_.size() + factors_.size() * sizeof(std::uint16_t) + losses_.size() * sizeof(float);
}

}  // namespace cairn::engine
