#pragma once
// Inner loops over arrays of 32- and 16-bit floats, written with Highway: the program contains a
// version for each instruction set and selects the best one of the processor at run time.
//
// Within one instruction set, a pair and a row of many give the same bits, because the order of
// additions is the same. Other instruction sets may differ in the last bits.

#include <cstddef>
#include <cstdint>

namespace cairn::codec::kernels {

/// Returns a distance of two arrays of `size` floats: smaller is nearer.
using PairDistance = float (*)(const float* a, const float* b, std::size_t size);
/// out[i] = distance of `query` and `rows[i]`, for `count` rows of `size` floats anywhere in
/// memory.
using RowDistances = void (*)(const float* query, const float* const* rows, std::size_t count,
                              std::size_t size, float* out);

/// One distance in two forms: of a pair of vectors, and of a query and many rows.
struct DistanceKernels {
  PairDistance pair = nullptr;
  RowDistances rows = nullptr;
};

/// Distance: minus the dot product.
[[nodiscard]] DistanceKernels negated_dot_kernels();
/// Distance: the sum of the squared differences.
[[nodiscard]] DistanceKernels squared_difference_kernels();

/// Sums in double precision: of a*b, of b*b, and of (a - b)^2.
struct PreciseSums {
  double dot = 0;
  double squared_b = 0;
  double squared_difference = 0;
};
[[nodiscard]] PreciseSums precise_sums(const float* a, const float* b, std::size_t size);

/// Layout of rows that every query is multiplied with: blocks of 64 rows, in which each component
/// of all rows is contiguous. dot_place() returns the place of a component.
inline constexpr std::size_t dot_block = 64;
constexpr std::size_t dot_place(std::size_t row, std::size_t component, std::size_t size) noexcept {
  return (row / dot_block * size + component) * dot_block + row % dot_block;
}
/// out[i] = dot(query, row i) for the rows of `blocks` blocks.
void dot_blocks(const float* query, const float* rows, std::size_t blocks, std::size_t size,
                float* out);

/// Returns the instruction sets of the processor, one bit each. Measured speeds are only valid for
/// the same set.
[[nodiscard]] std::uint64_t instruction_sets() noexcept;

// Floats of 16 bits (IEEE 754 binary16). All instruction sets give the same bits.

/// out[i] = values[i] * times, rounded to the nearest half, ties to even. Precondition: each
/// product is finite, and below 65,520 in magnitude.
void to_halves(const float* values, std::size_t size, float times, std::uint16_t* out);

/// out[i] = halves[i] * times. Exact if `times` is a power of two and no product leaves the range
/// of floats. Precondition: no half is infinite or NaN.
void from_halves(const std::uint16_t* halves, std::size_t size, float times, float* out);

}  // namespace cairn::codec::kernels
