#pragma once
// Floats of 16 bits (IEEE 754 binary16), written with Highway: one program holds a version for each
// instruction set and picks the best one the processor has. All give the same bits.

#include <cstddef>
#include <cstdint>

namespace cairn::codec::kernels {

/// out[i] = values[i] * times, rounded to the nearest half, ties to even. No product is infinite, NaN,
/// or 65,520 and more.
void to_halves(const float* values, std::size_t size, float times, std::uint16_t* out);

/// out[i] = halves[i] * times, exactly where `times` is a power of two and no product leaves the range
/// of floats. No half is infinite or NaN.
void from_halves(const std::uint16_t* halves, std::size_t size, float times, float* out);

}  // namespace cairn::codec::kernels
