#include "engine/vector/residual_codes.hpp"

#include <algorithm>
#include <cmath>

namespace cairn::engine {
namespace {

namespace kernels = codec::kernels;

constexpr float threshold = 0.9957F;  // between the inner and the outer levels, in deviations
constexpr std::size_t components_of_line = 4;

// 0 to 3 for the levels -3, -1, 1, 3.
unsigned code_of(float component, float deviation) {
  const unsigned outer = std::abs(component) >= threshold * deviation ? 1 : 0;
  return component < 0 ? 1 - outer : 2 + outer;
}

float level_of(unsigned code) { return 2 * static_cast<float>(code) - 3; }

}  // namespace

ResidualCodes::ResidualCodes(const Measure& measure, std::size_t blocks)
    : dimension_(measure.dimension),
      lines_((measure.dimension + components_of_line - 1) / components_of_line),
      is_euclidean_(measure.metric == codec::Metric::euclidean),
      codes_(blocks * lines_ * block),
      factors_(blocks * block),
      losses_(is_euclidean_ ? blocks * block : 0) {}

bool ResidualCodes::settle(const Measure& measure, std::size_t blocks) {
  const ResidualCodes made(measure, 0);
  dimension_ = made.dimension_;
  lines_ = made.lines_;
  is_euclidean_ = made.is_euclidean_;
  constexpr float most = 4e37F;  // above what any vector that is stored comes to
  const auto is_number = [](float x) { return x >= 0 && x <= most; };
  return codes_.size() == blocks * lines_ * block && factors_.size() == blocks * block &&
         losses_.size() == (is_euclidean_ ? factors_.size() : 0) &&
         std::ranges::all_of(factors_, is_number) && std::ranges::all_of(losses_, is_number);
}

void ResidualCodes::set(std::size_t place, const float* row, const float* mean) {
  const auto sums = kernels::precise_sums(row, mean, dimension_);
  const auto deviation =
      static_cast<float>(std::sqrt(sums.squared_difference / static_cast<double>(dimension_)));
  std::uint8_t* bytes =
      &codes_[place / block * lines_ * block + kernels::lookup_byte(place % block)];
  double product = 0;
  for (std::size_t j = 0; j < dimension_; ++j) {
    const float rest = row[j] - mean[j];
    const unsigned code = code_of(rest, deviation);
    product += double{rest * level_of(code)};
    std::uint8_t& byte = bytes[j / components_of_line * block];
    byte = static_cast<std::uint8_t>(byte | code << 2 * (j % components_of_line));
  }
  factors_[place] = product > 0 ? static_cast<float>(sums.squared_difference / product) : 0;
  if (is_euclidean_)
    losses_[place] = static_cast<float>(kernels::precise_sums(row, row, dimension_).squared_b / 2);
}

// A table holds the products of two components for each of their 16 codes, from their least on.
ResidualQuery ResidualCodes::prepare(std::span<const float> query) const {
  ResidualQuery made;
  std::vector<float> padded(lines_ * components_of_line);
  std::ranges::copy(query, padded.begin());
  float widest = 0;
  for (std::size_t j = 0; j < padded.size(); j += 2)
    widest = std::max(widest, std::abs(padded[j]) + std::abs(padded[j + 1]));
  made.unit = std::max(6 * widest / kernels::most_lookup_value, 1e-30F);
  made.tables.resize(padded.size() / 2 * kernels::lookup_table_bytes);
  std::uint8_t* table = made.tables.data();
  for (std::size_t j = 0; j < padded.size(); j += 2, table += kernels::lookup_table_bytes) {
    const float least = -3 * (std::abs(padded[j]) + std::abs(padded[j + 1]));
    made.offset += least;
    for (unsigned code = 0; code < kernels::lookup_table_bytes; ++code) {
      const float product = padded[j] * level_of(code & 3) + padded[j + 1] * level_of(code >> 2);
      table[code] = static_cast<std::uint8_t>((product - least) / made.unit + 0.5F);
    }
  }
  return made;
}

void ResidualCodes::score(const ResidualQuery& query, std::size_t first, std::size_t count,
                          float base, const Units& units, float* out, std::size_t upcoming) const {
  kernels::LookupScale scale;
  scale.base = (base + units.add) * units.times;
  scale.unit = query.unit * units.times;
  scale.offset = (query.offset + units.more) * units.times;
  scale.factors = factors_.data() + first * block;
  if (is_euclidean_) {
    scale.loss_unit = units.times;
    scale.losses = losses_.data() + first * block;
  }
  const std::uint8_t* next = upcoming > 0 ? codes_.data() + upcoming * lines_ * block : nullptr;
  kernels::score_blocks({codes_.data(), lines_, query.tables.data(), next}, first, count, scale,
                        out);
}

std::size_t ResidualCodes::memory_bytes() const noexcept {
  return codes_.size() + (factors_.size() + losses_.size()) * sizeof(float);
}

}  // namespace cairn::engine
