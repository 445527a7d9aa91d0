#pragma once
// Dot products of arrays of bytes, written with Highway like float_kernels.hpp. All is done in
// integers, so that every instruction set gives the same numbers.

#include <cstddef>
#include <cstdint>

namespace cairn::codec::kernels {

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
