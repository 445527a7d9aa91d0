#include "engine/vector/sign_codes.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace cairn::engine {
namespace {

namespace kernels = codec::kernels;

constexpr std::size_t components_of_byte = 8;
constexpr std::size_t components_of_table = 4;
constexpr std::size_t half_bytes = 2;  // of a number
constexpr float most_factor = 64;      // above that of any rest in steps of a code

void put_half(std::uint8_t* at, float value) {
  const std::uint32_t rounded = std::bit_cast<std::uint32_t>(value) + 0x8000;
  at[0] = static_cast<std::uint8_t>(rounded >> 16);
  at[1] = static_cast<std::uint8_t>(rounded >> 24);
}

float half_at(const std::uint8_t* at) {
  return std::bit_cast<float>(std::uint32_t{at[0]} << 16 | std::uint32_t{at[1]} << 24);
}

kernels::LookupScale scale_of(const SignQuery& query) {
  kernels::LookupScale scale;
  scale.base = query.base;
  scale.unit = query.unit;
  scale.offset = query.offset;
  scale.loss_unit = query.loss_unit;
  return scale;
}

}  // namespace

SignCodes::SignCodes(std::size_t count, std::size_t dimension, bool has_losses)
    : bytes_((dimension + components_of_byte - 1) / components_of_byte),
      row_pieces_((bytes_ + (has_losses ? 2 : 1) * half_bytes + kernels::lookup_piece - 1) /
                  kernels::lookup_piece),
      pieces_(count * row_pieces_),
      lines_((count + block - 1) / block * block * bytes_),
      factors_((count + block - 1) / block * block),
      losses_(has_losses ? factors_.size() : 0) {}

void SignCodes::set(std::size_t row, std::span<const float> rest, float loss) {
  std::uint8_t* bytes = pieces_[row * row_pieces_].bytes;
  double squares = 0, product = 0;
  for (std::size_t j = 0; j < rest.size(); ++j) {
    squares += double{rest[j]} * double{rest[j]};
    product += std::abs(double{rest[j]});
    std::uint8_t& byte = bytes[j / components_of_byte];
    byte = static_cast<std::uint8_t>(byte | (rest[j] > 0 ? 1 : 0) << j % components_of_byte);
  }
  std::uint8_t* end = bytes + row_pieces_ * kernels::lookup_piece;
  put_half(end - half_bytes, product > 0 ? static_cast<float>(squares / product) : 0);
  if (!losses_.empty()) put_half(end - 2 * half_bytes, loss);
}

// Blocks are the rows in another order.
void SignCodes::seal() {
  const std::size_t count = pieces_.size() / std::max<std::size_t>(row_pieces_, 1);
  for (std::size_t row = 0; row < count; ++row) {
    const std::uint8_t* bytes = pieces_[row * row_pieces_].bytes;
    std::uint8_t* line = &lines_[row / block * block * bytes_ + kernels::lookup_byte(row % block)];
    for (std::size_t b = 0; b < bytes_; ++b) line[b * block] = bytes[b];
    const std::uint8_t* end = bytes + row_pieces_ * kernels::lookup_piece;
    factors_[row] = half_at(end - half_bytes);
    if (!losses_.empty()) losses_[row] = half_at(end - 2 * half_bytes);
  }
}

bool SignCodes::settle(std::size_t count, std::size_t dimension, bool has_losses) {
  std::vector<Piece> pieces = std::move(pieces_);
  *this = SignCodes(count, dimension, has_losses);
  if (pieces.size() != pieces_.size()) return false;
  pieces_ = std::move(pieces);
  seal();
  return std::ranges::all_of(factors_,
                             [](float factor) { return factor >= 0 && factor <= most_factor; }) &&
         std::ranges::all_of(losses_, [](float loss) { return std::isfinite(loss); });
}

// A table holds the products of four components for each of their 16 signs, from their least on.
SignQuery SignCodes::prepare(std::span<const float> weights, float base, float loss_unit,
                             float error) const {
  SignQuery made;
  made.base = base;
  made.loss_unit = loss_unit;
  std::vector<float> padded(bytes_ * components_of_byte);
  std::ranges::copy(weights, padded.begin());
  float widest = 0, squares = 0;
  for (std::size_t j = 0; j < padded.size(); j += components_of_table) {
    float wide = 0;
    for (std::size_t t = 0; t < components_of_table; ++t) wide += std::abs(padded[j + t]);
    for (std::size_t t = 0; t < components_of_table; ++t) squares += padded[j + t] * padded[j + t];
    made.offset -= wide;
    widest = std::max(widest, wide);
  }
  made.unit = std::max(2 * widest / kernels::most_lookup_value, 1e-30F);
  made.length = std::sqrt(squares);
  made.offset += error * made.length;
  made.tables.resize(padded.size() / components_of_table * kernels::lookup_table_bytes);
  std::uint8_t* table = made.tables.data();
  for (std::size_t j = 0; j < padded.size(); j += components_of_table) {
    const float* w = &padded[j];
    const float least = std::abs(w[0]) + std::abs(w[1]) + std::abs(w[2]) + std::abs(w[3]);
    for (unsigned code = 0; code < kernels::lookup_table_bytes; ++code) {
      const float product = (code & 1 ? w[0] : -w[0]) + (code & 2 ? w[1] : -w[1]) +
                            (code & 4 ? w[2] : -w[2]) + (code & 8 ? w[3] : -w[3]);
      *table++ = static_cast<std::uint8_t>((product + least) / made.unit + 0.5F);
    }
  }
  return made;
}

void SignCodes::score(const SignQuery& query, std::span<const std::uint32_t> rows,
                      float* out) const {
  kernels::score_lookup_rows({pieces_.data()->bytes, row_pieces_, bytes_, query.tables.data()},
                             rows.data(), rows.size(), scale_of(query), out);
}

void SignCodes::score(const SignQuery& query, std::size_t first, std::size_t count,
                      float* out) const {
  kernels::LookupScale scale = scale_of(query);
  scale.factors = factors_.data() + first * block;
  if (!losses_.empty()) scale.losses = losses_.data() + first * block;
  kernels::score_blocks({lines_.data(), bytes_, query.tables.data()}, first, count, scale, out);
}

std::size_t SignCodes::memory_bytes() const noexcept {
  return pieces_.size() * sizeof(Piece) + lines_.size() +
         (factors_.size() + losses_.size()) * sizeof(float);
}

}  // namespace cairn::engine
