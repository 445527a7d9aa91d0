#pragma once
// Sums of table lookups for 64 vectors at once, written with Highway like float_kernels.hpp. While
// the codes are read in sequence, the tables of the query stay in registers and the nearest cache
// (André, Kermarrec, Le Scouarnec, "Cache locality is not enough", VLDB 2015).
//
// block := line{lines}           64 vectors
// line  := (first | second << 4){64}   two of a vector's 4-bit codes; byte 4 j + t belongs to
//                                vector 16 t + j, so that sums come out in order on every machine
//
// Vectors that are not adjacent are stored as rows, which are transposed to such lines when they
// are read:
//
// row   := (first | second << 4){bytes} x* [loss:bf16] factor:bf16      in whole pieces of 16 bytes
//
// Sums are integers, so every instruction set gives the same sums.

#include <cstddef>
#include <cstdint>

namespace cairn::codec::kernels {

inline constexpr std::size_t lookup_block = 64;        // vectors, and bytes of a line
inline constexpr std::size_t lookup_table_bytes = 16;  // one value for each code
inline constexpr std::uint8_t most_lookup_value = 63;  // four of them fit a byte

inline constexpr std::size_t lookup_piece = 16;  // bytes of a row that are read at once

/// The byte of a line that belongs to a vector of the block.
constexpr std::size_t lookup_byte(std::size_t vector) noexcept {
  return 4 * (vector % 16) + vector / 16;
}

/// Blocks of codes, and two tables for each line, with values up to most_lookup_value.
struct LookupBlocks {
  const std::uint8_t* codes = nullptr;
  std::size_t lines = 1;  ///< of a block, up to 4,096
  const std::uint8_t* tables = nullptr;
  /// The codes of the next call; as many of them as this call reads are prefetched. Null if they
  /// are unknown.
  const std::uint8_t* upcoming = nullptr;
};

/// Rows of one vector each, and two tables for each of their bytes.
struct LookupRows {
  const std::uint8_t* rows = nullptr;
  std::size_t pieces = 1;  ///< of 16 bytes in a row
  std::size_t bytes = 1;   ///< of codes in a row; up to 512
  const std::uint8_t* tables = nullptr;
};

/// How a sum becomes a score: base + factors[i] * (unit * sum + offset) - loss_unit * losses[i].
struct LookupScale {
  float base = 0;
  float unit = 1;
  float offset = 0;
  const std::uint16_t* factors =
      nullptr;  ///< of each vector, from the first block on: upper halves of floats
  float loss_unit = 0;
  const float* losses = nullptr;  ///< null: none
};

/// Writes the scores out[i] of the 64 vectors of each of `count` blocks from `first` on.
void score_blocks(const LookupBlocks& blocks, std::size_t first, std::size_t count,
                  const LookupScale& scale, float* out);

/// Writes the score out[i] of each row `rows[i]`. The factors are read from the rows, and so are
/// the losses if `scale.loss_unit` is not 0.
void score_lookup_rows(const LookupRows& from, const std::uint32_t* rows, std::size_t count,
                       const LookupScale& scale, float* out);

/// Makes tables for 1-bit codes, one for each four components. The value of a code is the sum of
/// weights[t] over its set bits t, minus the least such sum, rounded, at most most_lookup_value.
/// A table takes four weights.
void fill_binary_tables(const float* weights, std::size_t tables, std::uint8_t* out);

/// Writes the positions i with scores[i] > bound in ascending order; returns how many. `out` must
/// have room for `count` + 16. `among` is a bitmap of positions, or null; positions whose bit is 0
/// are skipped.
std::size_t places_above(const float* scores, std::size_t count, float bound, std::uint32_t* out,
                         const std::uint64_t* among = nullptr);

}  // namespace cairn::codec::kernels
