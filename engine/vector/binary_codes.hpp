#pragma once
// 1-bit codes of vectors, and the tables by which a query reads them.

#include "codec/lookup_kernels.hpp"
#include "engine/vector/huge_memory.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace cairn::engine {

// BinaryTables: a query as tables of lookups over one bit a component, which is what 1-bit codes are
// scored with (lookup_kernels.hpp). And numbers of 16 bits: the upper halves of floats.

/// dot(weights, signs) = offset + unit * sum of lookups, about.
struct BinaryTables {
  static constexpr std::size_t components_of_byte = 8;

  /// Of rows of `bytes` of bits, a set bit for what is above 0. Cost: half a microsecond for each
  /// 100 components.
  BinaryTables(std::span<const float> weights, std::size_t bytes);

  std::vector<std::uint8_t> bytes;
  float unit = 1;
  float offset = 0;
  float length = 0;  ///< of the weights
};

/// What a vector has besides its bits: rest = factor * sign(rest) + error, the factor being such that
/// the product of signs and rest is right. 0 for a rest of nothing.
[[nodiscard]] float sign_factor(std::span<const float> rest) noexcept;

[[nodiscard]] constexpr std::uint16_t to_half(float value) noexcept {
  return static_cast<std::uint16_t>((std::bit_cast<std::uint32_t>(value) + 0x8000) >> 16);
}
[[nodiscard]] constexpr float from_half(std::uint16_t half) noexcept {
  return std::bit_cast<float>(std::uint32_t{half} << 16);
}

// BinaryCodes: one bit for each component of a vector, to select the vectors whose better codes are read.
// They are stored twice: by rows, for vectors that are far apart (four rows take the cache line of one better
// code); and in blocks of 64, to scan all at a quarter of a nanosecond each.
//
// rest := factor * sign(rest) + error. The factor makes the product of signs and rest exact, so that
// scores have no bias (Gao and Long, "RaBitQ", SIGMOD 2024).

/// A query in the terms of the codes.
struct SignQuery {
  BinaryTables tables;
  float error = 0;      ///< of the tables' product: what is allowed for
  float base = 0;       ///< of a vector without a rest
  float loss_unit = 0;  ///< scores lose this much for each unit of a vector's loss
};

class BinaryCodes {
 public:
  static constexpr std::size_t block = codec::kernels::lookup_block;

  BinaryCodes() = default;
  /// Memory: twice a bit a component; 4 bytes a vector, 10 with losses; rows take whole pieces of 16.
  BinaryCodes(std::size_t count, std::size_t dimension, bool has_losses);

  [[nodiscard]] bool empty() const noexcept { return pieces_.empty(); }
  /// `rest` is what a vector differs by from what all have in common.
  void set(std::size_t row, std::span<const float> rest, float loss);
  /// To be called when every row is set, before anything is asked.
  void seal();
  [[nodiscard]] float factor(std::size_t row) const noexcept { return from_half(factors_[row]); }

  /// Scores are base + dot(weights, rest) - loss_unit * loss, about. `error` is by how much they may
  /// be too low for a weight of length 1 and a factor of 1: it is added to them.
  [[nodiscard]] SignQuery prepare(std::span<const float> weights, float base, float loss_unit,
                                  float error) const;
  /// out[i] = score of `rows[i]`. Cost: a nanosecond for each 100 components.
  void score(const SignQuery& query, std::span<const std::uint32_t> rows, float* out) const;
  /// out[i] = score of row block * first + i, for `count` blocks; of the last one also what is behind
  /// the last row. The same scores.
  void score(const SignQuery& query, std::size_t first, std::size_t count, float* out) const;
  [[nodiscard]] std::size_t memory_bytes() const noexcept;

  /// The array that a file holds: visit(std::vector<T>&).
  template <class Self, class Visit>
  static void visit_arrays(Self& self, Visit&& visit) {
    visit(self.pieces_);
  }
  /// To be called when the array was filled from a file: false, and not to be used, if it is invalid
  /// of `count` vectors.
  [[nodiscard]] bool settle(std::size_t count, std::size_t dimension, bool has_losses);

 private:
  struct alignas(codec::kernels::lookup_piece) Piece {
    std::uint8_t bytes[codec::kernels::lookup_piece];
  };

  std::size_t bytes_ = 0;               // of bits, a row
  std::size_t row_pieces_ = 0;          // a row
  HugeVector<Piece> pieces_;            // by row
  HugeVector<std::uint8_t> lines_;      // by block
  std::vector<std::uint16_t> factors_;  // by row
  std::vector<float> losses_;           // by row, if there are any
};

}  // namespace cairn::engine
