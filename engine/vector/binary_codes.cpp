// 1-bit codes in two layouts: rows of 16-byte pieces for random access, and blocks of 64 rows, byte
// by byte, for a scan of all. One kernel scores both layouts, with equal scores: it gets single
// rows transposed into a block. Only rows are stored in a file; the blocks are derived from them.
#include "engine/vector/binary_codes.hpp"

#include "codec/lookup_kernels.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace cairn::engine {
namespace {

namespace kernels = codec::kernels;

constexpr std::size_t components_of_byte = BinaryTables::components_of_byte;
// Size of a 16-bit number.
constexpr std::size_t half_bytes = 2;
// An upper bound for factors. A factor is in units of a code, and no valid one is as large.
constexpr float most_factor = 64;

// Writes a 16-bit number at any address, little-endian.
void put_half(std::uint8_t* at, float value) {
  at[0] = static_cast<std::uint8_t>(to_half(value));
  at[1] = static_cast<std::uint8_t>(to_half(value) >> 8);
}

std::uint16_t half_at(const std::uint8_t* at) {
  return static_cast<std::uint16_t>(at[0] | at[1] << 8);
}

// How the kernel computes scores from sums of lookups; factors and losses are added by the caller.
kernels::LookupScale scale_of(const SignQuery& query) {
  kernels::LookupScale scale;
  scale.base = query.base;
  scale.unit = query.tables.unit;
  scale.offset = query.tables.offset + query.error;
  scale.loss_unit = query.loss_unit;
  return scale;
}

}  // namespace

BinaryCodes::BinaryCodes(std::size_t count, std::size_t dimension, bool has_losses)
    : bytes_((dimension + components_of_byte - 1) / components_of_byte),
      row_pieces_((bytes_ + (has_losses ? 2 : 1) * half_bytes + kernels::lookup_piece - 1) /
                  kernels::lookup_piece),
      pieces_(count * row_pieces_),
      lines_((count + block - 1) / block * block * bytes_),
      factors_((count + block - 1) / block * block),
      losses_(has_losses ? factors_.size() : 0) {}

void BinaryCodes::set(std::size_t row, std::span<const float> rest, float loss) {
  std::uint8_t* bytes = pieces_[row * row_pieces_].bytes;
  for (std::size_t j = 0; j < rest.size(); ++j) {
    std::uint8_t& byte = bytes[j / components_of_byte];
    byte = static_cast<std::uint8_t>(byte | (rest[j] > 0 ? 1 : 0) << j % components_of_byte);
  }
  // The numbers take the end of the last piece, after the bits and their padding.
  std::uint8_t* end = bytes + row_pieces_ * kernels::lookup_piece;
  put_half(end - half_bytes, sign_factor(rest));
  if (!losses_.empty()) put_half(end - 2 * half_bytes, loss);
}

// Copies the rows into blocks.
void BinaryCodes::seal() {
  const std::size_t count = pieces_.size() / std::max<std::size_t>(row_pieces_, 1);
  for (std::size_t row = 0; row < count; ++row) {
    const std::uint8_t* bytes = pieces_[row * row_pieces_].bytes;
    std::uint8_t* line = &lines_[row / block * block * bytes_ + kernels::lookup_byte(row % block)];
    for (std::size_t b = 0; b < bytes_; ++b) line[b * block] = bytes[b];
    const std::uint8_t* end = bytes + row_pieces_ * kernels::lookup_piece;
    factors_[row] = half_at(end - half_bytes);
    if (!losses_.empty()) losses_[row] = from_half(half_at(end - 2 * half_bytes));
  }
}

// Rejects factors and losses that no vector has, because they would make scores infinite or NaN.
bool BinaryCodes::settle(std::size_t count, std::size_t dimension, bool has_losses) {
  HugeVector<Piece> pieces = std::move(pieces_);
  *this = BinaryCodes(count, dimension, has_losses);
  if (pieces.size() != pieces_.size()) return false;
  pieces_ = std::move(pieces);
  seal();
  return std::ranges::all_of(factors_,
                             [](std::uint16_t factor) {
                               return from_half(factor) >= 0 && from_half(factor) <= most_factor;
                             }) &&
         std::ranges::all_of(losses_, [](float loss) { return std::isfinite(loss); });
}

SignQuery BinaryCodes::prepare(std::span<const float> weights, float base, float loss_unit,
                               float error) const {
  BinaryTables tables(weights, bytes_);
  const float length = tables.length;
  return {std::move(tables), error * length, base, loss_unit};
}

// Scores single rows, whose factors and losses are at the end of their pieces.
void BinaryCodes::score(const SignQuery& query, std::span<const std::uint32_t> rows,
                        float* out) const {
  kernels::score_lookup_rows(
      {pieces_.data()->bytes, row_pieces_, bytes_, query.tables.bytes.data()}, rows.data(),
      rows.size(), scale_of(query), out);
}

// Scores whole blocks, whose factors and losses are in separate arrays.
void BinaryCodes::score(const SignQuery& query, std::size_t first, std::size_t count,
                        float* out) const {
  kernels::LookupScale scale = scale_of(query);
  scale.factors = factors_.data() + first * block;
  if (!losses_.empty()) scale.losses = losses_.data() + first * block;
  kernels::score_blocks({lines_.data(), bytes_, query.tables.bytes.data()}, first, count, scale,
                        out);
}

std::size_t BinaryCodes::memory_bytes() const noexcept {
  return pieces_.size() * sizeof(Piece) + lines_.size() + factors_.size() * sizeof(std::uint16_t) +
         losses_.size() * sizeof(float);
}

// The tables of a query: for each four components and all 16 combinations of their signs, the sum
// of +-weight as a byte from 0 to 63. A byte of bits indexes two tables.
//
// dot(weights, signs) = -(sum of |weight|, table by table) + unit * (sum of lookups)
//
// All tables share one unit, so that lookups add up as integers. Rounding errs by at most half a
// unit for each table, in either direction.

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
  // The table with the greatest range uses 0 to 63.
  unit = std::max(2 * widest / kernels::most_lookup_value, 1e-30F);
  length = std::sqrt(squares);
  // Setting a bit changes a sign from -1 to +1, which adds twice the weight.
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
