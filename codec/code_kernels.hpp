#pragma once
// Scores of vectors as codes of 4 bits and of 8, written with Highway like float_kernels.hpp.
//
// record := line{lines}                64 bytes a line, which is 128 components
// line   := (low | high << 4){64}      byte i: components i and 64 + i of the line
//
// All is done in integers, so that every instruction set gives the same numbers.

#include <cstddef>
#include <cstdint>

namespace cairn::codec::kernels {

inline constexpr std::size_t code_line_bytes = 64;
inline constexpr std::size_t code_line_components = 128;

/// Records one after the other, and a weight for each component in the order of the codes: 64 of the
/// low halves of a line, then 64 of the high ones. A weight is from -127 to 127.
struct CodedRows {
  const std::uint8_t* codes = nullptr;
  std::size_t lines = 1;  ///< a record
  const std::int8_t* weights = nullptr;
};

/// out[i] = the sum of code * weight over the record `rows[i]`.
void score_rows(const CodedRows& coded, const std::uint32_t* rows, std::size_t count,
                std::int32_t* out);
/// The same of `count` records from `first` on.
void score_range(const CodedRows& coded, std::size_t first, std::size_t count, std::int32_t* out);

/// The greatest |a[i] * b[i]|; 0 of none.
float greatest_product(const float* a, const float* b, std::size_t count);
/// Of numbers that were rounded: squares of the numbers and of what rounding has changed, summed up, in
/// an order that differs from machine to machine.
struct RoundingSums {
  float squares = 0;
  float errors = 0;
};
/// out[i] = a[i] * b[i] * times, which is from -127 to 127, to the nearest whole number.
RoundingSums round_products(const float* a, const float* b, float times, std::size_t count,
                            std::int8_t* out);

/// The places i with scores[i] > bound, ascending; returns how many. `out` has room for 16 more than
/// `count`.
std::size_t places_above(const std::int32_t* scores, std::size_t count, std::int32_t bound,
                         std::uint32_t* out);

/// The greatest number that `nth` of the scores reach; 1 <= nth <= count. Cost: up to 32 passes over
/// them, a few nanoseconds each for some hundred: less than any selection by comparing two at a time.
std::int32_t nth_greatest(const std::int32_t* scores, std::size_t count, std::size_t nth);
/// The same of floats, none of them NaN. The count is at most most_floats.
inline constexpr std::size_t most_floats = 256;
float nth_greatest(const float* scores, std::size_t count, std::size_t nth);

// Dot products of arrays of bytes, written with Highway like float_kernels.hpp. All is done in
// integers, so that every instruction set gives the same numbers.

/// Arrays are as long as a multiple of this; what is behind the components is zero.
inline constexpr std::size_t byte_step = 4;

/// The dot product of two arrays of `size` bytes, of -127 to 127 each. `size` is up to 65,536.
using ByteDot = std::int32_t (*)(const std::int8_t* a, const std::int8_t* b, std::size_t size);
/// out[i] = that of `query` and `rows[i]`, for `count` rows anywhere in memory.
using ByteDots = void (*)(const std::int8_t* query, const std::int8_t* const* rows,
                          std::size_t count, std::size_t size, std::int32_t* out);

struct ByteKernels {
  ByteDot pair = nullptr;
  ByteDots rows = nullptr;
};

[[nodiscard]] ByteKernels byte_kernels();

}  // namespace cairn::codec::kernels
