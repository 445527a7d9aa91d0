#pragma once
// Inner loops of operations on bitmaps, written with Highway: the program contains a version for
// each instruction set and selects the best one of the processor at run time.
//
// A bitmap has 1,024 words of 64 bits. An array is strictly ascending.

#include <cstddef>
#include <cstdint>
#include <span>

namespace cairn::codec::kernels {

inline constexpr std::size_t words_in_bitmap = 1'024;
/// Number of values that a kernel may write beyond its result, if it writes an array.
inline constexpr std::size_t array_slack = 16;

/// out = a op b; returns the number of set bits. `out` may be `a` or `b`.
std::uint32_t and_words(const std::uint64_t* a, const std::uint64_t* b, std::uint64_t* out);
std::uint32_t or_words(const std::uint64_t* a, const std::uint64_t* b, std::uint64_t* out);
std::uint32_t and_not_words(const std::uint64_t* a, const std::uint64_t* b, std::uint64_t* out);

/// Returns the number of bits set in (a and b).
std::uint32_t count_and_words(const std::uint64_t* a, const std::uint64_t* b);

/// Writes the positions of set bits; returns their number. `out` must have room for them and
/// `array_slack` more.
std::size_t list_words(const std::uint64_t* words, std::uint16_t* out);

/// As above for any number of words; `first` is the position of the first bit.
std::size_t list_bits(const std::uint64_t* words, std::size_t count, std::uint32_t first,
                      std::uint32_t* out);

/// Assigns each position one of 2,048 groups: group 8 * byte + b, where b is the only bit set in
/// `bits`.
struct GroupedPositions {
  const std::uint8_t* bytes = nullptr;
  const std::uint8_t* bits = nullptr;
};
inline constexpr std::size_t group_bytes = 256;
/// out = words without the positions whose group is not in `groups`, which has one bit per group.
/// Returns the number of remaining bits. Both arrays of `positions` must cover the last word
/// completely.
std::size_t keep_groups(const std::uint64_t* words, std::size_t count,
                        const GroupedPositions& positions, const std::uint8_t* groups,
                        std::uint64_t* out);
/// True if keep_groups() processes a whole word at once; false if it processes one set bit after
/// the other.
[[nodiscard]] bool keeps_groups_by_word();

/// out[i] = values[i] + add, modulo 2^32.
void widen_array(std::span<const std::uint16_t> values, std::uint32_t add, std::uint32_t* out);

/// Writes the common values of two arrays; returns their number. `out` must not be one of them, and
/// must have room for the shorter array and `array_slack` more. Fastest for arrays of about the
/// same length.
std::size_t intersect_arrays(std::span<const std::uint16_t> a, std::span<const std::uint16_t> b,
                             std::uint16_t* out);

}  // namespace cairn::codec::kernels
