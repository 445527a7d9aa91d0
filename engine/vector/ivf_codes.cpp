// Bits of x - mean by place, in blocks that the lookup kernel scores 64 at a time; the arithmetic
// is RaBitQ's without its random rotation (Gao and Long, SIGMOD 2024): bits times a factor a
// vector. Scores come out in the units of the code table's integers, so that one bound serves both
// looks.
#include "engine/vector/ivf_codes.hpp"

#include <algorithm>
#include <functional>

namespace cairn::engine {
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

bool IvfCodes::settle(const DistanceMetric& measure, std::size_t blocks) {
  const IvfCodes made(measure, 0);
  dimension_ = made.dimension_;
  lines_ = made.lines_;
  is_euclidean_ = made.is_euclidean_;
  constexpr float most = 4e37F;  // above what any vector that is stored comes to
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
    // Or-ed into zeros: a place is set once.
    byte = static_cast<std::uint8_t>(byte | (rest[j] > 0 ? 1 : 0) << j % components_of_line);
  }
  factors_[place] = to_half(sign_factor(rest));
  if (is_euclidean_)
    losses_[place] = static_cast<float>(kernels::precise_sums(row, row, dimension_).squared_b / 2);
}

void IvfCodes::score(const BinaryTables& query, std::size_t first, std::size_t count, float base,
                     const Units& units, float* out, std::size_t upcoming) const {
  kernels::LookupScale scale;
  // What is allowed for errors is added to the product, not to the score: it weighs by the vector's
  // factor.
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
