// A query as tables: for each four components, the sum of +-weight for all 16 combinations of their
// bits, as a byte from 0 to 63. A byte of bits is two such tables.
//
// dot(weights, signs) = -(sum of |weight|, table by table) + unit * (sum of lookups)
//
// One unit for all tables, so that lookups add up as integers; rounding errs by half a unit a
// table, in both directions.
#include "engine/vector/binary_tables.hpp"

#include "codec/lookup_kernels.hpp"

#include <algorithm>
#include <cmath>

namespace cairn::engine {
namespace {

namespace kernels = codec::kernels;

constexpr std::size_t components_of_table = 4;
constexpr std::size_t codes_of_table = kernels::lookup_table_bytes;

}  // namespace

BinaryTables::BinaryTables(std::span<const float> weights, std::size_t row_bytes)
    : bytes(row_bytes * components_of_byte / components_of_table * codes_of_table) {
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
  // Each bit that is set adds twice its weight.
  const float twice = 2 / unit;
  for (float& weight : padded) weight *= twice;
  kernels::fill_binary_tables(padded.data(), bytes.size() / codes_of_table, bytes.data());
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
