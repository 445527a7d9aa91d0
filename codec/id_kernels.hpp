#pragma once
// The inner loops of the id-set algebra, written with Highway: the program holds a version for each
// instruction set and takes the best one that the processor has.
//
// A bitmap is 1,024 words of 64 bits. An array is strictly ascending.

#include <cstddef>
#include <cstdint>
#include <span>

namespace cairn::codec::kernels {

inline constexpr std::size_t words_in_bitmap = 1'024;
/// How many values a kernel that writes an array may write beyond its result.
inline constexpr std::size_t array_slack = 16;

/// out = a op b, and how many bits are set in it; `out` may be `a` or `b`.
std::uint32_t and_words(const std::uint64_t* a, const std::uint64_t* b, std::uint64_t* out);
std::uint32_t or_words(const std::uint64_t* a, const std::uint64_t* b, std::uint64_t* out);
std::uint32_t and_not_words(const std::uint64_t* a, const std::uint64_t* b, std::uint64_t* out);

/// How many bits are set in (a and b).
std::uint32_t count_and_words(const std::uint64_t* a, const std::uint64_t* b);

/// The positions of the set bits, and how many there are. `out` has room for them and `array_slack`.
std::size_t list_words(const std::uint64_t* words, std::uint16_t* out);

/// The same for any number of words, `first` being the position of the first bit.
std::size_t list_bits(const std::uint64_t* words, std::size_t count, std::uint32_t first,
                      std::uint32_t* out);

/// Of each position one of 2,048 groups: group 8 * byte + b for the bit b of `bits`.
struct GroupedPositions {
  const std::uint8_t* bytes = nullptr;
  const std::uint8_t* bits = nullptr;
};
inline constexpr std::size_t group_bytes = 256;
/// out = words, without the positions whose group is not in `groups`, a bit a group; returns how many are
/// left. Both arrays of `positions` go on to the end of the last word.
std::size_t keep_groups(const std::uint64_t* words, std::size_t count,
                        const GroupedPositions& positions, const std::uint8_t* groups,
                        std::uint64_t* out);
/// Whether it looks at a word at once; else at one set bit after the other.
[[nodiscard]] bool keeps_groups_by_word();

/// out[i] = values[i] + add, modulo 2^32.
void widen_array(std::span<const std::uint16_t> values, std::uint32_t add, std::uint32_t* out);

/// What two arrays have in common, and how much that is. `out` is neither of them and has room for
/// the shorter one and `array_slack`. Made for arrays of about the same length.
std::size_t intersect_arrays(std::span<const std::uint16_t> a, std::span<const std::uint16_t> b,
                             std::uint16_t* out);

}  // namespace cairn::codec::kernels
