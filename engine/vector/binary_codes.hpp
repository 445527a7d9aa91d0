#pragma once
// 1-bit codes of vectors, and the lookup tables by which a query scores them.

#include "codec/lookup_kernels.hpp"
#include "engine/vector/huge_memory.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace cairn::engine {

/// A query as lookup tables for 1-bit codes (lookup_kernels.hpp).
///
/// dot(weights, signs) = offset + unit * sum of lookups, approximately. A sign is +1 or -1.
struct BinaryTables {
  static constexpr std::size_t components_of_byte = 8;

  /// Makes the tables for codes of `bytes` bytes, in which a set bit means a component above 0.
  /// Cost: half a microsecond for each 100 components.
  BinaryTables(std::span<const float> weights, std::size_t bytes);

  /// The tables: 16 sums for each four components.
  std::vector<std::uint8_t> bytes;
  float unit = 1;
  float offset = 0;
  float length = 0;  ///< Euclidean length of the weights
};

/// Returns the factor for which the dot product of factor * sign(rest) and rest equals |rest|^2.
/// The factor is 0 if all components are 0.
[[nodiscard]] float sign_factor(std::span<const float> rest) noexcept;

/// Numbers of 16 bits: the upper half of a float (bfloat16), rounded.
[[nodiscard]] constexpr std::uint16_t to_half(float value) noexcept {
  return static_cast<std::uint16_t>((std::bit_cast<std::uint32_t>(value) + 0x8000) >> 16);
}
[[nodiscard]] constexpr float from_half(std::uint16_t half) noexcept {
  return std::bit_cast<float>(std::uint32_t{half} << 16);
}

// One bit for each component of a vector, to select the vectors whose 4-bit codes are read.
//
// The codes are stored twice: by rows, to score single vectors (four rows fill one cache line), and
// in blocks of 64, to score all vectors at 0.25 ns each. For a vector minus the common part of all
// vectors ("rest"):
//
// rest := factor * sign(rest) + error
//
// The factor makes the product of signs and rest exact, so that scores are unbiased (Gao and Long,
// "RaBitQ", SIGMOD 2024).

/// A query prepared for BinaryCodes::score().
struct SignQuery {
  BinaryTables tables;
  float error = 0;      ///< allowance for errors, added to the tables' product
  float base = 0;       ///< score of a vector whose rest is zero
  float loss_unit = 0;  ///< subtracted from a score for each unit of a vector's loss
};

class BinaryCodes {
 public:
  static constexpr std::size_t block = codec::kernels::lookup_block;

  BinaryCodes() = default;
  /// Memory: two bits a component, and 4 bytes a vector, or 10 with losses. Rows are padded to a
  /// multiple of 16 bytes.
  BinaryCodes(std::size_t count, std::size_t dimension, bool has_losses);

  [[nodiscard]] bool empty() const noexcept { return pieces_.empty(); }
  /// Encodes a row. `rest` is the vector minus the common part of all vectors.
  void set(std::size_t row, std::span<const float> rest, float loss);
  /// Builds the blocks. Call it after all rows are set and before the first score.
  void seal();
  [[nodiscard]] float factor(std::size_t row) const noexcept { return from_half(factors_[row]); }

  /// Prepares scores of about base + dot(weights, rest) - loss_unit * loss. `error` is added to the
  /// scores. It is the amount by which they may be too low for weights of length 1 and a factor of
  /// 1.
  [[nodiscard]] SignQuery prepare(std::span<const float> weights, float base, float loss_unit,
                                  float error) const;
  /// Writes out[i] = the score of `rows[i]`. Cost: 1 ns a row for each 100 components.
  void score(const SignQuery& query, std::span<const std::uint32_t> rows, float* out) const;
  /// Writes out[i] = the score of row block * first + i, for `count` blocks, also for the padding
  /// after the last row. Equal to the scores of single rows.
  void score(const SignQuery& query, std::size_t first, std::size_t count, float* out) const;
  [[nodiscard]] std::size_t memory_bytes() const noexcept;

  /// Calls visit(std::vector<T>&) for the array that a file stores.
  template <class Self, class Visit>
  static void visit_arrays(Self& self, Visit&& visit) {
    visit(self.pieces_);
  }
  /// Completes codes whose array was read from a file. Returns false if it cannot belong to `count`
  /// vectors. Then the codes must not be used.
  [[nodiscard]] bool settle(std::size_t count, std::size_t dimension, bool has_losses);

 private:
  struct alignas(codec::kernels::lookup_piece) Piece {
    std::uint8_t bytes[codec::kernels::lookup_piece];
  };

  std::size_t bytes_ = 0;               // bytes that hold the bits of a row
  std::size_t row_pieces_ = 0;          // pieces of a row
  HugeVector<Piece> pieces_;            // by row: bits, loss, factor
  HugeVector<std::uint8_t> lines_;      // by block: bits in the order of lookup_byte()
  std::vector<std::uint16_t> factors_;  // by row
  std::vector<float> losses_;           // by row; empty without losses
};

}  // namespace cairn::engine
