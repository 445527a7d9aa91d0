// A query as tables: for each four components, the sum of +-weight for all 16 combinations of their
// signs, as a byte from 0 to 63. A byte of signs is two such tables.
//
// dot(weights, signs) = -(sum of |weight|, table by table) + unit * (sum of lookups)
//
// One unit for all tables, so that lookups add up as integers; rounding errs by half a unit a
// table, in both directions.
#include "engine/vector/sign_tables.hpp"

#include "codec/lookup_kernels.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace cairn::engine {
namespace {

namespace kernels = codec::kernels;

constexpr std::size_t components_of_table = 4;
constexpr std::size_t codes = kernels::lookup_table_bytes;

// The products of four components for each of their 16 signs, from their least on: each bit that is
// set adds twice its weight.
void fill_table(const float* weights, float per_unit, std::uint8_t* table) {
  // The first is that of the code whose products are all taken off; the half rounds the casts
  // below.
  std::array<float, codes> products{0.5F};  // to the nearest
  for (std::size_t t = 0; t < components_of_table; ++t)
    products[0] += std::max(-2 * weights[t] * per_unit, 0.0F);
  for (std::size_t t = 0; t < components_of_table; ++t)
    for (std::size_t code = 0; code < std::size_t{1} << t; ++code)
      products[code + (std::size_t{1} << t)] = products[code] + 2 * weights[t] * per_unit;
  for (std::size_t code = 0; code < codes; ++code)
    table[code] = static_cast<std::uint8_t>(
        std::clamp(products[code], 0.0F, float{kernels::most_lookup_value}));
}

}  // namespace

SignTables::SignTables(std::span<const float> weights, std::size_t row_bytes)
    : bytes(row_bytes * components_of_byte / components_of_table * codes) {
  std::vector<float> padded(row_bytes * components_of_byte);
  std::ranges::copy(weights, padded.begin());
  float widest = 0, squares = 0;
  for (std::size_t j = 0; j < padded.size(); j += components_of_table) {
    float wide = 0;
    for (std::size_t t = 0; t < components_of_table; ++t) {
      wide += std::abs(padded[j + t]);
      squares += padded[j + t] * padded[j + t];
    }
    offset -= wide;
    widest = std::max(widest, wide);
  }
  // The widest table goes from 0 to 63.
  unit = std::max(2 * widest / kernels::most_lookup_value, 1e-30F);
  length = std::sqrt(squares);
  for (std::size_t table = 0; table * codes < bytes.size(); ++table)
    fill_table(&padded[table * components_of_table], 1 / unit, &bytes[table * codes]);
}

float sign_factor(std::span<const float> rest) noexcept {
  double squares = 0, product = 0;
  for (const float component : rest) {
    squares += double{component} * double{component};
    product += std::abs(double{component});
  }
  return product > 0 ? static_cast<float>(squares / product) : 0;
}

}  // namespace cairn::engine
