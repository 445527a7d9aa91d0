#pragma once
// Scores of vectors that are stored as codes of 4 or 8 bits, with Highway as in float_kernels.hpp.
//
// record := line{lines}                64 bytes a line, which is 128 components
// line   := (low | high << 4){64}      byte i: components i and 64 + i of the line
//
// All arithmetic is done in integers, so all instruction sets return the same numbers.

#include <cstddef>
#include <cstdint>

namespace cairn::codec::kernels {

inline constexpr std::size_t code_line_bytes = 64;
inline constexpr std::size_t code_line_components = 128;

/// Adjacent records, and a weight for each component in the order of the codes: 64 for the low
/// halves of a line, then 64 for the high halves. A weight is from -127 to 127.
struct CodedRows {
  const std::uint8_t* codes = nullptr;
  std::size_t lines = 1;  ///< per record
  const std::int8_t* weights = nullptr;
};

/// out[i] = the sum of code * weight over the record `rows[i]`.
void score_rows(const CodedRows& coded, const std::uint32_t* rows, std::size_t count,
                std::int32_t* out);
/// As above for `count` adjacent records, beginning with record `first`.
void score_range(const CodedRows& coded, std::size_t first, std::size_t count, std::int32_t* out);

/// Returns the greatest |a[i] * b[i]|; 0 if `count` is 0.
float greatest_product(const float* a, const float* b, std::size_t count);
/// Statistics of rounding: the sums of the squared results and of the squared rounding errors. The
/// order of summation, and so the last bits, differs between machines.
struct RoundingSums {
  float squares = 0;
  float errors = 0;
};
/// out[i] = a[i] * b[i] * times, rounded to the nearest integer. Precondition: the product is from
/// -127 to 127.
RoundingSums round_products(const float* a, const float* b, float times, std::size_t count,
                            std::int8_t* out);

/// Writes the places i with scores[i] > bound in ascending order; returns how many. `out` must have
/// room for `count` + 16.
std::size_t places_above(const std::int32_t* scores, std::size_t count, std::int32_t bound,
                         std::uint32_t* out);

/// Returns the greatest number that at least `nth` scores reach; 1 <= nth <= count. Cost: up to 32
/// passes over the scores, a few nanoseconds per pass for some hundred scores: less than selection
/// by comparisons.
std::int32_t nth_greatest(const std::int32_t* scores, std::size_t count, std::size_t nth);
/// As above for floats, none of them NaN. Precondition: count <= most_floats.
inline constexpr std::size_t most_floats = 256;
float nth_greatest(const float* scores, std::size_t count, std::size_t nth);

// Dot products of arrays of bytes, also with Highway and in integers.

/// The length of an array is a multiple of byte_step; bytes after the last component are zero.
inline constexpr std::size_t byte_step = 4;

/// Returns the dot product of two arrays of `size` bytes from -127 to 127. `size` is at most
/// 65,536.
using ByteDot = std::int32_t (*)(const std::int8_t* a, const std::int8_t* b, std::size_t size);
/// out[i] = dot product of `query` and `rows[i]`, for `count` rows anywhere in memory.
using ByteDots = void (*)(const std::int8_t* query, const std::int8_t* const* rows,
                          std::size_t count, std::size_t size, std::int32_t* out);

/// The dot product of vectors of 8-bit integers: of a pair, and of a query and many rows.
struct ByteKernels {
  ByteDot pair = nullptr;
  ByteDots rows = nullptr;
};

[[nodiscard]] ByteKernels byte_kernels();

}  // namespace cairn::codec::kernels
